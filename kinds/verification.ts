import type { VerificationCheck } from '../services/publication/verification-check.ts';
import { OCCUPANCY_VERIFICATION } from './occupancy/verification.ts';
import { SYNTHETIC_VERIFICATION } from './synthetic/verification.ts';
import { TAPS_VERIFICATION } from './taps/verification.ts';

/**
 * What can be checked of a publication of each kind by its files alone, besides what is checked of every one. A table of
 * its own: whoever only verifies needs nothing else of a kind.
 */
export const KIND_VERIFICATION: Readonly<Record<string, readonly VerificationCheck[]>> = {
  taps: TAPS_VERIFICATION,
  occupancy: OCCUPANCY_VERIFICATION,
  synthetic: SYNTHETIC_VERIFICATION,
};
