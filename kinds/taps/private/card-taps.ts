import { join } from 'node:path';
import { type Database, literal } from '../../../activities/sql/duckdb.ts';
import { partitionPath, type Tap } from '../../../contracts/names.ts';
import {
  chooseTaps,
  DIGEST_WORDS,
  LowestRanks,
  NO_CELL,
  ROW_WORDS,
  type TapChoice,
} from '../../../core/bounding/tap-choice.ts';
import type { CardScope } from '../../../core/certificate/units.ts';
import type { LeftOutCount } from '../../../core/mechanisms/left-out.ts';
import { CardRows } from './card-rows.ts';
import { type CellNumbers, cellNumbers, numberedCells, numberedCounts } from './cell-numbers.ts';
import type { PartitionCells } from './counted-cells.ts';
import { holdsEither, keyedRows, type ObjectQuery } from './tally.ts';

/**
 * Bounding the taps of a card (C2): of all taps of one card in a scope, over all objects and modes, at most k are
 * counted, those of the lowest ranks. card-taps.proof.md says how a row becomes a card and the cells of its taps, and
 * core/bounding/tap-choice.proof.md why the bound holds.
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
  /** C: of each card and scope so many of the taps that k leaves out are counted at most; 0 when none are. */
  clamp: number;
  scope: CardScope;
  /** The ends of a trip that are counted. */
  ends: readonly Tap[];
  /** Folder for rows that are put aside. */
  folder: string;
  /** So many rows are looked at together; of a card with more only the counts of its cells are in memory. */
  rowsAtOnce: number;
  /** So many rows of each part are in memory before they are put aside. */
  blockRows: number;
};

/** The rows of all objects so far: the card of each as the 128 bits of a keyed digest, and the cells of its taps. */
export type CardTaps = { bound: CardBound; numbers: CellNumbers; rows: CardRows };

export async function openCardTaps(database: Database, bound: CardBound): Promise<CardTaps> {
  const rows = new CardRows(join(bound.folder, 'card-rows'), bound.blockRows);
  return { bound, numbers: await cellNumbers(database), rows };
}

/**
 * Adds the rows of the object that is in `judged_slots` (tally.ts): a second scan, since only the first one shows which
 * keys there are. Nothing of an object that fails is added.
 */
export async function addCardTaps(database: Database, taps: CardTaps, query: ObjectQuery): Promise<void> {
  const before = taps.rows.sizes();
  try {
    await addRows(database, taps, query);
  } catch (error) {
    taps.rows.cut(before);
    throw error;
  }
}

/** The number of a name, and one; 0 for one that no list has. */
const known = (code: string): string => `coalesce(CAST(enum_code(${code}) AS INTEGER) + 1, 0)`;

async function addRows(database: Database, { bound, numbers, rows }: CardTaps, query: ObjectQuery): Promise<void> {
  const ends: EndCells[] = [];
  for (const { reading } of query.taps) ends.push(await EndCells.of(database, numbers, bound.ends, reading));
  if (ends.every(({ slots }) => slots === 0)) return;
  const columns = ends.flatMap(({ first, slots }, n) => {
    const slot = `slot_${n}`;
    const number = `CAST(${slot} - ${first} AS INTEGER) + 1`;
    return [
      `CASE WHEN ${slot} BETWEEN ${first} AND ${first + slots - 1} THEN ${number} ELSE 0 END`,
      known(`place_${n}`),
    ];
  });
  // Trips have an end in each of their two; other rows name theirs.
  const taps = query.taps.map(({ tap }) => numbers.taps.indexOf(tap) + 1);
  if (holdsEither(query)) columns.push(known('keyed.tap'));
  const digest = `md5_number(concat(${literal(bound.key)}, card))`;
  const keyed = keyedRows(query, `, ${query.card} AS card`);
  const pieces = database.words(`SELECT ${[digest, known('keyed.mode'), ...columns]} FROM (${keyed}) AS keyed`);
  for await (const [digests, modes, slots, places, ...more] of pieces) {
    const [slotsOrTaps, otherPlaces] = more;
    for (let row = 0; row < modes!.length; row++) {
      const mode = modes![row]!;
      const tap = taps[0] || slotsOrTaps![row]!;
      const first = ends[0]!.cell(mode, tap, slots![row]!, places![row]!);
      const second = ends[1]?.cell(mode, taps[1]!, slotsOrTaps![row]!, otherPlaces![row]!) ?? NO_CELL;
      if (first !== NO_CELL || second !== NO_CELL) rows.add(digests!, row * DIGEST_WORDS, first, second);
    }
  }
}

/** The cells of one end of the rows of an object: what its numbers of mode, end, slot and place stand for. */
class EndCells {
  /** Slots that are counted are among so many from this one. */
  first = 0;
  slots = 0;
  readonly #numbers: CellNumbers;
  /** Of each slot its day, or −1, and its time; of each day and mode, and of each end, whether it is counted. */
  #days = new Int32Array(0);
  #times = new Uint32Array(0);
  readonly #open: Uint8Array;
  readonly #ends: readonly boolean[];

