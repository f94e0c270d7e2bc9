import { z } from 'zod';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import type { LeftOutCount } from '../../../counts/mechanisms/left-out.ts';
import type { PublicDomain } from '../../../counts/mechanisms/public-domain.ts';
import type { PlacedCounts } from '../../../counts/tables/columns.ts';
import { TAPS } from '../../../counts/tables/tap-tables.ts';
import { jsonBytes, readBytes } from '../../../services/stores/json-objects.ts';

/** What bin stores of a partition. `leftOut`: what the bound of cards leaves out; null where that is not counted. */
export type StoredCells = { cells: PublicDomain & PlacedCounts; leftOut: readonly LeftOutCount[] | null };

const CELLS_FORMAT = 'opaline-cells/1';

const names = z.array(z.string());
/** Millions of numbers: what they are is looked at when they are put at their places. */
const numbers = z.custom<number[]>(Array.isArray);
const storedSchema = z.strictObject({
  format: z.literal(CELLS_FORMAT),
  taps: z.array(z.enum(TAPS)),
  times: names,
  locations: names,
  /** Of each cell how far its place is from that of the cell before it: most are 1, and short. */
  steps: numbers,
  counts: numbers,
  leftOut: z.array(z.tuple([z.enum(TAPS), z.int().nonnegative()])).nullable(),
});

/** The bytes that hold the cells of a partition. */
export function cellBytes({ cells: { places, counts, ...lists }, leftOut }: StoredCells): Buffer {
  const steps = new Float64Array(places.length);
  for (let at = 0; at < steps.length; at++) steps[at] = places[at]! - (places[at - 1] ?? 0);
  return jsonBytes({ format: CELLS_FORMAT, ...lists, steps, counts, leftOut });
}

/**
 * The exact counts of one partition as bin stored them. They are read in memory and without DuckDB, which takes twenty
 * times as long for the cells of a small town (docs/adr/0004). Throws OBJECT_MISSING when the partition was not binned in
 * that round, and TypeError for what no domain holds.
 */
export async function readCells(store: ObjectStore, key: string): Promise<StoredCells> {
  const bytes = await readBytes(store, key);
  const { format: _, leftOut, steps, counts, ...lists } = storedSchema.parse(JSON.parse(bytes.toString('utf8')));
  const cells = Math.max(steps.length, counts.length);
  const [places, exact] = [new Uint32Array(cells), new Float64Array(cells)];
  let place = 0;
  for (let at = 0; at < cells; at++) {
    place += steps[at]!;
    places[at] = place;
    exact[at] = counts[at]!;
    if (places[at] !== place || exact[at] !== counts[at])
      throw new TypeError('a stored cell has a place that no domain has, or no number');
  }
  return { cells: { ...lists, places, counts: exact }, leftOut };
}

/**
 * What the bound of cards leaves out of a partition; ends without any are absent. Throws TypeError when the cells do not
 * say it: a mistake of the program, since a series that counts left-out taps is binned so.
 */
export function requireLeftOut({ leftOut }: StoredCells): readonly LeftOutCount[] {
  if (leftOut === null) throw new TypeError('the cells do not say what the bound left out');
  return leftOut;
}
