import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseTaps, LowestRanks, NO_CELL, productOf, type TapChoice } from './tap-choice.ts';

const PRIME = 2n ** 31n - 1n;
const CELLS = 40;
const KEY: [number, number] = [0x0011_2233, 0x4455_6677];

/** A tap of a card by its digest. */
type Tap = { card: readonly number[]; cell: number };

/** Counts of all cells. */
class Counts {
  readonly counts = Array<number>(CELLS).fill(0);

  add(cell: number, taps: number): void {
    this.counts[cell]! += taps;
  }
}

const choiceOf = (change: Partial<TapChoice> = {}) => ({
  key: KEY,
  maxTaps: 3,
  clamp: 2,
  bound: null,
  cellsOfScope: CELLS,
  ...change,
  counted: new Counts(),
  leftOut: new Counts(),
});

/** The permutation of words, over integers. */
function scattered(word: bigint): bigint {
  const factor = (value: bigint, shift: bigint, by: bigint): bigint => ((value ^ (value >> shift)) * by) & 0xffff_ffffn;
  const twice = factor(factor(word, 16n, 0x7feb352dn), 15n, 0x846ca68bn);
  return twice ^ (twice >> 16n);
}

/** The rank of a tap as the proof defines it. */
function rankOf([first, second]: readonly number[], cell: number, ordinal: number): bigint {
  const word = (first! >>> 0) | 0;
  const low = BigInt(word >>> 0) | (BigInt(second! >>> 0) << 32n);
  const keyed = (key: number): bigint => scattered((BigInt(cell) ^ BigInt(key)) & 0xffff_ffffn) & PRIME;
  const argument = keyed(KEY[0]) + BigInt(ordinal) * keyed(KEY[1]);
  return ((low & PRIME) * argument + ((low >> 31n) & PRIME)) % PRIME;
}

type Ranked = { cell: number; ordinal: number; rank: bigint };

/** Two days of two modes with two and three locations, two times and both ends: 2·2·2 + 2·2·3 = 20 cells a day. */
const GRID = {
  cellsOfDay: 20,
  modes: [
    { first: 0, locations: 2 },
    { first: 8, locations: 3 },
  ],
  times: 2,
};
/** Where the cells of the grid are, by going through it. */
const PLACES = [0, 1].flatMap((day) =>
  GRID.modes.flatMap(({ locations }, mode) =>
    ['off', 'on'].flatMap((end) =>
      [0, 1].flatMap((time) =>
        Array.from({ length: locations }, (_, location) => ({ table: `${day} ${mode} ${end}`, time, location })),
      ),
    ),
  ),
);

/** Of ranked taps those that the bounds of times and places leave, by the words of C2. */
function withinPlaces(ranked: readonly Ranked[], bound: TapChoice['bound']): Ranked[] {
  if (bound === null) return [...ranked];
  const lowest = (taps: readonly Ranked[], nameOf: (cell: number) => string, most: number): Ranked[] =>
    [...Map.groupBy(taps, ({ cell }) => nameOf(cell)).values()].flatMap((some) => some.slice(0, most));
  const ofTimes = lowest(ranked, (cell) => `${PLACES[cell]!.table} ${PLACES[cell]!.time}`, 1).sort(byRank);
  return lowest(ofTimes, (cell) => `${PLACES[cell]!.table} ${PLACES[cell]!.location}`, bound.place).sort(byRank);
}

const byRank = (a: Ranked, b: Ranked): number => Number(a.rank - b.rank) || a.cell - b.cell || a.ordinal - b.ordinal;

