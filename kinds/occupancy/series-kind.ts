import { NEIGHBOURS } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { SeriesKind } from '../../contracts/kind.ts';
import { rideCost } from './mechanism/ride-cost.ts';
import { requireDrawable } from './ride-mechanisms.ts';
import { occupancySeries, ridePrivacy } from './series.ts';

/** Occupancy of vehicles: a ride is on one run, and a run is in one part on one day of service, so each stands alone. */
export const occupancyKind: SeriesKind = {
  terms: (series) => {
    const { unit, neighbours, mechanism } = occupancySeries(series).privacy;
    return { unit, neighbours, mechanism };
  },
  blocks: (_series, _days, partitions) => [...partitions],
  cost: (series, asked) => {
    const occupancy = occupancySeries(series);
    requireDrawable(occupancy);
    const relation = NEIGHBOURS.find((name) => name === asked);
    if (relation) return rideCost(ridePrivacy(occupancy), relation);
    throw new OpalineError('POLICY_REFUSED', `No cost of rides is known under the neighbour relation ${asked}.`);
  },
  parts: (series) => occupancySeries(series).parts,
  overlaps: () => false,
  drawnTogether: (series, days, partitions) => {
    const named = new Set(partitions.map(({ part, day }) => `${part} ${day}`));
    const window = occupancySeries(series).parts.flatMap((part) => days.map((day) => ({ part, day })));
    return window.filter(({ part, day }) => named.has(`${part} ${day}`));
  },
};
