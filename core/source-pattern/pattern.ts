import {
  type Coverage,
  coverage,
  FIELD_PLACEHOLDERS,
  FIELD_TEXTS,
  type Field,
  fieldsOfDay,
  firstDayOf,
  grain,
  periodOfDay,
  TIME_PLACEHOLDERS,
  type TimeFields,
} from './object-time.ts';

/**
 * Patterns of object keys. `{date}` stands for YYYY-MM-DD, other placeholders of time for other forms or parts of it,
 * `{mode}` for a mode of the series, `{piece}` for the number of an object among those of its day and mode, `*` for any
 * text without a slash, and so does `{stamp}`, of which there is one for each day, mode and piece: the time of a
 * delivery. All other text stands for itself.
 */

/**
 * What the key of an object says of its rows; what the pattern does not name is absent. `period` is a week, a month, a
 * quarter or a year, where the pattern names no day.
 */
export type ObjectName = Coverage & { mode?: string; piece?: string };

/** The text of one delivery: two objects that nothing else distinguishes are two deliveries of the same thing. */
const STAMP = '{stamp}';

/** Digits of the number of a piece: programs count to 99,999. */
const PIECE_DIGITS = 5;

type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'time'; field: Field }
  | { kind: 'mode' }
  | { kind: 'piece' }
  | { kind: 'any' };

const pieces = (pattern: string): Piece[] =>
  pattern
    .replaceAll(/\{[a-z]+\}/g, (name) => TIME_PLACEHOLDERS[name] ?? name)
    .split(/(\{[a-z]+\}|\*)/)
    .filter((text) => text !== '')
    .map((text): Piece => {
      if (text === '*' || text === STAMP) return { kind: 'any' };
      if (text === '{mode}') return { kind: 'mode' };
      if (text === '{piece}') return { kind: 'piece' };
      const field = FIELD_PLACEHOLDERS[text];
      return field ? { kind: 'time', field } : { kind: 'text', text };
    });

const names = (pattern: string, kind: Piece['kind']): boolean => pieces(pattern).some((piece) => piece.kind === kind);

/** The fields of time that a pattern names. */
const timeFields = (pattern: string): Set<string> =>
  new Set(pieces(pattern).flatMap((piece) => (piece.kind === 'time' ? [piece.field] : [])));

/**
 * Which of the placeholders a pattern holds: a day, in whatever parts; or else how long a period; a mode; pieces; any
 * text, and whether that may be of several objects.
 */
export function patternNames(pattern: string) {
  const size = grain(timeFields(pattern));
  return {
    date: size === 'day',
    period: size === 'day' || size === undefined ? null : size,
    mode: names(pattern, 'mode'),
    piece: names(pattern, 'piece'),
    any: names(pattern, 'any'),
    several: pattern.includes('*'),
  };
}

/** What the objects of a day are called under a pattern, as far as time goes. */
export function nameOfDay(pattern: string, day: string): Coverage {
  const { date, period } = patternNames(pattern);
  return date ? { date: day } : period ? { period: periodOfDay(day, period) } : {};
}

/** The same with any text where a day, a month or a piece is named: each window then reads all objects. */
export const withoutTimes = (pattern: string): string => pattern.replaceAll(/\{(?!mode\})\w+\}/g, '*');

/** The text before the first placeholder: what a store is asked to list. */
export function patternPrefix(pattern: string): string {
  const first = pieces(pattern)[0];
  return first?.kind === 'text' ? first.text : '';
}

/** The key that a pattern without `*` and pieces names. Throws RangeError when it asks for more than is given. */
export function objectKey(pattern: string, name: ObjectName): string {
  const key = fillPattern(pattern, name);
  if (pieces(key).some(({ kind }) => kind !== 'text')) throw new RangeError('the pattern names no single object');
  return key;
}

/** A pattern as far as its time and its mode are known, for people: `trips/2026-03-02/*.csv`. */
export function fillPattern(pattern: string, { date, period, mode, piece: number }: ObjectName): string {
  const fields = date !== undefined ? fieldsOfDay(date) : period !== undefined ? fieldsOfDay(firstDayOf(period)) : null;
  return pieces(pattern)
    .map((piece) => {
      if (piece.kind === 'text') return piece.text;
      if (piece.kind === 'any') return '*';
      if (piece.kind === 'mode') return mode ?? '{mode}';
      if (piece.kind === 'piece') return number ?? '{piece}';
      return fields?.[piece.field] ?? '*';
    })
    .join('');
}

/** May the piece of a pattern take the key's text from `start` to `end`? Asked for ends that grow by a character. */
function mayGrow(piece: Piece, key: string, start: number, end: number): boolean {
  const last = key[end - 1];
  if (piece.kind === 'any') return last !== '/';
  if (piece.kind === 'piece') return /[0-9]/.test(last!) && end - start <= PIECE_DIGITS;
  return end - 1 === start ? /[a-z0-9]/.test(last!) : /[a-z0-9-]/.test(last!);
}

/** Where a piece that starts at a place of the key may end, the nearest first. */
function ends(piece: Piece, key: string, start: number): number[] {
  if (piece.kind === 'text') return key.startsWith(piece.text, start) ? [start + piece.text.length] : [];
  if (piece.kind === 'time') {
    const [text] = FIELD_TEXTS[piece.field].exec(key.slice(start)) ?? [];
    return text === undefined ? [] : [start + text.length];
  }
  const places = piece.kind === 'any' ? [start] : [];
  for (let end = start + 1; end <= key.length && mayGrow(piece, key, start, end); end += 1) places.push(end);
  return places;
}

