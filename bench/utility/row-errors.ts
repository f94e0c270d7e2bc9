import type { MarginRow } from '../../counts/tables/rows.ts';

type Row = { truth: number; released: number };

/** How far rows of totals are from the truth. A row that is absent reads as 0. */
export type RowErrors = {
  /** All rows added up. */
  sum: Row;
  /** Sum of |released − truth| over the rows of each day. */
  absolute: number;
  /** The same over rows that are summed over the days of the window first. */
  absoluteOfWindow: number;
  /** Rows added up by mode. */
  modes: Map<string, Row>;
};

/** Errors of totals by (mode, tap, key): of each day, and of all days together. */
export class RowMeter {
  readonly #window = new Map<string, Row>();
  readonly #modes = new Map<string, Row>();
  readonly #sum: Row = { truth: 0, released: 0 };
  #absolute = 0;

  /** Adds one partition; rows with one key are added up. */
  add(mode: string, exact: readonly MarginRow[], released: readonly MarginRow[]): void {
    const rows = new Map<string, Row>();
    for (const [tap, key, count] of exact) rowAt(rows, tap, key).truth += count;
    for (const [tap, key, count] of released) rowAt(rows, tap, key).released += count;
    for (const [key, row] of rows) {
      this.#absolute += distance(row);
      for (const sum of [this.#sum, rowAt(this.#modes, mode), rowAt(this.#window, mode, key)]) {
        sum.truth += row.truth;
        sum.released += row.released;
      }
    }
  }

  get errors(): RowErrors {
    return {
      sum: this.#sum,
      absolute: this.#absolute,
      absoluteOfWindow: [...this.#window.values()].reduce((sum, row) => sum + distance(row), 0),
      modes: this.#modes,
    };
  }
}

const distance = ({ truth, released }: Row): number => Math.abs(released - truth);

function rowAt(rows: Map<string, Row>, ...names: string[]): Row {
  const name = names.join('\u0000');
  const known = rows.get(name);
  if (known) return known;
  const made = { truth: 0, released: 0 };
  rows.set(name, made);
  return made;
}
