import { type Partition, partitionPath } from '../../../contracts/names.ts';
import { placesOf } from '../../../counts/tables/list-places.ts';
import type { Tap } from '../../../counts/tables/tap-tables.ts';
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
export type PublicRules = { lists: PublicLists; numbers: CellNumbers; ends: readonly Tap[] };

/** In place of a cell: the tap is in none. */
export const ELSEWHERE = -1;

/** Some taps of one object with the same end, mode and slot. */
export type TapGroup = {
  /** End and mode; null when no list has them. The day; null when the calendar does not have the slot. */
  tap: string | null;
  mode: string | null;
  day: string | null;
  /** Numbers of end, mode and slot, as the columns of a row have them. */
  numbers: readonly [tap: number, mode: number, slot: number];
  /** Why they are rejects; null when they are not. */
  reason: string | null;
  /** Their cells are `cells` cells from this one on; ELSEWHERE when they are not counted. */
  firstCell: number;
  cells: number;
  taps: number;
  /** Those of them at places that the list of the mode does not have. */
  unlisted: number;
};

/**
 * The taps that are in the same columns of one object. What becomes of a tap follows from its end, mode and slot, and
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
  readonly #ends: readonly (Tap | null)[];
  /** Of each end, mode and slot the first cell, how many taps were met, and how many of them at unlisted places. */
  readonly #firstCells: Float64Array;
  readonly #taps: Float64Array;
  readonly #unlisted: Float64Array;
  /** How many modes and places have a number, 0 among them; of each of both its location, and whether it has none. */
  readonly #modes: number;
  readonly #places: number;
  readonly #locationOf: Uint32Array;
  readonly #isUnlisted: Uint8Array;

  constructor(rules: PublicRules, declaration: Declared, { tap, reading }: Pick<TapColumns, 'tap' | 'reading'>) {
    const { numbers } = rules;
    [this.#rules, this.#dated, this.#slots] = [rules, declaration.dated, numbers.slots[reading]];
    [this.#modes, this.#places] = [numbers.modes.length + 1, numbers.places.length + 1];
    [this.#locationOf, this.#isUnlisted] = [numbers.locationOf, numbers.unlisted];
    this.#declared = new Set(declaration.partitions.map(partitionPath));
    this.#declaredModes = new Set(declaration.partitions.map(({ part }) => part));
    this.#ends = tap === 'either' ? [null, ...numbers.taps] : [tap];
    const size = this.#ends.length * this.#modes * this.#slots.size;
    this.#firstCells = new Float64Array(size).fill(ELSEWHERE);
    [this.#taps, this.#unlisted] = [new Float64Array(size), new Float64Array(size)];
    this.#open();
  }

  /**
   * Counts `taps` taps with these numbers of end (0 when all are of the end of the columns), mode, slot and place, and
   * gives their cell, or ELSEWHERE.
   */
  add(tap: number, mode: number, slot: number, place: number, taps: number): number {
    const at = (tap * this.#modes + mode) * this.#slots.size + slot;
    this.#taps[at]! += taps;
    const ofMode = mode * this.#places + place;
    if (this.#isUnlisted[ofMode] !== 0) this.#unlisted[at]! += taps;
    const first = this.#firstCells[at]!;
    return first < 0 ? ELSEWHERE : first + this.#locationOf[ofMode]!;
  }

  /** The taps that were met. */
  *groups(): Generator<TapGroup> {
    const { modes, locations } = this.#rules.numbers;
    for (let at = 0; at < this.#taps.length; at++) {
      const taps = this.#taps[at]!;
      if (taps === 0) continue;
      const slot = at % this.#slots.size;
      const row = (at - slot) / this.#slots.size;
      const mode = row % this.#modes;
      const tap = (row - mode) / this.#modes;
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
    const targets = new Set(lists.wanted.map(partitionPath));
    const [dayOf, timeOf] = [placesOf(days), placesOf(times)];
    for (const [number, mode] of modes.entries()) {
      if (!this.#declaredModes.has(mode)) continue;
      const open = days.map((day) => targets.has(partitionPath({ part: mode, day })) && !this.#isUndeclared(mode, day));
      const size = locations[number]!.length;
      for (const [slot, { day, label }] of this.#slots.rows) {
        if (label === null || !open[dayOf.get(day)!]) continue;
        const first = dayOf.get(day)! * cellsOfDay + firstOfMode[number]! + timeOf.get(label)! * size;
        for (const [end, tap] of this.#ends.entries()) {
          if (tap === null || !ends.includes(tap)) continue;
          const at = (end * this.#modes + number + 1) * this.#slots.size + slot;
          this.#firstCells[at] = first + taps.indexOf(tap) * times.length * size;
        }
      }
    }
  }
}
