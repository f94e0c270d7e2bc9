import { type MechanismCheck, report } from '../check.ts';

/**
 * What is drawn depends on noisy counts and public parameters alone (C20). Statistic: made-up tables that came out
 * differently. A tally from a build that did not try this is a point for approvers.
 */
export const checkNonInterference: MechanismCheck = ({ interference }) => {
  const named = [
    'mechanism-non-interference',
    'Add a tap to a made-up table, take it off the noise, and compare.',
  ] as const;
  if (!interference)
    return report(...named, {
      verdict: 'attention',
      sentence: 'The build that drew this release did not compare made-up tables that differ in one tap.',
    });
  const { events, runs } = interference;
  const holds = events === 0 && runs > 0;
  return report(...named, {
    verdict: holds ? 'pass' : 'fail',
    statistic: events,
    bound: 0,
    sentence: holds
      ? `${runs} made-up tables come out the same, byte for byte, with one tap more and noise that is one less.`
      : `${events} of ${runs} made-up tables come out differently with one tap more and noise that is one less: they show more than noisy counts.`,
  });
};
