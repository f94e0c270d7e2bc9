import { join } from 'node:path';
import { partitionPath } from '../../../contracts/names.ts';
import type { CardScope } from '../../../counts/certificate/units.ts';
import type { LeftOutCount } from '../../../counts/mechanisms/left-out.ts';
import { lowestHashes, type Sketch } from '../../../custodian/preview/likeness.ts';
import { mapAtOnce } from '../../../services/at-once.ts';
import { type Database, literal } from '../../../services/sql/duckdb.ts';
import {
  type CellGrid,
  chooseTaps,
  DIGEST_WORDS,
  LowestRanks,
  NO_CELL,
  ROW_WORDS,
  type TapChoice,
} from '../bounding/tap-choice.ts';
import { CardRows } from './card-rows.ts';
import { type CellNumbers, type PartitionCells, splitCells } from './cell-numbers.ts';
import { type ChoiceRule, withChoiceThreads } from './choice-threads.ts';
import { type CountedCells, type CountMemory, openCounts } from './counted-cells.ts';
import { ELSEWHERE, type PublicRules } from './end-taps.ts';
import { endsOf, holdsEither, numberRows, type ObjectQuery, type ObjectTally } from './tally.ts';

/**
 * Bounding the taps of a card (C2): of all taps of one card in a scope, over all objects and modes, at most k are
 * counted, those of the lowest ranks, under discrete-gaussian of those that two more bounds leave. card-taps.proof.md
 * says how a row becomes a card and the cells of its taps, and kinds/taps/bounding/tap-choice.proof.md why the bound
 * holds.
 *
 * A canonical tap is the cell that it is counted in: mode, day, end, time bin and published location. Two taps of a card
 * in one cell change the counts alike, however their rows are written, so nothing finer can matter, and what is counted
 * of a card is a function of the multiset of its cells.
 */
export type CardBound = {
  /** Text that keys all digests: 32 hexadecimal digits, so that one block of MD5 holds it with a usual card number. */
  key: string;
  /** k. */
  maxTaps: number;
  /** At most this many taps of a card count at each location of a mode, day and end, one in each time; null: any. */
  place: number | null;
  /** C: for each card and scope, at most this many of the taps that are left out are counted; 0 when none are. */
  clamp: number;
  scope: CardScope;
  /** Folder for rows that are put aside. */
  folder: string;
  /** Rows that are looked at together; of a card with more only the counts of its cells are in memory. */
  rowsAtOnce: number;
  memory: CountMemory;
};

/** The rows of all objects so far: the card of each as the 128 bits of a keyed digest, and the cells of its taps. */
export type CardTaps = { bound: CardBound; numbers: CellNumbers; rows: CardRows };

/** Cells are distinguished by 32 bits, of which one number is no cell. */
const MOST_CELLS = 2 ** 32 - 1;

/** Throws RangeError when the window has too many cells for numbers of 32 bits. */
export function openCardTaps(bound: CardBound, numbers: CellNumbers): CardTaps {
  if (numbers.size > MOST_CELLS) throw new RangeError('a window of cards has at most 2^32 cells');
  return { bound, numbers, rows: new CardRows(join(bound.folder, 'card-rows'), bound.memory.blockRows) };
}

/** Tallies an object and adds its rows with a tap that is in a cell. Nothing of an object that fails is added (C6). */
export async function tallyCards(
  database: Database,
  query: ObjectQuery,
  rules: PublicRules,
  { bound, rows }: CardTaps,
): Promise<ObjectTally> {
  let sketch: Sketch = [];
  const own = rows.begin();
  const ends = endsOf(query, rules);
  const either = holdsEither(query);
  const digest = `md5_number(concat(${literal(bound.key)}, ${query.card}))`;
  try {
    for await (const columns of database.words(numberRows(query, rules.numbers, [digest, query.hash]))) {
      const [digests, hashes, modes, ...more] = columns as [Uint32Array, Uint32Array, Uint32Array, ...Uint32Array[]];
      sketch = lowestHashes(sketch, hashes);
      const taps = either ? more.shift()! : null;
      const [slots, places, otherSlots, otherPlaces] = more as [Uint32Array, Uint32Array, ...Uint32Array[]];
      for (let row = 0; row < modes.length; row++) {
        const mode = modes[row]!;
        const first = ends[0]!.add(taps?.[row] ?? 0, mode, slots[row]!, places[row]!, 1);
        const second = otherSlots ? ends[1]!.add(0, mode, otherSlots[row]!, otherPlaces![row]!, 1) : ELSEWHERE;
        // As words of 32 bits both are NO_CELL of a row where a tap has no cell.
        if (first !== ELSEWHERE || second !== ELSEWHERE) own.add(digests, row * DIGEST_WORDS, first, second);
      }
    }
    own.keep();
    return { ends, sketch };
  } catch (error) {
    own.drop();
    throw error;
  }
}

