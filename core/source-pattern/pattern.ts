import { isCivilDay } from '../calendar/civil-day.ts';

/**
 * Patterns of object keys. `{date}` stands for YYYY-MM-DD, `{mode}` for a mode of the series, `*` for any text without
 * a slash; all other text stands for itself.
 */

/** What the key of an object says of its rows; what the pattern does not name is absent. */
export type ObjectName = { date?: string; mode?: string };

type Piece = { kind: 'text'; text: string } | { kind: 'date' } | { kind: 'mode' } | { kind: 'any' };

const PLACEHOLDERS: Readonly<Record<string, Piece>> = {
  '{date}': { kind: 'date' },
  '{mode}': { kind: 'mode' },
  '*': { kind: 'any' },
};

const pieces = (pattern: string): Piece[] =>
  pattern
    .split(/(\{date\}|\{mode\}|\*)/)
    .filter((text) => text !== '')
    .map((text) => PLACEHOLDERS[text] ?? { kind: 'text', text });

const names = (pattern: string, kind: Piece['kind']): boolean => pieces(pattern).some((piece) => piece.kind === kind);

/** Which of the placeholders a pattern holds. */
export const patternNames = (pattern: string): { date: boolean; mode: boolean; any: boolean } => ({
  date: names(pattern, 'date'),
  mode: names(pattern, 'mode'),
  any: names(pattern, 'any'),
});

/** The text before the first placeholder: what a store is asked to list. */
export function patternPrefix(pattern: string): string {
  const first = pieces(pattern)[0];
  return first?.kind === 'text' ? first.text : '';
}

/** The key that a pattern without `*` names. Throws RangeError when the pattern asks for more than is given. */
export function objectKey(pattern: string, name: ObjectName): string {
  return pieces(pattern)
    .map((piece) => {
      const text = piece.kind === 'text' ? piece.text : piece.kind === 'any' ? undefined : name[piece.kind];
      if (text === undefined) throw new RangeError('the pattern names no single object');
      return text;
    })
    .join('');
}

/** Length of YYYY-MM-DD. */
const DATE_LENGTH = 10;

/** May the piece of a pattern take the key's text from `start` to `end`? Asked for ends that grow by a character. */
function mayGrow(piece: Piece, key: string, start: number, end: number): boolean {
  const added = key[end - 1];
  if (piece.kind === 'any') return added !== '/';
  return end - 1 === start ? /[a-z0-9]/.test(added!) : /[a-z0-9-]/.test(added!);
}

/** Where a piece that starts at a place of the key may end, the nearest first. */
function ends(piece: Piece, key: string, start: number): number[] {
  if (piece.kind === 'text') return key.startsWith(piece.text, start) ? [start + piece.text.length] : [];
  if (piece.kind === 'date')
    return /^\d{4}-\d{2}-\d{2}$/.test(key.slice(start, start + DATE_LENGTH)) ? [start + DATE_LENGTH] : [];
  const found = piece.kind === 'any' ? [start] : [];
  for (let end = start + 1; end <= key.length && mayGrow(piece, key, start, end); end += 1) found.push(end);
  return found;
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
  const found: ObjectName = {};
  let at = 0;
  for (const [index, piece] of parts.entries()) {
    const possible = ends(piece, key, at).filter((end) => fits[index + 1]![end]);
    const end = (extent === 'longest' ? possible.at(-1) : possible[0])!;
    if (piece.kind === 'date' || piece.kind === 'mode') {
      const text = key.slice(at, end);
      if (found[piece.kind] !== undefined && found[piece.kind] !== text) return null;
      found[piece.kind] = text;
    }
    at = end;
  }
  return found.date === undefined || isCivilDay(found.date) ? found : null;
}

/**
 * What a key says by the pattern; null when it does not fit, names a day that does not exist, names two different
 * days or modes, or can be read in more than one way: a guess could put rows into the wrong partitions.
 */
export function matchObject(pattern: string, key: string): ObjectName | null {
  const [longest, shortest] = [read(pattern, key, 'longest'), read(pattern, key, 'shortest')];
  if (!longest || !shortest) return null;
  return longest.date === shortest.date && longest.mode === shortest.mode ? longest : null;
}

/** What is wrong with a pattern, one sentence each; empty when it can be used. */
export function patternProblems(pattern: string): string[] {
  const problems: string[] = [];
  const unknown = /\{(?!date\}|mode\})[^}]*\}?|(?<!\{date|\{mode)\}/.exec(pattern);
  if (unknown) problems.push(`${unknown[0]} is no placeholder; use {date}, {mode} and *.`);
  if (pattern.startsWith('/') || pattern.split('/').some((part) => part === '..' || part === '.')) {
    problems.push('Keys are relative to the store; leave out the slash at the start and the parts . and ..');
  }
  // Modes hold hyphens, so `{mode}-*` could end the mode at any of them.
  if (/\{mode\}[a-z0-9-]*\*|\*[a-z0-9-]*\{mode\}/.test(pattern)) {
    problems.push('Put a character that no mode holds, such as / or _, between {mode} and *.');
  }
  if (/\*\*/.test(pattern)) problems.push('A * never crosses a slash; write one * for each part of the key.');
  return problems;
}
