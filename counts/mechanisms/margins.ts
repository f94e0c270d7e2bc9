import type { Certificate } from '../../contracts/certificate.ts';
import type { PlacedCounts, Totals } from '../tables/columns.ts';
import type { Noise } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';
import { totalsOf } from './totals.ts';

/**
 * Noisy margins over an ordered domain: for each tap, every time and every location gets its exact total, 0 included,
 * plus noise of its own (C8). Only the margins that the certificate has a scale for; null when it has none.
 *
 * @contract C8
 */
export function noisyMargins(
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
  const drawn = new Int32Array(totals.length);
  fill(drawn);
  return totals.map((total, at) => total + drawn[at]!);
}
