import type { Certificate } from '../../../contracts/certificate.ts';
import type { NoiseLines, ShadowDraw } from './drawn-table.ts';
import type { ShadowPlace } from './shadow-layout.ts';
import type { NoiseKind, PairTally } from './shadow-tallies.ts';

/** Two noise values; null for one that is not there. */
type Pair = readonly [first: number | null, second: number | null];

/**
 * Pairs of noise values that a mechanism could have drawn only once: beside each other and two apart, of the two taps of
 * a key, of one key on two days, in two versions, parts and windows, of a cell and its totals, of two kinds of totals, of
 * left-out taps and everything else: the first cell and the first total of their end.
 * Pairs of one list share no noise value, so that they are independent of each other; lists may share some.
 */
export function pairTallies(draws: readonly ShadowDraw[], { marginScales, leftOutScale }: Certificate): PairTally[] {
  const kinds = (['time', 'location'] as const).filter((kind) => marginScales[kind] !== undefined);
  const together = (one: NoiseKind, other: NoiseKind, name: string, tables = draws): PairTally =>
    pairTally(
      name,
      null,
      tables.flatMap(({ noise }) => beside(noise[one], noise[other])),
    );
  return [
    ...sameKind(draws, 'cells'),
    pairTally(
      'distant cells',
      'cells',
      draws.flatMap(({ noise: { cells } }) => beside(cells.map(firstHalf), cells.map(secondHalf))),
    ),
    ...kinds.flatMap((kind) => sameKind(draws, kind)),
    ...kinds.map((kind) => {
      const tables = draws.filter(({ shape }) => shape === LINE_OF[kind]);
      return together('cells', kind, `cells and ${kind} totals`, tables);
    }),
    ...(kinds.length === 2 ? [together('time', 'location', 'time and location totals')] : []),
    ...(leftOutScale === undefined
      ? []
      : [
          ...sameKind(draws, 'leftOut'),
          together('leftOut', 'cells', 'cells and left-out taps'),
          ...kinds.map((kind) => together('leftOut', kind, `${kind} totals and left-out taps`)),
        ]),
  ].filter(({ pairs }) => pairs > 0);
}

/** In which shape each cell is a total of this kind. */
const LINE_OF = { time: 'times', location: 'places' } as const;

const WORDS = {
  cells: 'cells',
  time: 'time totals',
  location: 'location totals',
  leftOut: 'left-out taps',
} satisfies Record<NoiseKind, string>;

/** Lists of pairs of noise of one kind. */
function sameKind(draws: readonly ShadowDraw[], kind: NoiseKind): PairTally[] {
  const tables = draws.map(({ noise }) => noise[kind]);
  const lines = tables.flat();
  const lists: [name: string, pairs: Pair[]][] = [
    ['of the two taps', tables.flatMap(([first = [], second]) => (second ? beside([first], [second]) : []))],
    ['beside each other', lines.flatMap((line) => apart(line, 1))],
    ['two apart', lines.flatMap((line) => apart(line, 2))],
    ...STEPS.map(({ name, digit, step }): [string, Pair[]] => [
      name,
      neighbours(draws, digit, step).flatMap(([first, second]) => beside(first.noise[kind], second.noise[kind])),
    ]),
  ];
  return lists.map(([name, pairs]) => pairTally(`${WORDS[kind]} ${name}`, kind, pairs));
}

/** Tables that differ in one digit of their place. */
const STEPS: readonly { name: string; digit: keyof ShadowPlace; step: 1 | 2 }[] = [
  { name: 'of two days', digit: 'day', step: 1 },
  { name: 'of days two apart', digit: 'day', step: 2 },
  { name: 'of two versions', digit: 'version', step: 1 },
  { name: 'of versions two apart', digit: 'version', step: 2 },
  { name: 'of two parts', digit: 'part', step: 1 },
  { name: 'of two windows', digit: 'window', step: 1 },
];

/** Values at the same places. */
const beside = (first: NoiseLines, second: NoiseLines): Pair[] =>
  first.flatMap((line, n) => line.flatMap((value, k): Pair[] => pairUp(value, second[n]?.[k])));

const pairUp = (first: number | null, second: number | null | undefined): Pair[] =>
  second === undefined ? [] : [[first, second]];

/** Is the number the first of two that are so far apart, when each number is in one pair at most? */
const isFirst = (value: number, step: 1 | 2): boolean => Math.floor(value / step) % 2 === 0;

const firstHalf = (line: NoiseLines[number]) => line.slice(0, line.length / 2);
const secondHalf = (line: NoiseLines[number]) => line.slice(line.length / 2);

const apart = (line: NoiseLines[number], step: 1 | 2): Pair[] =>
  line.flatMap((value, k) => (isFirst(k, step) ? pairUp(value, line[k + step]) : []));

/** Pairs of tables of one shape that differ in a digit by the step and in nothing else; each in one pair at most. */
function neighbours(
  draws: readonly ShadowDraw[],
  digit: keyof ShadowPlace,
  step: 1 | 2,
): (readonly [ShadowDraw, ShadowDraw])[] {
  const nameOf = (shape: string, { window, version, part, day }: ShadowPlace): string =>
    [shape, window, version, part, day].join(' ');
  const byName = new Map(draws.map((table) => [nameOf(table.shape, table.place), table]));
  return draws.flatMap((table) => {
    const value = table.place[digit];
    const other = isFirst(value, step) && byName.get(nameOf(table.shape, { ...table.place, [digit]: value + step }));
    return other ? [[table, other] as const] : [];
  });
}

/** `kind`: of what both are the noise; null when their scales may differ. */
function pairTally(name: string, kind: NoiseKind | null, pairs: readonly Pair[]): PairTally {
  let [equal, signs, matches] = [0, 0, 0];
  for (const { 0: first, 1: second } of pairs) {
    if (first === second) equal += 1;
    if (!first || !second) continue;
    signs += 1;
    if (first > 0 === second > 0) matches += 1;
  }
  return { name, of: kind, pairs: pairs.length, equal, signed: signs, agreeing: matches };
}
