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

/** A regular expression with one capture for each placeholder but `*`; `quantifier` makes open pieces greedy or not. */
function expression(pattern: string, quantifier: '*' | '*?'): RegExp {
  const source = pieces(pattern).map((piece) => {
    if (piece.kind === 'text') return piece.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    if (piece.kind === 'date') return '(\\d{4}-\\d{2}-\\d{2})';
    return piece.kind === 'mode' ? `([a-z0-9][a-z0-9-]${quantifier})` : `[^/]${quantifier}`;
  });
  return new RegExp(`^${source.join('')}$`);
}

function read(pattern: string, key: string, quantifier: '*' | '*?'): ObjectName | null {
  const match = expression(pattern, quantifier).exec(key);
  if (!match) return null;
  const found: ObjectName = {};
  const placeholders = pieces(pattern).filter((piece) => piece.kind === 'date' || piece.kind === 'mode');
  for (const [index, { kind }] of placeholders.entries()) {
    const text = match[index + 1]!;
    if (kind !== 'date' && kind !== 'mode') continue;
    if (found[kind] !== undefined && found[kind] !== text) return null;
    found[kind] = text;
  }
  return found.date === undefined || isCivilDay(found.date) ? found : null;
}

/**
 * What a key says by the pattern; null when it does not fit, names a day that does not exist, names two different
 * days or modes, or can be read in more than one way: a guess could put rows into the wrong partitions.
 */
export function matchObject(pattern: string, key: string): ObjectName | null {
  const [longest, shortest] = [read(pattern, key, '*'), read(pattern, key, '*?')];
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
