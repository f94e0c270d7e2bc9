import { OpalineError } from '../../../contracts/errors.ts';
import { formatAmount } from '../../../core/accounting/basic-composition.ts';
import type { RideCertificate } from '../certified-rides.ts';
import { rideProblems } from './ride-check.ts';
import {
  byMechanism,
  type RideCounts,
  type RideMechanismName,
  type RidePrivacy,
  type RunMechanism,
  runGuarantee,
} from './ride-mechanism.ts';
import { rideChange, treeStrategy } from './run-strategy.ts';
import type { VehicleModel } from './vehicle-model.ts';

/**
 * The certificate of statuses that were drawn with these mechanisms. Throws CERTIFICATE_IMPOSSIBLE when one of them does
 * not keep what is promised for a ride, whoever made it.
 *
 * @contract C10
 */
export function certifyRides(
  privacy: RidePrivacy,
  models: ReadonlyMap<string, VehicleModel>,
  mechanisms: readonly RunMechanism[],
): RideCertificate {
  const { mechanism, neighbours, counts } = privacy;
  const run = runGuarantee(privacy);
  const certificate: RideCertificate = {
    format: 'opaline-ride-certificate/2',
    unit: 'ride',
    mechanism,
    neighbours,
    counts,
    ...formatAmount(privacy),
    run: formatAmount(run),
    vehicles: Object.fromEntries(models),
    runs: mechanisms.map((one) => ({ ...one, ...evidence(one) })),
    rechecked: [...RECHECKED[mechanism], ...(neighbours === 'replace-one' ? [REPLACED[counts]] : []), CHARGE],
    assumptions: [...RIDE_ASSUMPTIONS],
  };
  const [problem] = rideProblems(certificate);
  if (problem !== undefined) throw new OpalineError('CERTIFICATE_IMPOSSIBLE', problem);
  return certificate;
}

const evidence = (one: RunMechanism): { change?: number } =>
  byMechanism<{ change?: number }>(one, {
    'each-stop': () => ({}),
    tree: ({ departures, arity }) => ({ change: rideChange(treeStrategy(departures, arity), departures) }),
  });

const CHARGE = 'The ledger charges ε and δ to every block of the release, once.';

/** What a ride that is replaced loses, as sentences. */
const REPLACED: Readonly<Record<RideCounts, string>> = {
  passengers: 'Twice the epsilon and twice the delta of a run are at most those of a ride.',
  doors:
    'A ride that replaces another of its run may change a passenger count by two: twice the epsilon of a run, and its delta times 1 + e^epsilon of a run, are at most those of a ride.',
};

/** What anyone can check again, as sentences (C10). */
const RECHECKED: Readonly<Record<RideMechanismName, readonly string[]>> = {
  'each-stop': [
    'Every row of weights adds up to 2^40, and the exact largest delta of the weights between neighbouring counts is at most that of a stop.',
    'The epsilon and delta of a stop, composed over all departures of the run, are at most those of a run.',
  ],
  tree: [
    'D1 is the most that one ride more or less changes all sums of its run together, an alighting that is not seen included.',
    'The scale of the noise on each sum is D1 divided by the epsilon of a run; delta is 0.',
  ],
};

/** What the publisher attests and nobody outside can check, as sentences (C10). */
export const RIDE_ASSUMPTIONS: readonly string[] = [
  'One ride more adds at most one to each number of an event, and takes nothing away: passengers at departures of its run, or one boarding and one alighting.',
  'Which events there are, and their run, stop, departure and vehicle, does not depend on any one ride; one with a number of another form is left out.',
  'Timetable, vehicle models and parts come from public sources, never from the confidential data.',
  'Privacy parameters were chosen from public data, earlier publications or charged output.',
  "Each status was drawn once, with the random generator of the operating system's kernel, asked again for each partition.",
  'The private worker ran the build that the manifest names.',
  'Approvers have no access to the custodian side and decided on the release folder alone.',
  'Which objects existed, were readable and had the right columns does not depend on any one ride.',
  'Timing is not covered: nobody outside sees how long the private stages took.',
  'Losses add up: m rides of one person lose m times epsilon, and a person who is in another ledger too, such as one of taps, loses what is charged there as well.',
];
