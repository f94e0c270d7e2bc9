import { OpalineError } from '../../contracts/errors.ts';
import type { SeriesKind } from '../../contracts/kind.ts';
import { occupancySeries } from './series.ts';

/** Occupancy of vehicles: a ride is on one run, and a run is in one part on one day of service, so each stands alone. */
export const occupancyKind: SeriesKind = {
  terms: (series) => {
    const { unit, neighbours, mechanism } = occupancySeries(series).privacy;
    return { unit, neighbours, mechanism };
  },
  blocks: (_series, _days, partitions) => [...partitions],
  cost: (series, asked) => {
    const { neighbours, epsilon, delta } = occupancySeries(series).privacy;
    if (asked === neighbours) return { epsilon, delta };
    throw new OpalineError(
      'POLICY_REFUSED',
      `The population counts by ${asked}, and the series is drawn for ${neighbours}; give it the neighbours of the population.`,
    );
  },
  parts: (series) => occupancySeries(series).parts,
  overlaps: () => false,
  drawnTogether: (series, days, partitions) => {
    const named = new Set(partitions.map(({ part, day }) => `${part} ${day}`));
    const window = occupancySeries(series).parts.flatMap((part) => days.map((day) => ({ part, day })));
    return window.filter(({ part, day }) => named.has(`${part} ${day}`));
  },
};
