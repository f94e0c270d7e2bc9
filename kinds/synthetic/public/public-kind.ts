import type { PublicKind } from '../../../services/release/public-context.ts';
import { syntheticSeries } from '../series.ts';
import { syntheticKind } from '../series-kind.ts';
import { auditSynthesis } from './audit.ts';
import { deriveSynthesis } from './derive.ts';
import { syntheticTexts } from './texts.ts';

/** Synthetic data on the public side. */
export const publicSynthetic: PublicKind = {
  ...syntheticKind,
  derive: (context, input, series) => deriveSynthesis(context, input, syntheticSeries(series)),
  audit: (context, input, series, data) => auditSynthesis(context, input, syntheticSeries(series), data),
  texts: syntheticTexts,
};
