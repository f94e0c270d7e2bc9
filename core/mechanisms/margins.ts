import type { Certificate } from '../../contracts/certificate.ts';
import type { MarginRow, Margins } from '../../contracts/formats/privatized-table.ts';
import type { PlacedCount } from './cell-counts.ts';
import type { Noise } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';

/**
 * Noisy margins over the public domain: for each tap, every time and every location gets its exact total, 0 included,
 * plus noise of its own (C8). Only the margins that the certificate has a scale for; null when it has none. Rows are
 * in lexicographic order.
 *
 * @contract C8
 */
export function noisyMargins(
  counts: readonly PlacedCount[],
  domain: PublicDomain,
  scales: Certificate['marginScales'],
  noise: Noise,
): Margins | null {
  if (scales.time === undefined && scales.location === undefined) return null;
  return {
    time: scales.time === undefined ? [] : noisyTotals(counts, domain, 'time', noise),
    location: scales.location === undefined ? [] : noisyTotals(counts, domain, 'location', noise),
  };
}

function noisyTotals(
  counts: readonly PlacedCount[],
  domain: PublicDomain,
  margin: 'time' | 'location',
  noise: Noise,
): MarginRow[] {
  const keys = margin === 'time' ? domain.times : domain.locations;
  const totals = new Float64Array(domain.taps.length * keys.length);
  for (const cell of counts) totals[cell.tap * keys.length + cell[margin]]! += cell.count;
  return domain.taps.flatMap((tap, tapPlace) =>
    keys.map((key, place): MarginRow => {
      const total = totals[tapPlace * keys.length + place]!;
      return [tap, key, total + noise[margin](tap, key)];
    }),
  );
}
