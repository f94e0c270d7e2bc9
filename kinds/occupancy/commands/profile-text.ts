import { amountText } from '../../../core/rational/amount-text.ts';
import { table } from '../../../core/text/text-table.ts';
import type { MechanismOutcome } from '../mechanism/comparison.ts';
import type { StatedDelta } from '../mechanism/profile-certificate.ts';
import type { WrittenProfile } from './write-profiles.ts';

/** What was made, a line for each vehicle model, and what a certificate does not say of many statuses. */
export function profilesText(profiles: readonly WrittenProfile[]): string {
  const rows = profiles.map(({ files, certificate: { value, method, largestDelta } }) => [
    files[0]!,
    value.meanLogLikelihood.toFixed(6),
    `${percent(value.worstTrueProbability)} at ${value.worstPassengers}`,
    amountText(largestDelta.upper),
    method,
  ]);
  const [{ certificate } = { certificate: null }] = profiles;
  return [
    table(['profile', 'mean log-likelihood', 'worst row', 'largest δ', 'method'], rows),
    '',
    `Each status is private with ε ${certificate?.epsilon} and δ ${certificate && amountText(certificate.delta)}; the losses of several statuses add up.`,
  ].join('\n');
}

type CheckResult = Record<'given' | 'normalised' | 'sampled', StatedDelta> & {
  holds: boolean;
  largestSumError: string;
};

/** The three δ of a profile, and the verdict. */
export function checkText(result: CheckResult, { epsilon, delta }: { epsilon: string; delta: string }): string {
  const names = { given: 'as it is written', normalised: 'with rows that add up to 1', sampled: 'as it is drawn from' };
  const rows = (['given', 'normalised', 'sampled'] as const).map((name) => {
    const { upper, between } = result[name];
    return [names[name], upper, `${between[0]} against ${between[1]} passengers`];
  });
  const verdict = result.holds
    ? `Holds: the profile is private with ε ${epsilon} and δ ${delta}.`
    : `DOES NOT HOLD: the profile is not private with ε ${epsilon} and δ ${delta}.`;
  return [
    table(['profile', 'exact largest δ, rounded up', 'attained'], rows),
    '',
    `A row adds up to 1 within ${amountText(result.largestSumError)}.`,
    verdict,
  ].join('\n');
}

/** Outcomes of all mechanisms for each vehicle model. */
export function comparisonText(
  comparisons: readonly { vehicle: string; outcomes: readonly MechanismOutcome[] }[],
): string {
  const rows = comparisons.flatMap(({ vehicle, outcomes }) =>
    outcomes.map(({ mechanism, rightShare, meanDistance, noise }) => [
      vehicle,
      mechanism,
      percent(rightShare),
      meanDistance.toFixed(3),
      noise,
    ]),
  );
  return table(['vehicle', 'mechanism', 'right status', 'mean distance', 'drawn with'], rows);
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