/**
 * For each piece and place, whether this piece and those after it can take all that is left of the key. Filled from the
 * end, a place at a time, so that the time grows with pieces times characters however many `*` there are.
 */
function restFits(parts: readonly Piece[], key: string): boolean[][] {
  const fits = [
    ...parts.map(() => [] as boolean[]),
    Array.from({ length: key.length + 1 }, (_, at) => at === key.length),
  ];
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const [piece, after, own] = [parts[index]!, fits[index + 1]!, fits[index]!];
    // Of a mode: may it end here or further on, once it has begun?
    const goesOn: boolean[] = [];
    for (let at = key.length; at >= 0; at -= 1) {
      const next = key[at];
      if (piece.kind === 'any') own[at] = after[at]! || (next !== undefined && next !== '/' && own[at + 1]!);
      else if (piece.kind === 'mode') {
        goesOn[at] = after[at]! || (next !== undefined && /[a-z0-9-]/.test(next) && goesOn[at + 1]!);
        own[at] = next !== undefined && /[a-z0-9]/.test(next) && goesOn[at + 1]!;
      } else own[at] = ends(piece, key, at).some((end) => after[end]);
    }
  }
  return fits;
}

/** Reads the key with open pieces as long, or as short, as they can be from the first on; null when it does not fit. */
function read(pattern: string, key: string, extent: 'longest' | 'shortest'): ObjectName | null {
  const parts = pieces(pattern);
  const fits = restFits(parts, key);
  if (!fits[0]![0]) return null;
  const texts: Said = {};
  let at = 0;
  for (const [index, piece] of parts.entries()) {
    const possible = ends(piece, key, at).filter((end) => fits[index + 1]![end]);
    const end = (extent === 'longest' ? possible.at(-1) : possible[0])!;
    for (const [field, text] of Object.entries(fieldsIn(piece, key.slice(at, end)))) {
      if ((texts[field as keyof typeof texts] ?? text) !== text) return null;
      texts[field as keyof typeof texts] = text;
    }
    at = end;
  }
  const { mode, piece, ...fields } = texts;
  const time = coverage(fields);
  return time && { ...time, ...(mode !== undefined && { mode }), ...(piece !== undefined && { piece }) };
}

type Said = TimeFields & Pick<ObjectName, 'mode' | 'piece'>;

function fieldsIn(piece: Piece, text: string): Said {
  if (piece.kind === 'mode' || piece.kind === 'piece') return { [piece.kind]: text };
  return piece.kind === 'time' ? { [piece.field]: text } : {};
}

/**
 * What a key says by the pattern; null when it does not fit, names a day that does not exist, names two different
 * days or modes, or can be read in more than one way: a guess could put rows into the wrong partitions.
 */
export function matchObject(pattern: string, key: string): ObjectName | null {
  const [longest, shortest] = [read(pattern, key, 'longest'), read(pattern, key, 'shortest')];
  if (!longest || !shortest) return null;
  const same = (['date', 'period', 'mode', 'piece'] as const).every((part) => longest[part] === shortest[part]);
  return same ? longest : null;
}

/** What is wrong with a pattern, one sentence each; empty when it can be used. */
export function patternProblems(pattern: string): string[] {
  const problems: string[] = [];
  const all = ['{mode}', '{piece}', STAMP, ...Object.keys({ ...TIME_PLACEHOLDERS, ...FIELD_PLACEHOLDERS })];
  const rest = all.reduce((text, name) => text.replaceAll(name, ' '), pattern);
  const stray = /\{[^}]*\}?|\}/.exec(rest);
  if (stray) problems.push(`${stray[0]} is no placeholder; use ${all.slice(1).join(', ')}, {mode} and *.`);
  if (grain(timeFields(pattern)) === undefined)
    problems.push(
      'The pattern names a part of a day alone; write the year too, and with {dd} the month. The year of a week is {gggg}, as in {gggg}-W{ww}, which {week} is; beside it only a whole day is possible.',
    );
  if (pattern.startsWith('/') || pattern.split('/').some((part) => part === '..' || part === '.'))
    problems.push('Keys are relative to the store; leave out the slash at the start and the parts . and ..');
  // Modes hold hyphens, so `{mode}-*` could end the mode at any of them.
  const open = pattern.replaceAll(STAMP, '*');
  if (/\{mode\}[a-z0-9-]*\*|\*[a-z0-9-]*\{mode\}/.test(open))
    problems.push('Put a character that no mode holds, such as / or _, between {mode} and *.');
  if (/\{piece\}(\*|\{piece\})|\*\{piece\}/.test(open))
    problems.push('Put a character that is no digit between {piece} and *.');
  if (/\*\*/.test(open)) problems.push('A * never crosses a slash; write one * for each part of the key.');
  return problems;
}

/** What is wrong with a supplier's marker or note beside a pattern: it has to be one object of a day. */
export function markerProblems(marker: string, pattern: string): string[] {
  const problems = patternProblems(marker);
  const holds = patternNames(marker);
  if (!holds.date || holds.any || holds.piece)
    problems.push('This names one object of a day: write {date}, and no *, {stamp} or {piece}.');
  if (matchObject(pattern, fillPattern(marker, { date: '2026-01-01', mode: 'a' })))
    problems.push('This fits the pattern and would be read as data; rename it.');
  return problems;
}
