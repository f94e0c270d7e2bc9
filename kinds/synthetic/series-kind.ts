import { NEIGHBOURS } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { SeriesKind } from '../../contracts/kind.ts';
import { formatRational } from '../../core/rational/rational.ts';
import { epsilonUnder } from './mechanism/synthetic-privacy.ts';
import { requireDrawableSynthesis, syntheticPrivacy } from './plan.ts';
import { syntheticSeries } from './series.ts';

/** Synthetic data: a row is in one part on one day, that of its object, so each partition stands alone. */
export const syntheticKind: SeriesKind = {
  terms: (series) => {
    const { unit, neighbours, mechanism } = syntheticSeries(series).privacy;
    return { unit, neighbours, mechanism };
  },
  blocks: (_series, _days, partitions) => [...partitions],
  cost: (series, asked) => {
    const synthetic = syntheticSeries(series);
    requireDrawableSynthesis(synthetic);
    const relation = NEIGHBOURS.find((name) => name === asked);
    if (relation) return { epsilon: formatRational(epsilonUnder(syntheticPrivacy(synthetic), relation)), delta: '0' };
    throw new OpalineError(
      'POLICY_REFUSED',
      `No cost of synthetic data is known under the neighbour relation ${asked}.`,
    );
  },
  parts: (series) => syntheticSeries(series).parts,
  overlaps: () => false,
  drawnTogether: (series, days, partitions) => {
    const named = new Set(partitions.map(({ part, day }) => `${part} ${day}`));
    const window = syntheticSeries(series).parts.flatMap((part) => days.map((day) => ({ part, day })));
    return window.filter(({ part, day }) => named.has(`${part} ${day}`));
  },
};
