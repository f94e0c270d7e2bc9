import { formatRational } from '../../core/rational/rational.ts';
import { type RidePrivacy, type RunShape, runGuarantee } from './mechanism/ride-mechanism.ts';
import { RIDE_MECHANISMS } from './ride-mechanisms.ts';

/** What one ride is protected by, in sentences. */
export function rideInWords(privacy: RidePrivacy, shapes: readonly RunShape[]): string[] {
  const { epsilon, delta } = runGuarantee(privacy);
  const longest = Math.max(...shapes.map(({ departures }) => departures));
  const change = privacy.neighbours === 'replace-one' ? 'replaced by another one' : 'added or left out';
  return [
    `What is protected is one ride: one passenger on one run, aboard for any stretch of it. If it were ${change}, any outcome would be at most e^ε times as likely, up to δ: ε = ${formatRational(privacy.epsilon)}, δ = ${formatRational(privacy.delta)}.`,
    `All statuses of one run together lose at most ε = ${formatRational(epsilon)} and δ = ${formatRational(delta)} with a ride more or less; the longest run has ${longest} departures.`,
    RIDE_MECHANISMS[privacy.mechanism].inWords,
  ];
}

/**
 * What a year means. Nothing bounds how many rides one person makes, and so no total is named. @contract C14
 */
export const ridesInWords = ({ epsilon }: { epsilon: string }): string[] => [
  `Losses add up: m rides of one person, in one release or in several, lose m·ε, with ε = ${epsilon}.`,
  'Nothing bounds how many rides one person makes, and so no total for a person is stated.',
  'A person who is in another ledger too, such as one of taps, loses what is charged there as well.',
];
