import { requireRelation, type SeriesKind } from '../../contracts/kind.ts';
import { formatRational } from '../../core/rational/rational.ts';
import { epsilonUnder } from './mechanism/synthetic-privacy.ts';
import { listsOf } from './public-attributes.ts';
import { syntheticSeries } from './series.ts';
import { requireDrawableSynthesis, syntheticPrivacy } from './synthesis-plan.ts';

/** Synthetic data: a row is in one part on one day, those of its object. */
export const syntheticKind: SeriesKind = {
  terms: (series) => {
    const synthetic = syntheticSeries(series);
    const { unit, neighbours, mechanism } = synthetic.privacy;
    const lists = Object.fromEntries(listsOf(synthetic).map((digest, place) => [`list-${place + 1}`, digest]));
    return { unit, neighbours, mechanism, parts: synthetic.parts, scope: 'partition', overlaps: false, lists };
  },
  cost: (series, neighbours) => {
    const synthetic = syntheticSeries(series);
    requireDrawableSynthesis(synthetic);
    const relation = requireRelation('synthetic data', neighbours);
    return { epsilon: formatRational(epsilonUnder(syntheticPrivacy(synthetic), relation)), delta: '0', rho: null };
  },
};
