import type { PrivatizedCell } from '../../contracts/formats/privatized-table.ts';
import { cellPlace, type PlacedCount } from './cell-counts.ts';
import type { Noise } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';

/**
 * Every cell of the public domain with noise, the empty ones too, and none held back: δ = 0 (C8). Counts can come out
 * negative; they are left so, since cutting them would make sums too large. Cells are in lexicographic order.
 *
 * @contract C8
 */
export function completeDomain(counts: readonly PlacedCount[], domain: PublicDomain, noise: Noise): PrivatizedCell[] {
  const known = new Map(counts.map((cell) => [cellPlace(cell, domain), cell.count]));
  const cells: PrivatizedCell[] = [];
  let place = 0;
  for (const tap of domain.taps)
    for (const time of domain.times)
      for (const location of domain.locations)
        cells.push([tap, time, location, (known.get(place++) ?? 0) + noise.cell(tap, time, location)]);
  return cells;
}