  constructor(numbers: CellNumbers, ends: readonly string[]) {
    this.#numbers = numbers;
    this.#open = new Uint8Array(numbers.days.length * numbers.modes.length);
    this.#ends = numbers.taps.map((tap) => ends.includes(tap));
  }

  static async of(database: Database, numbers: CellNumbers, counted: readonly string[], reading: string) {
    const end = new EndCells(numbers, counted);
    const rows = await database.rows(`SELECT slot, enum_code(mode), enum_code(day), enum_code(label)
      FROM (SELECT judged_slots.* FROM judged_slots SEMI JOIN wanted USING (mode, day)
        WHERE reading = ${literal(reading)} AND reason IS NULL AND label IS NOT NULL) ORDER BY slot`);
    if (rows.length === 0) return end;
    const found = rows.map((row) => row.map(Number));
    end.first = found[0]![0]!;
    end.slots = found.at(-1)![0]! - end.first + 1;
    end.#days = new Int32Array(end.slots).fill(-1);
    end.#times = new Uint32Array(end.slots);
    for (const [slot, mode, day, time] of found as [number, number, number, number][]) {
      end.#days[slot - end.first] = day;
      end.#times[slot - end.first] = time;
      end.#open[day * numbers.modes.length + mode] = 1;
    }
    return end;
  }

  /** The cell of a tap, or NO_CELL. Each of its numbers is one more, and 0 is none. */
  cell(mode: number, tap: number, slot: number, place: number): number {
    if (mode === 0 || tap === 0 || slot === 0) return NO_CELL;
    const { modes, times, locations, firstOfMode, cellsOfDay, locationOf, places } = this.#numbers;
    const day = this.#days[slot - 1]!;
    if (day < 0 || this.#open[day * modes.length + mode - 1] === 0 || !this.#ends[tap - 1]) return NO_CELL;
    const row = (tap - 1) * times.length + this.#times[slot - 1]!;
    const location = locationOf[(mode - 1) * places + place]!;
    return day * cellsOfDay + firstOfMode[mode - 1]! + row * locations[mode - 1]!.length + location;
  }
}

/** What is counted of all cards, and what of the taps that were left out. */
export type CountedTaps = { cells: Iterable<PartitionCells>; leftOut: Map<string, LeftOutCount[]> | null };

/**
 * Counts at most k taps of each card and scope, and of the others at most C, after all objects were added. The rows are
 * gone then.
 */
export function countCardTaps({ bound, numbers, rows }: CardTaps): CountedTaps {
  const { key, maxTaps, clamp, scope } = bound;
  const size = numbers.days.length * numbers.cellsOfDay;
  const choice: TapChoice = {
    key: [0, 8].map((from) => Number.parseInt(key.slice(from, from + 8), 16) | 0) as [number, number],
    maxTaps,
    clamp,
    cellsOfScope: { day: numbers.cellsOfDay, window: size }[scope],
    counted: new Uint32Array(size),
    leftOut: new Uint32Array(clamp > 0 ? size : 0),
  };
  for (const some of rows.take(bound.rowsAtOnce, (pieces) => chooseOfOne(pieces, choice))) chooseTaps(some, choice);
  return {
    cells: numberedCells(numbers, choice.counted),
    leftOut: clamp > 0 ? leftOutTaps(numbers, choice.leftOut) : null,
  };
}

/** Chooses among the rows of one card, however many. */
function chooseOfOne(pieces: Iterable<Uint32Array>, choice: TapChoice): void {
  const taps = new Uint32Array(choice.counted.length);
  const lowest = new LowestRanks(choice);
  for (const rows of pieces) {
    lowest.start(rows[0]!, rows[1]!);
    for (let at = 0; at < rows.length; at++)
      if (at % ROW_WORDS >= DIGEST_WORDS && rows[at] !== NO_CELL) taps[rows[at]!]! += 1;
  }
  for (let cell = 0; cell < taps.length; cell++) {
    if (cell % choice.cellsOfScope === 0) lowest.end();
    if (taps[cell]! > 0) lowest.offer(cell, taps[cell]!);
  }
  lowest.end();
}

/** How many taps of each end of the partitions the bound left out, of those that C counts; who has none is absent. */
function leftOutTaps(numbers: CellNumbers, leftOut: Uint32Array): Map<string, LeftOutCount[]> {
  const found = new Map<string, LeftOutCount[]>();
  for (const { part, day, counts } of numberedCounts(numbers, leftOut)) {
    const ofEnd = counts.length / numbers.taps.length;
    const ends = numbers.taps.map((tap, number): LeftOutCount => {
      const taps = counts.subarray(number * ofEnd, (number + 1) * ofEnd).reduce((sum, count) => sum + count, 0);
      return [tap === 'on' ? 'on' : 'off', taps];
    });
    const some = ends.filter(([, taps]) => taps > 0);
    if (some.length > 0) found.set(partitionPath({ part, day }), some);
  }
  return found;
}
