import type { Alert } from './rules.fixture.ts';

/** An alert that is a little wrong, in one place. */
type Mutant = Pick<Alert, 'expr' | 'for'>;

/** All alerts that are an alert with one mistake in it. Each test of an alert has to distinguish it from them all. */
export const mutantsOf = (alert: Alert): Mutant[] => [
  ...thresholds(alert.expr),
  ...aggregations(alert.expr),
  ...matchers(alert.expr),
  ...alternatives(alert.expr),
  ...(alert.for ? delays(alert.expr, alert.for) : []),
];

/** Comparisons the other way round, and with other numbers: a twentieth off, or a half for what is counted in a range. */
function thresholds(expr: string): Mutant[] {
  const off = expr.includes('increase') ? 0.5 : 0.05;
  const nearby = (value: number) => (value === 0 ? [1] : [value * (1 - off), value * (1 + off)]);
  return everywhere(expr, /(==|<|>) ([\d.]+)/g, ([, comparison, value]) => [
    `${comparison === '>' ? '<' : '>'} ${value}`,
    ...nearby(Number(value)).map((other) => `${comparison} ${other}`),
  ]);
}

const aggregations = (expr: string): Mutant[] =>
  everywhere(expr, /\b(max|min|sum)(?= by|\()/g, ([name]) => [name === 'min' ? 'max' : 'min']);

const matchers = (expr: string): Mutant[] => everywhere(expr, /\{[^}]*\}/g, () => ['']);

/** One of the conditions is left out. */
function alternatives(expr: string): Mutant[] {
  const parts = expr.split(' or ');
  if (parts.length === 1) return [];
  return parts.map((_, index) => ({ expr: parts.filter((_one, place) => place !== index).join(' or ') }));
}

function delays(expr: string, delay: string): Mutant[] {
  const minutes = Number.parseInt(delay, 10);
  return [minutes - 1, minutes + 1].map((other) => ({ expr, for: `${other}m` }));
}

/** Each match, one at a time, is replaced by each of its replacements. */
const everywhere = (expr: string, pattern: RegExp, replacements: (match: RegExpMatchArray) => string[]): Mutant[] =>
  [...expr.matchAll(pattern)].flatMap((match) =>
    replacements(match).map((text) => ({
      expr: expr.slice(0, match.index) + text + expr.slice(match.index + match[0].length),
    })),
  );
