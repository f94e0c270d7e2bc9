import { OpalineError } from '../../../contracts/errors.ts';
import { encloseInDecimals } from '../../../core/rational/decimal.ts';
import { formatRational, type Rational } from '../../../core/rational/rational.ts';
import { deltaBounds, type ExactDelta } from './exact-delta.ts';
import { profileValue } from './objective.ts';
import { certifyDelta, type Profile } from './profile.ts';
import { WEIGHT_BITS } from './weights.ts';

/** A δ between two decimals of 20 digits, and the two passenger counts between which it is attained. */
export type StatedDelta = { lower: string; upper: string; between: [passengers: number, neighbour: number] };

/**
 * The certificate of a profile whose CSV has this digest; the δ is computed again from the weights. Throws
 * CERTIFICATE_IMPOSSIBLE when it is above the one asked for, or a row does not add up to 2^40.
 *
 * @contract certified-profile
 */
export function certifyProfile({ model, request, weights, method }: Profile, sha256: string) {
  const { epsilon, delta, group, objective } = request;
  const whole = 1n << BigInt(WEIGHT_BITS);
  const adds = weights.every((row) => row.reduce((sum, weight) => sum + weight, 0n) === whole);
  const exact = adds ? certifyDelta(weights, request) : null;
  if (exact === null)
    throw new OpalineError('CERTIFICATE_IMPOSSIBLE', 'The profile does not have the ε and δ that it should have.');
  return {
    format: 'opaline-occupancy-profile/1',
    vehicle: model,
    epsilon: formatRational(epsilon),
    delta: formatRational(delta),
    /** Counts that differ by 1 to `group` passengers are neighbours. */
    group,
    objective,
    method,
    weightBits: WEIGHT_BITS,
    /** The exact largest δ of the weights. */
    largestDelta: formatDelta(exact, epsilon),
    value: profileValue(
      model,
      weights.map((row) => row.map((weight) => Number(weight) / Number(whole))),
    ),
    /** Of the CSV file beside it. */
    sha256,
    rechecked: [
      'Every probability of the CSV is a whole number of 2^-40, and every row adds up to 1.',
      'The largest delta at this epsilon is that of the integer weights: opaline occupancy check computes it again.',
    ],
    assumptions: [
      'One status is drawn once per departure, with a cryptographic source of randomness, and is never drawn again.',
      'The guarantee is that of one status: the losses of all statuses of a ride, and of all rides of a person, add up.',
      'The count is clamped to 0 and the largest count of the vehicle before the draw.',
    ],
  };
}

/** What is certified of a profile; probabilities are weight/2^weightBits, and amounts are exact. */
export type ProfileCertificate = ReturnType<typeof certifyProfile>;

/** The exact δ at ε as neighbouring decimals, and where it is attained. */
export const formatDelta = (delta: ExactDelta, epsilon: Rational): StatedDelta => ({
  ...encloseInDecimals((bits) => deltaBounds(delta, epsilon, bits)),
  between: [delta.row, delta.neighbour],
});
