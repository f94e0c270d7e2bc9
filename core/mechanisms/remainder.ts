import type { HourRow, MarginRow, Margins, PrivatizedCell } from '../../contracts/formats/privatized-table.ts';
import type { Tap } from '../../contracts/names.ts';
import { parseRational } from '../rational/rational.ts';
import { groupTotal, levelFit, type MeasuredSide } from './level-fit.ts';
import { orderedDomain, type PublicDomain } from './public-domain.ts';

/** Public scales of the noise on margins, exact rationals as text; one that is absent was not drawn. */
export type FitScales = { time?: string; location?: string };

/** What of a partition has been drawn and is published. */
export type DrawnRows = { cells: readonly PrivatizedCell[]; hours: readonly HourRow[]; margins: Margins };

/**
 * The remainder rows of a partition: for each tap, and each time and location of the public domain, a non-negative
 * whole number of taps that the published cells do not show (C9). The remainders of the times of one tap have the sum of
 * its hour rows and of the remainders of its locations. It is a function of what is published and of public parameters;
 * exact counts cannot get here. A margin that was not drawn has no rows. Rows are in lexicographic order. Throws
 * TypeError when a margin lacks a member of the domain.
 *
 * @contract C9
 */
export function fitRemainder({ cells, hours, margins }: DrawnRows, domain: PublicDomain, scales: FitScales): Margins {
  const { taps, times, locations } = orderedDomain(domain);
  const fitted: Margins = { time: [], location: [] };
  for (const tap of taps) {
    const shown = cells.filter((cell) => cell[0] === tap);
    const ofHours = hours.filter((row) => row[0] === tap);
    const time = residualsOf(tap, margins.time, times, sumBy(shown, 1), scales.time);
    const location = residualsOf(tap, margins.location, locations, sumBy(shown, 2), scales.location);
    const hourTotal = ofHours.reduce((sum, row) => sum + row[3], 0);
    const { total } = groupTotal(measured(time, scales.time), measured(location, scales.location), hourTotal);
    fitted.time.push(...fittedRows(tap, times, time, total));
    const shownByHours = sumBy(ofHours, 2);
    const beyondHours = location?.map((residual, place) => residual - (shownByHours.get(locations[place]!) ?? 0));
    fitted.location.push(...fittedRows(tap, locations, beyondHours ?? null, total - hourTotal));
  }
  return fitted;
}

function fittedRows(
  tap: Tap,
  keys: readonly string[],
  residuals: readonly number[] | null,
  total: number,
): MarginRow[] {
  if (!residuals) return [];
  return levelFit(residuals, total).remainders.map((count, place): MarginRow => [tap, keys[place]!, count]);
}

function measured(residuals: readonly number[] | null, scale: string | undefined): MeasuredSide | null {
  if (!residuals || scale === undefined) return null;
  const sum = residuals.reduce((total, residual) => total + BigInt(residual), 0n);
  return { sum, members: residuals.length, scale: parseRational(scale) };
}

/** Sum of the counts of each time (column 1) or location (column 2). */
function sumBy(rows: readonly (PrivatizedCell | HourRow)[], column: 1 | 2): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row[column], (sums.get(row[column]) ?? 0) + row[3]);
  return sums;
}

/** What the published cells leave of each margin of one tap; null for a margin that was not drawn. */
function residualsOf(
  tap: Tap,
  margin: readonly MarginRow[],
  keys: readonly string[],
  published: ReadonlyMap<string, number>,
  scale: string | undefined,
): number[] | null {
  if (scale === undefined) return null;
  const counts = new Map(margin.filter((row) => row[0] === tap).map(([, key, count]) => [key, count]));
  return keys.map((key) => {
    const count = counts.get(key);
    if (count === undefined) throw new TypeError('a margin lacks a member of the public domain');
    return count - (published.get(key) ?? 0);
  });
}
