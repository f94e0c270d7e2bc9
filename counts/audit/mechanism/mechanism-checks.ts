import { report } from '../../../core/verdict/finding.ts';
import { checkAppearance } from './appearance.ts';
import { checkDistinguishingEvents } from './distinguishing-events.ts';
import { checkIndependence } from './independence.ts';
import { checkMargins, checkNoise, checkZeros } from './mechanism-noise.ts';
import { checkTail } from './noise-tail.ts';
import type { MechanismCheck } from './shadow-tallies.ts';

/**
 * What is drawn depends on noisy counts and public parameters alone (C20). Statistic: made-up tables that came out
 * differently.
 */
export const checkNonInterference: MechanismCheck = ({ interference: { events, runs } }) =>
  report('mechanism-non-interference', 'Add a tap to a made-up table, take it off the noise, and compare.', {
    holds: events === 0 && runs > 0,
    statistic: events,
    bound: 0,
    right: `${runs} made-up tables come out the same, byte for byte, with one tap more and noise that is one less.`,
    wrong: `${events} of ${runs} made-up tables come out differently with one tap more and noise that is one less: they show more than noisy counts.`,
  });

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
