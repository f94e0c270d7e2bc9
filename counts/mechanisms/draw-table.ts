import type { Certificate } from '../../contracts/certificate.ts';
import type { Partition } from '../../contracts/names.ts';
import { type PlacedCounts, PRIVATIZED_TABLE_FORMAT, type PrivatizedTable, type Totals } from '../tables/columns.ts';
import { completeDomain, type PublishedCounts } from './complete-domain.ts';
import { totalsOf } from './exact-totals.ts';
import { type LeftOutCount, noisyLeftOut } from './left-out.ts';
import { marginVariances } from './mechanisms.ts';
import { drawsNothing, type Noise } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';
import { isPublished } from './publish-decision.ts';
import { fitRemainder } from './remainder.ts';

/**
 * Draws the privatized table of one partition: the one way from exact counts to anything that is released. Every call
 * draws again; the caller sees that the result is stored once (C11). An empty partition is drawn like any other. The
 * domain is ordered (orderedDomain), and the counts are at places of it (placeCounts). Noise is that of certifiedNoise,
 * but in tests of what the output depends on. `leftOut` is what the bound of a card leaves out; it is looked at when the
 * certificate has a scale for it.
 *
 * The output is a function of noisy counts, noisy margins, noisy left-out taps, and public parameters: of the noisy
 * counts that are published, and under a floor of the sums of the others by hour and place.
 *
 * Throws TypeError when the certificate is malformed (a mistake of the program; the message holds no data), and
 * CERTIFICATE_IMPOSSIBLE for `sbh-2017`, which is certified for ideal real noise and never released.
 *
 * @contract C8
 * @contract C20
 */
export function drawTableWith(
  noise: Noise,
  { part, day }: Partition,
  counts: PlacedCounts,
  domain: PublicDomain,
  certificate: Certificate,
  leftOut: readonly LeftOutCount[] = [],
): PrivatizedTable {
  const { taps, times, locations } = domain;
  // Margins and left-out taps first: how many cells have a count must not shift their draws, not even with a seeded
  // source.
  const margins = noisyMargins(counts, domain, certificate.marginScales, noise);
  const noisyOut = certificate.leftOutScale === undefined ? null : noisyLeftOut(leftOut, taps, noise);
  const columns = { taps, times, locations, ...noisyCells(counts, domain, certificate, noise) };
  const fit = margins && fitRemainder({ ...columns, margins }, marginVariances(certificate));
  return {
    format: PRIVATIZED_TABLE_FORMAT,
    part,
    day,
    ...columns,
    margins,
    ...(noisyOut && { leftOut: noisyOut }),
    remainder: fit && { fit: 'level', ...fit },
  };
}

function noisyCells(
  counts: PlacedCounts,
  domain: PublicDomain,
  certificate: Certificate,
  noise: Noise,
): PublishedCounts {
  switch (certificate.mechanism) {
    case 'stability-histogram':
      return { cells: stabilityHistogram(counts, certificate.threshold, noise), hours: null };
    case 'complete-domain':
    case 'discrete-gaussian':
      return completeDomain(counts, domain, certificate, noise);
    case 'sbh-2017':
      throw drawsNothing();
  }
}

/**
 * Stability histogram (Bun, Nissim and Stemmer 2016; Vadhan 2016) with integer noise: a cell with a count gets noise
 * and is published iff the sum reaches the threshold; an empty cell is never published (C8). The cells are in the order
 * of the counts. Throws TypeError when the threshold is not an integer of at least 2: at 1 a lone tap would be published
 * more often than not.
 *
 * @contract C8
 */
function stabilityHistogram({ places, counts }: PlacedCounts, threshold: number | null, noise: Noise): PlacedCounts {
  if (threshold === null || !Number.isSafeInteger(threshold) || threshold < 2)
    throw new TypeError('a stability histogram has a threshold of at least 2');
  const draws = new Int32Array(places.length);
  noise.cells(places, draws);
  const cells: PlacedCounts = { places: new Uint32Array(places.length), counts: new Float64Array(places.length) };
  let length = 0;
  for (let at = 0; at < places.length; at++) {
    const noisyCount = counts[at]! + draws[at]!;
    if (!isPublished(noisyCount, threshold)) continue;
    cells.places[length] = places[at]!;
    cells.counts[length++] = noisyCount;
  }
  return { places: cells.places.slice(0, length), counts: cells.counts.slice(0, length) };
}

/**
 * Noisy margins over an ordered domain: for each tap, every time and every location gets its exact total, 0 included,
 * plus noise of its own (C8). Only the margins that the certificate has a scale for; null when it has none.
 *
 * @contract C8
 */
function noisyMargins(
  exact: PlacedCounts,
  domain: PublicDomain,
  scales: Certificate['marginScales'],
  noise: Noise,
): Totals | null {
  if (scales.time === undefined && scales.location === undefined) return null;
  const { time, location } = totalsOf(exact, domain);
  return {
    time: scales.time === undefined ? new Float64Array() : withNoise(time, noise.time),
    location: scales.location === undefined ? new Float64Array() : withNoise(location, noise.location),
  };
}

function withNoise(totals: Float64Array, fill: (target: Int32Array) => void): Float64Array {
  const draws = new Int32Array(totals.length);
  fill(draws);
  return totals.map((total, at) => total + draws[at]!);
}