/** What is counted of all cards, and what of the taps that were left out. */
export type CountedTaps = { cells: Iterable<PartitionCells>; leftOut: Map<string, LeftOutCount[]> | null };

/** So few rows are not worth a thread: it takes as long to begin. */
const FEW_ROWS = 2 ** 18;

/** How many threads choose taps, of those that there are. */
export const choiceThreads = ({ rows }: CardTaps, threads: number): number =>
  rows.sizes().reduce((sum, size) => sum + size, 0) > FEW_ROWS ? threads : 1;

/**
 * Counts at most k taps of each card and scope, and of the others at most C, after all objects were added; on more than
 * one thread, lists of rows beside each other. The rows are gone then.
 */
export async function countCardTaps({ bound, numbers, rows }: CardTaps, threads: number): Promise<CountedTaps> {
  const { key, maxTaps, place, clamp, scope, memory } = bound;
  const counts = (name: string): CountedCells =>
    openCounts(numbers.size, { ...memory, path: `${memory.path}-${name}` });
  const [cells, leftOut] = [counts('counted'), counts('left-out')];
  const [own, others] = [cells.begin(), leftOut.begin()];
  const rule: ChoiceRule = {
    key: [0, 8].map((from) => Number.parseInt(key.slice(from, from + 8), 16) | 0) as [number, number],
    maxTaps,
    clamp,
    bound: place === null ? null : { place, grid: gridOf(numbers) },
    cellsOfScope: { day: numbers.cellsOfDay, window: numbers.size }[scope],
  };
  const choice: TapChoice = { ...rule, counted: own, leftOut: others };
  const lists = rows.take(Math.ceil(bound.rowsAtOnce / threads), (pieces) =>
    chooseOfOne(pieces, counts('one'), choice),
  );
  if (threads === 1) for (const some of lists) chooseTaps(some, choice);
  else
    await withChoiceThreads(threads, rule, (choose) =>
      mapAtOnce(lists, threads, async (some) => {
        const taps = await choose(some);
        for (const cell of taps.counted) own.add(cell, 1);
        for (const cell of taps.leftOut) others.add(cell, 1);
      }),
    );
  own.keep([]);
  others.keep([]);
  return {
    cells: splitCells(numbers, cells.ranges()),
    leftOut: clamp > 0 ? countLeftOut(numbers, leftOut) : null,
  };
}

const gridOf = ({ cellsOfDay, firstOfMode, locations, times }: CellNumbers): CellGrid => ({
  cellsOfDay,
  modes: firstOfMode.map((first, mode) => ({ first, locations: locations[mode]!.length })),
  times: times.length,
});

/** Chooses among the rows of one card, however many. */
function chooseOfOne(pieces: Iterable<Uint32Array>, taps: CountedCells, choice: TapChoice): void {
  const [lowest, own] = [new LowestRanks(choice), taps.begin()];
  for (const rows of pieces) {
    lowest.start(rows[0]!, rows[1]!);
    for (let at = 0; at < rows.length; at++)
      if (at % ROW_WORDS >= DIGEST_WORDS && rows[at] !== NO_CELL) own.add(rows[at]!, 1);
  }
  own.keep([]);
  for (const { first, counts } of taps.ranges()) {
    for (let at = 0; at < counts.length; at++) {
      if ((first + at) % choice.cellsOfScope === 0) lowest.end();
      if (counts[at]! > 0) lowest.offer(first + at, counts[at]!);
    }
  }
  lowest.end();
}

/** How many taps of each end of the partitions the bound left out, of those that C counts; who has none is absent. */
function countLeftOut(numbers: CellNumbers, leftOut: CountedCells): Map<string, LeftOutCount[]> {
  const totals = new Map<string, LeftOutCount[]>();
  for (const { partition, cells } of splitCells(numbers, leftOut.ranges())) {
    const { taps, times, locations, places, counts } = cells;
    const sums = taps.map(() => 0);
    for (let at = 0; at < places.length; at++)
      sums[Math.floor(places[at]! / (times.length * locations.length))]! += counts[at]!;
    const ends = taps.map((tap, end): LeftOutCount => [tap === 'on' ? 'on' : 'off', sums[end]!]);
    totals.set(
      partitionPath(partition),
      ends.filter(([, count]) => count > 0),
    );
  }
  return totals;
}