/** What is counted and what is left out, by sorting. */
function expected(taps: readonly Tap[], { maxTaps, clamp, bound, cellsOfScope }: TapChoice): [number[], number[]] {
  const [counted, leftOut] = [Array<number>(CELLS).fill(0), Array<number>(CELLS).fill(0)];
  for (const group of Map.groupBy(taps, ({ card, cell }) => `${card} ${Math.floor(cell / cellsOfScope)}`).values()) {
    const ofCell = Map.groupBy(group, ({ cell }) => cell);
    const ranked = [...ofCell].flatMap(([cell, equal]) =>
      equal.map(({ card }, ordinal) => ({ cell, ordinal, rank: rankOf(card, cell, ordinal) })),
    );
    ranked.sort(byRank);
    const chosen = withinPlaces(ranked, bound).slice(0, maxTaps);
    for (const { cell } of chosen) counted[cell]! += 1;
    const others = ranked.filter((one) => !chosen.includes(one));
    for (const { cell } of others.slice(0, clamp)) leftOut[cell]! += 1;
  }
  return [counted, leftOut];
}

/** Rows with two taps of a card each, where it has them. */
function rowsOf(taps: readonly Tap[], together: boolean): Uint32Array {
  const rows: number[] = [];
  for (let at = 0; at < taps.length; at++) {
    const { card, cell } = taps[at]!;
    const next = taps[at + 1];
    const joined = together && next?.card === card;
    rows.push(...card, joined ? cell : NO_CELL, joined ? next.cell : cell);
    if (joined) at += 1;
  }
  return Uint32Array.from(rows);
}

const word = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 0xffff_ffff }), fc.constant(0xffff_ffff));
/** Some differ in one word alone, and so in the bits that make ranks or in others. */
const cards = fc
  .tuple(word, word, word, word)
  .map(([a, b, c, d]) => [
    [a, b, c, d],
    [a, b, c, d ^ 1].map((each) => each >>> 0),
    [a ^ 1, b, c, d].map((each) => each >>> 0),
  ]);
const taps = cards.chain((some) =>
  fc.array(fc.record({ card: fc.constantFrom(...some), cell: fc.nat(CELLS - 1) }), { maxLength: 120 }),
);
const anyChoice = fc.record({
  maxTaps: fc.integer({ min: 1, max: 40 }),
  clamp: fc.nat(5),
  cellsOfScope: fc.constantFrom(CELLS, CELLS / 2),
  bound: fc.constantFrom(null, { place: 1, grid: GRID }, { place: 2, grid: GRID }),
});
const RUNS = { seed: 15, numRuns: 300 };

const squares = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count * count, 0);

/** All multisets of at most `most` of these. */
function multisets(of: readonly number[], most: number): number[][] {
  const [first, ...others] = of;
  if (first === undefined) return [[]];
  return Array.from({ length: most + 1 }, (_, times) =>
    multisets(others, most - times).map((rest) => [...Array<number>(times).fill(first), ...rest]),
  ).flat();
}

