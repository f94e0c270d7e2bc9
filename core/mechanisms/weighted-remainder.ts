import type { MarginRow, Margins, PrivatizedCell } from '../../contracts/formats/privatized-table.ts';
import type { Tap } from '../../contracts/names.ts';
import { add, multiply, parseRational, type Rational, rational } from '../rational/rational.ts';
import { orderedDomain, type PublicDomain } from './public-domain.ts';
import { fitRemainders, type Residual } from './weighted-fit.ts';

/** Public scales of the noise, exact rationals as text. */
export type NoiseScales = { cells: string; time?: string; location?: string };

/**
 * The remainder rows of a privatized table of the first generation, which a reader fits again to check them: for each
 * tap, and each time and location of the public domain, a non-negative whole number of taps that the published cells do
 * not show. Nothing is drawn with it any more. The times and the locations of one tap have the same total. It is a
 * function of what is published and of public parameters; exact counts cannot get here. A margin that was not drawn has
 * no rows. Rows are in lexicographic order.
 *
 * @contract C9
 */
export function fitWeightedRemainder(
  cells: readonly PrivatizedCell[],
  margins: Margins,
  domain: PublicDomain,
  scales: NoiseScales,
): Margins {
  const { taps, times, locations } = orderedDomain(domain);
  const fitted: Margins = { time: [], location: [] };
  for (const tap of taps) {
    const ofTap = cells.filter((cell) => cell[0] === tap);
    const fit = fitRemainders(
      residualsOf(tap, margins.time, times, publishedBy(ofTap, 1), scales.time, scales.cells),
      residualsOf(tap, margins.location, locations, publishedBy(ofTap, 2), scales.location, scales.cells),
    );
    fitted.time.push(...fit.first.map((count, place): MarginRow => [tap, times[place]!, count]));
    fitted.location.push(...fit.second.map((count, place): MarginRow => [tap, locations[place]!, count]));
  }
  return fitted;
}

type Published = ReadonlyMap<string, { total: number; cells: number }>;

/** Sum and number of the published cells of each time (column 1) or location (column 2). */
function publishedBy(cells: readonly PrivatizedCell[], column: 1 | 2): Published {
  const published = new Map<string, { total: number; cells: number }>();
  for (const cell of cells) {
    const before = published.get(cell[column]) ?? { total: 0, cells: 0 };
    published.set(cell[column], { total: before.total + cell[3], cells: before.cells + 1 });
  }
  return published;
}

/** What the published cells leave of each margin of one tap, and how uncertain that is. Throws TypeError on a gap. */
function residualsOf(
  tap: Tap,
  margin: readonly MarginRow[],
  keys: readonly string[],
  published: Published,
  marginScale: string | undefined,
  cellScale: string,
): Residual[] {
  if (marginScale === undefined) return [];
  const measured = new Map(margin.filter((row) => row[0] === tap).map(([, key, count]) => [key, count]));
  const marginVariance = nominalVariance(marginScale);
  const cellVariance = nominalVariance(cellScale);
  return keys.map((key) => {
    const count = measured.get(key);
    if (count === undefined) throw new TypeError('a margin lacks a member of the public domain');
    const { total, cells } = published.get(key) ?? { total: 0, cells: 0 };
    return {
      residual: BigInt(count - total),
      variance: add(marginVariance, multiply(rational(BigInt(cells)), cellVariance)),
    };
  });
}

/** 2b², the variance of real Laplace noise: unlike that of discrete noise it is rational, and weights need no more. */
function nominalVariance(scale: string): Rational {
  const b = parseRational(scale);
  return multiply(rational(2n), multiply(b, b));
}
