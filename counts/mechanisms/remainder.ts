import type { Rational } from '../../core/rational/rational.ts';
import type { PrivatizedTable, Totals } from '../tables/columns.ts';
import { totalsOf } from './exact-totals.ts';
import { groupTotal, levelFit, type MeasuredSide } from './level-fit.ts';

/** Variances of the noise on margins, up to a factor; one that is absent was not drawn. */
export type FitVariances = { time?: Rational; location?: Rational };

/** What of a partition has been drawn and is published, over its ordered domain. */
export type DrawnColumns = Pick<PrivatizedTable, 'taps' | 'times' | 'locations' | 'cells' | 'hours'> & {
  margins: Totals;
};

/**
 * The remainders of a partition: for each tap, and each time and location of the public domain, a non-negative whole
 * number of taps that the published cells do not show (C9). The remainders of the times of one tap have the sum of its
 * hour rows and of the remainders of its locations. It is a function of what is published and of public parameters;
 * exact counts cannot get here. A margin that was not drawn has none. Throws TypeError when a margin lacks a member of
 * the domain.
 *
 * @contract C9
 */
export function fitRemainder(columns: DrawnColumns, variances: FitVariances): Totals {
  const { taps, times, locations, hours } = columns;
  const [ofTimes, ofLocations] = residualsOf(columns, variances);
  const inHours = hours && totalsOf(hours, { ...columns, times: hours.labels });
  const fit = {
    time: new Float64Array(ofTimes?.length ?? 0),
    location: new Float64Array(ofLocations?.length ?? 0),
  };
  for (const tap of taps.keys()) {
    const time = ofTimes && sliceOf(ofTimes, tap, times.length);
    const location = ofLocations && sliceOf(ofLocations, tap, locations.length);
    const ofHours = inHours && sliceOf(inHours.location, tap, locations.length);
    const hourTotal = ofHours?.reduce((sum, count) => sum + count, 0) ?? 0;
    const { total } = groupTotal(sideOf(time, variances.time), sideOf(location, variances.location), hourTotal);
    if (time) fit.time.set(levelFit([...time], total).remainders, tap * times.length);
    if (!location) continue;
    const beyondHours = [...location].map((residual, place) => residual - (ofHours?.[place] ?? 0));
    fit.location.set(levelFit(beyondHours, total - hourTotal).remainders, tap * locations.length);
  }
  return fit;
}

const sliceOf = (totals: Float64Array, tap: number, keys: number): Float64Array =>
  totals.subarray(tap * keys, (tap + 1) * keys);

function sideOf(residuals: Float64Array | null, variance: Rational | undefined): MeasuredSide | null {
  if (!residuals || variance === undefined) return null;
  let sum = 0n;
  for (const residual of residuals) sum += BigInt(residual);
  return { sum, members: residuals.length, variance };
}

/** What the published cells leave of each margin, times and locations; null for a margin that was not drawn. */
export function residualsOf(
  { margins, ...drawn }: Omit<DrawnColumns, 'hours'>,
  variances: FitVariances,
): [time: Float64Array | null, location: Float64Array | null] {
  const totals = totalsOf(drawn.cells, drawn);
  const side = (kind: 'time' | 'location'): Float64Array | null => {
    if (variances[kind] === undefined) return null;
    if (margins[kind].length !== totals[kind].length)
      throw new TypeError('a margin lacks a member of the public domain');
    return margins[kind].map((count, at) => count - totals[kind][at]!);
  };
  return [side('time'), side('location')];
}
