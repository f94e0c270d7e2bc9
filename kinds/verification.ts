import type { TextsOf } from '../services/publication/release-texts.ts';
import type { VerificationCheck } from '../services/publication/verification-check.ts';
import { occupancyTexts } from './occupancy/public/texts.ts';
import { OCCUPANCY_VERIFICATION } from './occupancy/verification.ts';
import { syntheticTexts } from './synthetic/public/texts.ts';
import { SYNTHETIC_VERIFICATION } from './synthetic/verification.ts';
import { tapsTexts } from './taps/public/texts.ts';
import { TAPS_VERIFICATION } from './taps/verification.ts';

/** The checks of a kind, and its texts, which are compared as the last of all. */
export type KindVerification = { checks: readonly VerificationCheck[]; texts: TextsOf };

/**
 * What can be checked of a publication of each kind by its files alone, besides what is checked of every one. A table of
 * its own: whoever only verifies needs nothing else of a kind.
 */
export const KIND_VERIFICATION: Readonly<Record<string, KindVerification>> = {
  taps: { checks: TAPS_VERIFICATION, texts: tapsTexts },
  occupancy: { checks: OCCUPANCY_VERIFICATION, texts: occupancyTexts },
  synthetic: { checks: SYNTHETIC_VERIFICATION, texts: syntheticTexts },
};
