import type { AuditCheck } from '../../../contracts/audit.ts';
import { report } from '../check.ts';
import { noiseSum, sumProbability, sumTail } from '../statistics/integer-sum.ts';
import { type IntegerNoise, type NoiseModel, noiseVariance } from '../statistics/noise-law.ts';
import { short } from './wording.ts';

/** Standard error of the mean of k independent published views of one count: √(Var/k). */
export const standardErrorOfViews = (model: NoiseModel, scale: number, views: number): number =>
  Math.sqrt(noiseVariance(model, scale) / views);

/**
 * The chance that the mean of k views rounds to the true count, ties left out, and the chance of a tie on each side.
 * The sum of the noises has to stay under k/2 in size.
 */
export function roundingToTruth(
  model: IntegerNoise,
  scale: number,
  views: number,
): { rounds: number; tieOnEachSide: number } {
  const law = noiseSum(model, Array<number>(views).fill(scale));
  const half = views / 2;
  return {
    rounds: 1 - 2 * sumTail(law, Math.ceil(half)),
    tieOnEachSide: Number.isInteger(half) ? sumProbability(law, half) : 0,
  };
}

/** A published number that is the sum of some unknown counts plus noise of this variance. */
export type Measurement = { readonly unknowns: readonly number[]; readonly variance: number };

/**
 * Variance of the best linear unbiased estimate of each of `size` unknown counts from all measurements (generalised
 * least squares): the diagonal of the inverse normal matrix. Public invariants enter as shared unknowns: on and off of
 * a closed line are two measurements of one. Infinity when an unknown is not determined.
 */
export function effectiveVariances(size: number, measurements: readonly Measurement[]): number[] {
  const normal = Array.from({ length: size }, () => Array<number>(size).fill(0));
  for (const { unknowns, variance } of measurements)
    for (const row of unknowns) for (const column of unknowns) normal[row]![column]! += 1 / variance;
  const inverse = inverted(normal);
  return inverse === null
    ? Array<number>(size).fill(Number.POSITIVE_INFINITY)
    : inverse.map((row, index) => row[index]!);
}

/** A pivot this small beside the largest entry means that the matrix has no inverse. */
const SINGULAR = 1e-12;

/** The inverse of a symmetric matrix by Gauss and Jordan with pivoting; null when there is none. */
function inverted(matrix: readonly (readonly number[])[]): number[][] | null {
  const size = matrix.length;
  const rows = matrix.map((row, index) => [...row, ...Array.from({ length: size }, (_, i) => Number(i === index))]);
  const largest = Math.max(0, ...matrix.flat().map(Math.abs));
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    if (Math.abs(rows[pivot]![column]!) <= SINGULAR * largest) return null;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const divisor = rows[column]![column]!;
    rows[column] = rows[column]!.map((value) => value / divisor);
    for (let row = 0; row < size; row += 1) {
      const factor = rows[row]![column]!;
      if (row === column || factor === 0) continue;
      rows[row] = rows[row]!.map((value, i) => value - factor * rows[column]![i]!);
    }
  }
  return rows.map((row) => row.slice(size));
}

/** All published views of some counts, and what the certificate says of one of them. */
export type PublishedViews = {
  /** Number of unknown counts. */
  size: number;
  measurements: readonly Measurement[];
  /** Variance of one published cell. */
  declaredVariance: number;
  /** How many views of one count the certificate counts: the cells that a unit touches, and the margins. */
  countedViews: number;
};

/** Room for the rounding of the matrix inverse. */
const ROUNDING = 1e-9;

/**
 * Dependence: what is published of one count several times over averages the noise. Statistic: the smallest standard
 * error of a count, from everything published about it; bound: what it may fall to by the views that are counted.
 */
export function checkDependence({ size, measurements, declaredVariance, countedViews }: PublishedViews): AuditCheck {
  const statistic = Math.sqrt(Math.min(...effectiveVariances(size, measurements)));
  const bound = Math.sqrt(declaredVariance / countedViews);
  const holds = !(statistic < bound * (1 - ROUNDING));
  return report('dependence', 'Average everything that is published about one count.', {
    verdict: holds ? 'pass' : 'fail',
    statistic: Number.isFinite(statistic) ? statistic : null,
    bound,
    sentence: holds
      ? `All views together know no count better than to ±${short(statistic)} (standard error), as the certificate counts.`
      : `All views together know a count to ±${short(statistic)} (standard error); the certificate counts on ±${short(bound)}.`,
  });
}
