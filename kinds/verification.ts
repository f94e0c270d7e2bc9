import type { Publication } from '../services/publication/publication.ts';
import type { TextsOf } from '../services/publication/release-texts.ts';
import type { HistoryPlace, VerificationCheck } from '../services/publication/verification-check.ts';
import type { TrustChain } from '../services/trust/trust-chain.ts';
import { occupancyTexts } from './occupancy/public/texts.ts';
import { OCCUPANCY_VERIFICATION } from './occupancy/verification.ts';
import { syntheticTexts } from './synthetic/public/texts.ts';
import { SYNTHETIC_VERIFICATION } from './synthetic/verification.ts';
import { checkHistory } from './taps/history-check.ts';
import { tapsTexts } from './taps/public/texts.ts';
import { TAPS_VERIFICATION } from './taps/verification.ts';

/**
 * The checks of a kind, and its texts, which are compared as the last of all. `history`: what its audit found beside
 * earlier publications; absent where it compares with none.
 */
export type KindVerification = {
  checks: readonly VerificationCheck[];
  texts: TextsOf;
  history?: (publication: Publication, place: HistoryPlace | null, trust: TrustChain | null) => Promise<string>;
};

/**
 * What can be checked of a publication of each kind by its files alone, besides what is checked of every one. A table of
 * its own: whoever only verifies needs nothing else of a kind.
 */
export const KIND_VERIFICATION: Readonly<Record<string, KindVerification>> = {
  taps: { checks: TAPS_VERIFICATION, texts: tapsTexts, history: checkHistory },
  occupancy: { checks: OCCUPANCY_VERIFICATION, texts: occupancyTexts },
  synthetic: { checks: SYNTHETIC_VERIFICATION, texts: syntheticTexts },
};
