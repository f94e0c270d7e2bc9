import { checkAppearance } from './appearance.ts';
import { checkDistinguishingEvents } from './distinguishing-events.ts';
import { checkIndependence } from './independence.ts';
import { checkMargins, checkNoise, checkZeros } from './noise.ts';
import { checkTail } from './noise-tail.ts';
import { checkNonInterference } from './non-interference.ts';
import type { MechanismCheck } from './tallies.ts';

/** Every check of the mechanism, in the order of the report. To add one, write its file and name it here. */
export const MECHANISM_CHECKS: readonly MechanismCheck[] = [
  checkDistinguishingEvents,
  checkNoise,
  checkTail,
  checkAppearance,
  checkZeros,
  checkMargins,
  checkIndependence,
  checkNonInterference,
];
