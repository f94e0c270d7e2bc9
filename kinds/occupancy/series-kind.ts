import type { SeriesKind } from '../../contracts/kind.ts';
import { occupancySeries } from './series.ts';

/** Occupancy of vehicles: a ride is on one run, and a run is in one part on one day of service, so each stands alone. */
export const occupancyKind: SeriesKind = {
  parts: (series) => occupancySeries(series).parts,
  overlaps: () => false,
  drawnTogether: (series, days, partitions) => {
    const named = new Set(partitions.map(({ part, day }) => `${part} ${day}`));
    const window = occupancySeries(series).parts.flatMap((part) => days.map((day) => ({ part, day })));
    return window.filter(({ part, day }) => named.has(`${part} ${day}`));
  },
};