describe('the choice of taps', () => {
  it('@contract C2: takes the lowest ranks of each card and scope as the proof defines them, in any rows', () => {
    fc.assert(
      fc.property(taps, anyChoice, fc.boolean(), (all, change, together) => {
        const choice = choiceOf(change);
        chooseTaps(rowsOf(all, together), choice);
        expect([choice.counted.counts, choice.leftOut.counts]).toEqual(expected(all, choice));
      }),
      RUNS,
    );
  });

  it('takes the same of one card whose cells are offered with their counts', () => {
    const ofOne = cards.chain(([card]) =>
      fc.array(fc.record({ card: fc.constant(card!), cell: fc.nat(CELLS - 1) }), { maxLength: 200 }),
    );
    fc.assert(
      fc.property(ofOne, anyChoice, (all, change) => {
        const choice = choiceOf(change);
        const lowest = new LowestRanks(choice);
        const [first, second] = all[0]?.card ?? [0, 0];
        lowest.start(first!, second!);
        for (let cell = 0; cell < CELLS; cell++) {
          if (cell % choice.cellsOfScope === 0) lowest.end();
          const equal = all.filter((tap) => tap.cell === cell).length;
          if (equal > 0) lowest.offer(cell, equal);
        }
        lowest.end();
        expect([choice.counted.counts, choice.leftOut.counts]).toEqual(expected(all, choice));
      }),
      RUNS,
    );
  });

  it('where ranks are equal the earlier cell is counted: a card whose factor is 0', () => {
    const choice = choiceOf({ maxTaps: 2, clamp: 1 });
    chooseTaps(
      rowsOf(
        [7, 5, 5, 9].map((cell) => ({ card: [0, 0, 0, 0], cell })),
        false,
      ),
      choice,
    );
    expect([choice.counted.counts[5], choice.counted.counts[7], choice.leftOut.counts[7]]).toEqual([2, 0, 1]);
  });

  it('@contract C1: of all inputs of one card the counts keep three bounds, and B is reached and never exceeded', () => {
    const [maxTaps, clamp] = [3, 2];
    for (const place of [1, 2]) {
      const worst = { cells: 0, times: 0, locations: 0, leftOut: 0 };
      // One mode, day and end of two times and two locations, and another end: every multiset of up to 5 taps in 5 cells.
      for (const cells of multisets([0, 1, 2, 3, 4], 5)) {
        const choice = choiceOf({ maxTaps, clamp, bound: { place, grid: GRID } });
        chooseTaps(
          rowsOf(
            cells.map((cell) => ({ card: [7, 9, 1, 2], cell })),
            false,
          ),
          choice,
        );
        const sums = (nameOf: (cell: number) => string, counts: readonly number[]): number[] => {
          const found = new Map<string, number>();
          for (const [cell, count] of counts.entries())
            if (count > 0) found.set(nameOf(cell), (found.get(nameOf(cell)) ?? 0) + count);
          return [...found.values()];
        };
        const ofTimes = sums((cell) => `${PLACES[cell]!.table} ${PLACES[cell]!.time}`, choice.counted.counts);
        const ofPlaces = sums((cell) => `${PLACES[cell]!.table} ${PLACES[cell]!.location}`, choice.counted.counts);
        const out = sums((cell) => PLACES[cell]!.table, choice.leftOut.counts);
        expect(Math.max(0, ...choice.counted.counts, ...ofTimes)).toBeLessThanOrEqual(1);
        expect(Math.max(0, ...ofPlaces)).toBeLessThanOrEqual(place);
        expect(squares(choice.counted.counts)).toBeLessThanOrEqual(maxTaps);
        worst.cells = Math.max(worst.cells, squares(choice.counted.counts));
        worst.times = Math.max(worst.times, squares(ofTimes));
        worst.locations = Math.max(worst.locations, squares(ofPlaces));
        worst.leftOut = Math.max(worst.leftOut, squares(out));
      }
      // Two times and another end: three taps at most, of which two can share a place.
      expect(worst).toEqual({ cells: 3, times: 3, locations: place === 2 ? 5 : 3, leftOut: clamp ** 2 });
    }
  });

  it('@contract C2: what is counted of a card does not depend on the rows of others, under all bounds', () => {
    const two = fc.tuple(cards, anyChoice).chain(([[one, other], change]) => {
      const of = (card: readonly number[]) =>
        fc.array(fc.record({ card: fc.constant(card), cell: fc.nat(CELLS - 1) }), { maxLength: 30 });
      return fc.tuple(of(one!), of(other!), fc.constant(change));
    });
    fc.assert(
      fc.property(two, fc.boolean(), ([one, other, change], together) => {
        const counts = (list: readonly Tap[]): [number[], number[]] => {
          const choice = choiceOf(change);
          chooseTaps(rowsOf(list, together), choice);
          return [choice.counted.counts, choice.leftOut.counts];
        };
        const [a, b, both] = [counts(one), counts(other), counts([...other, ...one])];
        for (const list of [0, 1] as const)
          expect(both[list]).toEqual(a[list].map((count, at) => count + b[list][at]!));
      }),
      RUNS,
    );
  });

  it('multiplies exactly', () => {
    const factor = fc.oneof(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constantFrom(0, 1, 2 ** 31 - 2, 2 ** 31 - 1));
    fc.assert(
      fc.property(factor, factor, (a, b) => {
        expect(BigInt(productOf(a, b))).toBe((BigInt(a) * BigInt(b)) % PRIME);
      }),
      { seed: 31, numRuns: 2000 },
    );
  });
});
