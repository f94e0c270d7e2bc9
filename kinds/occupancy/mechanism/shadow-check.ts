import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { fitOfPossible } from '../../../core/statistics/goodness-of-fit.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import type { RideCertificate } from '../certified-rides.ts';
import { byMechanism, type RunMechanism } from './ride-mechanism.ts';
import { treeStrategy } from './run-strategy.ts';
import type { ShadowOfRuns } from './shadow-rides.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { WEIGHT_BITS } from './weights.ts';

/**
 * A valid p-value of "the made-up runs were drawn as is certified": each tally by the exact test of goodness of fit, all
 * of them by Bonferroni. Chances in floating point, errors below 1e-12 relative.
 */
export const shadowPValue = (
  shadow: readonly ShadowOfRuns[],
  vehicles: Readonly<Record<string, VehicleModel>>,
): number =>
  bonferroni(
    shadow.flatMap(({ mechanism, tallies }) =>
      tallies.map(({ passengers, statuses }) =>
        fitOfPossible(statuses, statusChances(mechanism, vehicles[mechanism.vehicle]!, passengers)),
      ),
    ),
  );

/** The chance of each status at a departure whose count is one noisy sum, or that has a profile. */
const statusChances = (mechanism: RunMechanism, model: VehicleModel, passengers: number): number[] =>
  byMechanism(mechanism, {
    'each-stop': ({ weights }) => weights[passengers]!.map((weight) => Number(weight) / 2 ** WEIGHT_BITS),
    tree: (tree) => sumChances(tree, model, passengers),
  });

function sumChances(mechanism: RunMechanism<'tree'>, model: VehicleModel, passengers: number): number[] {
  const scale = toNumber(parseRational(mechanism.scale));
  /** P[the noisy count reaches the first count of a category]; all reach the first category, none one beyond the last. */
  const reaches = (category: number): number => {
    const minimum = model.minimumCounts[category];
    if (minimum === undefined) return 0;
    return category === 0 ? 1 : noiseTail('discrete-laplace', scale, minimum - passengers);
  };
  return model.categories.map((_, category) => reaches(category) - reaches(category + 1));
}

/** What is wrong with the way in which noise goes into statuses, a sentence each; empty for profiles. */
export const noiseProblems = (shadow: readonly ShadowOfRuns[], certificate: RideCertificate): string[] =>
  shadow.flatMap(({ mechanism, noise }) =>
    byMechanism(mechanism, {
      'each-stop': () => [],
      tree: (tree) => (noise === null ? [] : treeNoiseProblems(tree, noise, certificate)),
    }),
  );

function treeNoiseProblems(
  mechanism: RunMechanism<'tree'>,
  noise: NonNullable<ShadowOfRuns['noise']>,
  certificate: RideCertificate,
): string[] {
  const { sums } = treeStrategy(mechanism.departures, mechanism.arity);
  const most = toNumber(parseRational(certificate.run.epsilon)) * toNumber(parseRational(mechanism.scale));
  const findings: [right: boolean, sentence: string][] = [
    [
      noise.asked === sums.length,
      `A run asks for ${noise.asked} noise values, but has ${sums.length} sums: some are drawn again, or not at all.`,
    ],
    [
      noise.differing === 0,
      `Of ${noise.rides} rides ${noise.differing} show in the statuses, with noise that makes up for them.`,
    ],
    [
      noise.shift <= most * (1 + 1e-12),
      `A ride more moves all noise of a run by ${noise.shift}, which is more than its scale and ε allow.`,
    ],
  ];
  return findings.filter(([right]) => !right).map(([, sentence]) => sentence);
}
