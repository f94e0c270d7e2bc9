import { z } from 'zod';
import { type PlacedCounts, PRIVATIZED_TABLE_FORMAT, type PrivatizedTable } from '../../counts/tables/columns.ts';
import { TAPS } from '../../counts/tables/tap-tables.ts';

/** Whole numbers in a typed array; the check is one pass without a call for each. */
const integers = z
  .custom<number[]>((list) => Array.isArray(list) && list.every(Number.isSafeInteger))
  .transform((list) => Float64Array.from(list));

const isAscending = (list: ArrayLike<number | string>): boolean => {
  for (let at = 1; at < list.length; at++) if (!(list[at - 1]! < list[at]!)) return false;
  return true;
};

const isPlace = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;

const places = z
  .custom<number[]>((list) => Array.isArray(list) && list.every(isPlace) && isAscending(list))
  .transform((list) => Uint32Array.from(list));

const members = z.array(z.string()).refine(isAscending);
const totals = { time: integers, location: integers };

/** The draw of one partition, as it is stored write-once (C11). */
export const privatizedTableSchema: z.ZodType<PrivatizedTable> = z
  .strictObject({
    format: z.literal(PRIVATIZED_TABLE_FORMAT),
    part: z.string(),
    day: z.iso.date(),
    taps: z.array(z.enum(TAPS)).refine(isAscending),
    times: members,
    locations: members,
    cells: z.strictObject({ places, counts: integers }),
    hours: z.strictObject({ labels: members, places, counts: integers }).nullable(),
    margins: z.strictObject(totals).nullable(),
    leftOut: integers.optional(),
    remainder: z.strictObject({ fit: z.literal('level'), ...totals }).nullable(),
  })
  .refine(({ taps, times, locations, cells, hours, margins, leftOut, remainder }) => {
    const isPlaced = (counts: PlacedCounts, labels: readonly string[]): boolean =>
      counts.places.length === counts.counts.length &&
      (counts.places.at(-1) ?? -1) < taps.length * labels.length * locations.length;
    const isWhole = (counts: Float64Array, keys: readonly string[]): boolean =>
      counts.length === 0 || counts.length === taps.length * keys.length;
    return (
      isPlaced(cells, times) &&
      (hours === null || isPlaced(hours, hours.labels)) &&
      (leftOut === undefined || leftOut.length === taps.length) &&
      [margins, remainder].every(
        (sides) => sides === null || (isWhole(sides.time, times) && isWhole(sides.location, locations)),
      )
    );
  });
