import type { PublicKind } from '../../../services/release/public-context.ts';
import { syntheticKind } from '../series-kind.ts';
import { auditSynthesis } from './audit.ts';
import { deriveSynthesis } from './derive.ts';
import { syntheticTexts } from './texts.ts';

/** Synthetic data on the public side. */
export const publicSynthetic: PublicKind = {
  ...syntheticKind,
  derive: deriveSynthesis,
  audit: auditSynthesis,
  texts: syntheticTexts,
};
