import { requireRelation, type SeriesKind } from '../../contracts/kind.ts';
import { rideCost } from './mechanism/ride-mechanism.ts';
import { requireDrawable } from './ride-mechanisms.ts';
import { occupancySeries, ridePrivacy } from './series.ts';

/** Occupancy of vehicles: a ride is on one run, and a run is in one part on one day of service. */
export const occupancyKind: SeriesKind = {
  terms: (series) => {
    const { privacy, parts, timetable } = occupancySeries(series);
    const { unit, neighbours, mechanism } = privacy;
    return { unit, neighbours, mechanism, parts, scope: 'partition', overlaps: false, lists: { timetable } };
  },
  cost: (series, neighbours) => {
    const occupancy = occupancySeries(series);
    requireDrawable(occupancy);
    return { ...rideCost(ridePrivacy(occupancy), requireRelation('rides', neighbours)), rho: null };
  },
};
