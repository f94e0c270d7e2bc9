import { type Partition, partitionPath } from '../../../contracts/names.ts';
import type { CellNumbers } from './cell-numbers.ts';
import type { PublicLists } from './public-lists.ts';
import { noTime, type SlotNumbers } from './slot-numbers.ts';
import type { TapColumns } from './tap-keys.ts';

/** What the names of an object say of its rows. */
export type Declared = {
  /** Modes and days, those outside the window too. */
  partitions: readonly Partition[];
  /**
   * What every name of the object declares. `day`: a row of any other day is a reject. `days`, several of which may be of
   * other windows: a row of another day of this window is one. Null: nothing, and no day is a reject.
   */
  dated: 'day' | 'days' | null;
};

/** All that judges a tap, but its row and the names of its object; `ends`: those that are counted. */
export type PublicRules = { lists: PublicLists; numbers: CellNumbers; ends: readonly string[] };

/** In place of a cell: the tap is in none. */
export const NO_CELL = -1;

/** Some taps of one object with the same end, mode and slot. */
export type TapGroup = {
  /** End and mode; null when no list has them. The day; null when the calendar does not have the slot. */
  tap: string | null;
  mode: string | null;
  day: string | null;
  /** Numbers of end, mode and slot, as the columns of a row have them. */
  numbers: readonly [tap: number, mode: number, slot: number];
  /** Why they are rejects; null when they are none. */
  reason: string | null;
  /** Their cells are so many from this one; NO_CELL when they are not counted. */
  firstCell: number;
  cells: number;
  taps: number;
  /** Those of them at places that the list of the mode does not have. */
  unlisted: number;
};

/** Columns of some rows: numbers of end (null when all are of the end of the columns), mode, slot and place. */
export type TapNumbers = { taps: Uint32Array | null; modes: Uint32Array; slots: Uint32Array; places: Uint32Array };

/**
 * The taps that stand in the same columns of one object. What becomes of a tap follows from its end, mode and slot, and
 * all of it is known before a row is read; the place says which cell of a row of cells it is (C4). Of ends and modes the
 * number 0 is one that no list has.
 */
export class EndTaps {
  readonly #rules: PublicRules;
  readonly #dated: Declared['dated'];
  readonly #declared: ReadonlySet<string>;
  readonly #declaredModes: ReadonlySet<string>;
  readonly #slots: SlotNumbers;
  /** Ends by their numbers. */
  readonly #ends: readonly (string | null)[];
  /** Of each end, mode and slot the first cell, how many taps were met, and how many of them at unlisted places. */
  readonly #firstCells: Float64Array;
  readonly #taps: Float64Array;
  readonly #unlisted: Float64Array;

  constructor(rules: PublicRules, declared: Declared, { tap, reading }: Pick<TapColumns, 'tap' | 'reading'>) {
    const { numbers } = rules;
    [this.#rules, this.#dated, this.#slots] = [rules, declared.dated, numbers.slots[reading]];
    this.#declared = new Set(declared.partitions.map(partitionPath));
    this.#declaredModes = new Set(declared.partitions.map(({ part }) => part));
    this.#ends = tap === 'either' ? [null, ...numbers.taps] : [tap];
    const size = this.#ends.length * (numbers.modes.length + 1) * this.#slots.size;
    this.#firstCells = new Float64Array(size).fill(NO_CELL);
    [this.#taps, this.#unlisted] = [new Float64Array(size), new Float64Array(size)];
    this.#open();
  }

  /** Takes some rows: counts their taps by end, mode and slot, and gives the cell of each, or NO_CELL. */
  take({ taps, modes, slots, places }: TapNumbers, cells: Float64Array): void {
    const { locationOf, unlisted, modes: listed, places: named } = this.#rules.numbers;
    const [modesOfEnd, slotsOfMode, placesOfMode] = [listed.length + 1, this.#slots.size, named.length + 1];
    const [firstCells, met, elsewhere] = [this.#firstCells, this.#taps, this.#unlisted];
    for (let row = 0; row < modes.length; row++) {
      const mode = modes[row]!;
      const at = ((taps === null ? 0 : taps[row]! * modesOfEnd) + mode) * slotsOfMode + slots[row]!;
      const place = mode * placesOfMode + places[row]!;
      met[at]! += 1;
      if (unlisted[place] !== 0) elsewhere[at]! += 1;
      const first = firstCells[at]!;
      cells[row] = first < 0 ? NO_CELL : first + locationOf[place]!;
    }
  }

  /** The taps that were met. */
  *groups(): Generator<TapGroup> {
    const { modes, locations } = this.#rules.numbers;
    for (let at = 0; at < this.#taps.length; at++) {
      const taps = this.#taps[at]!;
      if (taps === 0) continue;
      const slot = at % this.#slots.size;
      const row = (at - slot) / this.#slots.size;
      const mode = row % (modes.length + 1);
      const tap = (row - mode) / (modes.length + 1);
      yield {
        tap: this.#ends[tap]!,
        mode: modes[mode - 1] ?? null,
        day: this.#slots.rows.get(slot)?.day ?? null,
        numbers: [tap, mode, slot],
        reason: this.#reason(modes[mode - 1] ?? null, slot),
        firstCell: this.#firstCells[at]!,
        cells: locations[mode - 1]?.length ?? 0,
        taps,
        unlisted: this.#unlisted[at]!,
      };
    }
  }

  #reason(mode: string | null, slot: number): string | null {
    const none = noTime(slot);
    if (none !== null) return none === 'absent' ? null : none;
    if (mode === null) return 'mode-unknown';
    if (!this.#declaredModes.has(mode)) return 'mode-undeclared';
    const row = this.#slots.rows.get(slot);
    return this.#isUndeclared(mode, row?.day) ? 'day-undeclared' : (row?.problem ?? null);
  }

  /** Is this a day, or none of the calendar, that the object says it has no rows of? */
  #isUndeclared(mode: string, day: string | undefined): boolean {
    if (this.#dated === null || (day === undefined && this.#dated === 'days')) return false;
    return day === undefined || !this.#declared.has(partitionPath({ part: mode, day }));
  }

  /** Gives their cells to the taps that are counted: of wanted partitions and published ends, and no rejects. */
  #open(): void {
    const { lists, numbers, ends } = this.#rules;
    const { modes, days, taps, times, locations, firstOfMode, cellsOfDay } = numbers;
    const wanted = new Set(lists.wanted.map(partitionPath));
    const placeOf = (names: readonly string[]) => new Map(names.map((name, place) => [name, place]));
    const [dayOf, timeOf] = [placeOf(days), placeOf(times)];
    for (const [number, mode] of modes.entries()) {
      if (!this.#declaredModes.has(mode)) continue;
      const open = days.map((day) => wanted.has(partitionPath({ part: mode, day })) && !this.#isUndeclared(mode, day));
      const size = locations[number]!.length;
      for (const [slot, { day, label }] of this.#slots.rows) {
        if (label === null || !open[dayOf.get(day)!]) continue;
        const first = dayOf.get(day)! * cellsOfDay + firstOfMode[number]! + timeOf.get(label)! * size;
        for (const [end, tap] of this.#ends.entries()) {
          if (tap === null || !ends.includes(tap)) continue;
          const at = (end * (modes.length + 1) + number + 1) * this.#slots.size + slot;
          this.#firstCells[at] = first + taps.indexOf(tap) * times.length * size;
        }
      }
    }
  }
}
