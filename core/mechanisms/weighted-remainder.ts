import type { Totals } from '../privatized-table/columns.ts';
import { add, multiply, parseRational, type Rational, rational } from '../rational/rational.ts';
import { type DrawnColumns, residualsOf } from './remainder.ts';
import { totalsOf } from './totals.ts';
import { fitRemainders, type Residual } from './weighted-fit.ts';

/** Public scales of the noise, exact rationals as text. */
export type NoiseScales = { cells: string; time?: string; location?: string };

/**
 * The remainders of a privatized table of the first generation, which a reader fits again to check them: for each tap,
 * and each time and location of the public domain, a non-negative whole number of taps that the published cells do not
 * show. Nothing is drawn with it any more. The times and the locations of one tap have the same total. It is a function
 * of what is published and of public parameters; exact counts cannot get here. A margin that was not drawn has none.
 * Throws TypeError when a margin lacks a member of the domain.
 *
 * @contract C9
 */
export function fitWeightedRemainder(drawn: Omit<DrawnColumns, 'hours'>, scales: NoiseScales): Totals {
  const { taps, times, locations, cells } = drawn;
  const [ofTimes, ofLocations] = residualsOf(drawn, scales);
  const published = totalsOf({ places: cells.places, counts: new Float64Array(cells.places.length).fill(1) }, drawn);
  const fitted = {
    time: new Float64Array(ofTimes?.length ?? 0),
    location: new Float64Array(ofLocations?.length ?? 0),
  };
  for (const tap of taps.keys()) {
    const residuals = (kind: 'time' | 'location', left: Float64Array | null, keys: number): Residual[] => {
      if (!left) return [];
      const [marginVariance, cellVariance] = [nominalVariance(scales[kind]!), nominalVariance(scales.cells)];
      const [from, to] = [tap * keys, (tap + 1) * keys];
      return [...left.subarray(from, to)].map((residual, at) => ({
        residual: BigInt(residual),
        variance: add(marginVariance, multiply(rational(BigInt(published[kind][from + at]!)), cellVariance)),
      }));
    };
    const fit = fitRemainders(
      residuals('time', ofTimes, times.length),
      residuals('location', ofLocations, locations.length),
    );
    fitted.time.set(fit.first, tap * times.length);
    fitted.location.set(fit.second, tap * locations.length);
  }
  return fitted;
}

/** 2b², the variance of real Laplace noise: unlike that of discrete noise it is rational, and weights need no more. */
function nominalVariance(scale: string): Rational {
  const b = parseRational(scale);
  return multiply(rational(2n), multiply(b, b));
}
