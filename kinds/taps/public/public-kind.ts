import type { PublicKind } from '../../../services/release/public-context.ts';
import { tapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { auditTaps } from './audit.ts';
import { deriveTaps } from './derive.ts';
import { tapsTexts } from './texts.ts';

/** Taps on the public side. */
export const publicTaps: PublicKind = {
  ...tapsKind,
  derive: (context, input, series) => deriveTaps(context, input, tapsSeries(series)),
  audit: (context, input, series, data) => auditTaps(context, input, tapsSeries(series), data),
  texts: tapsTexts,
};
