import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { logSmallNoiseBound } from '../../../core/statistics/clear-pairs.ts';
import { differenceInformation, differenceScore } from '../../../core/statistics/difference-law.ts';
import type { NoiseModel } from '../../../core/statistics/noise-law.ts';
import { type DeclaredNoise, differenceSizes, type EqualPair, isClear } from '../../../core/statistics/pair-laws.ts';
import { logSumBound } from '../../../core/statistics/sum-test.ts';
import { short } from '../../../core/text/wording.ts';
import { notTried, report } from '../../../core/verdict/finding.ts';
import type { AuditSubject } from '../subject.ts';
import { noiseOfCells } from './declared-noise.ts';
import { equalTruthPairs } from './equal-truth-pairs.ts';

/** Scales between which the estimate is sought. */
const [LEAST, GREATEST] = [1e-3, 1e6];

/**
 * The scale of the noise of greatest likelihood: where the sum of the scores changes its sign. 0 when all differences
 * are 0. Throws RangeError for no differences.
 */
export function estimateScale(model: NoiseModel, differences: readonly number[]): number {
  if (differences.length === 0) throw new RangeError('a scale is estimated from at least one pair');
  const sizes = new Map<number, number>();
  for (const d of differences) sizes.set(Math.abs(d), (sizes.get(Math.abs(d)) ?? 0) + 1);
  if (sizes.size === 1 && sizes.has(0)) return 0;
  const score = (scale: number): number =>
    [...sizes].reduce((sum, [size, times]) => sum + times * differenceScore(model, scale, size), 0);
  let [low, high] = [Math.log(LEAST), Math.log(GREATEST)];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return Math.exp(middle);
    if (score(Math.exp(middle)) > 0) low = middle;
    else high = middle;
  }
}

/** Standard error of the estimate from n pairs at this scale, by the Fisher information of the law in use. */
export const standardError = (model: NoiseModel, scale: number, n: number): number =>
  1 / Math.sqrt(n * differenceInformation(model, scale));

/**
 * A valid p-value of "the noise is as declared", whatever the truths (statistics/clear-pairs.proof.md and
 * pair-laws.proof.md): too little noise is sought among the pairs that are clear of the threshold, too much among all,
 * by the sum of |X − Y| each time. For noise of eight times the scale the best exponent is near 0.83/b, and from 1/b on
 * there is none.
 */
export function scaleTest(noise: DeclaredNoise, pairs: readonly EqualPair[]): number {
  const small = Math.exp(logSmallNoiseBound(noise, pairs));
  const sum = pairs.reduce((total, [first, second]) => total + Math.abs(first - second), 0);
  const large = Math.exp(logSumBound(differenceSizes(noise), { n: pairs.length, sum }, 'large', 0.9 / noise.scale));
  return Math.min(1, 2 * Math.min(small, large));
}

/** Standard errors on each side of the estimate in the interval: about 99.9 %. */
export const INTERVAL = 3.29;

/**
 * Scale recovery: what attackers of the 2017 release did, here to see that the noise is what the certificate says.
 * Statistic: the recovered scale; bound: the declared one. Fails when the p-value is at most `level`.
 */
export function checkScale(noise: DeclaredNoise, pairs: readonly EqualPair[], level: number): AuditCheck {
  const attack = 'Recover the noise from pairs of counts that must be equal.';
  const clear = pairs.filter((pair) => isClear(noise, pair));
  if (clear.length === 0) return notTried('scale', attack, 'No pairs of counts that must be equal are known.');
  const scale = estimateScale(
    noise.model,
    clear.map(([first, second]) => first - second),
  );
  const error = INTERVAL * standardError(noise.model, scale || noise.scale, clear.length);
  const pValue = scaleTest(noise, pairs);
  const facts = `From ${clear.length} pairs the scale of the noise comes out as ${short(scale)}; declared is ${short(noise.scale)}`;
  return report('scale', attack, {
    holds: pValue > level,
    statistic: scale,
    bound: noise.scale,
    interval: [Math.max(0, scale - error), scale + error],
    pValue,
    right: `${facts}, which fits.`,
    wrong: `${facts}, and the difference is more than chance.`,
  });
}

/**
 * Scale recovery from the point-to-point services that the series declares. Two versions of a window are no help here:
 * what was corrected between them is a difference of truths. Fails when its p-value is at most `level`.
 */
export const checkKnownScale = ({ certificate, cells, knowledge }: AuditSubject, level: number): AuditCheck =>
  checkScale(noiseOfCells(certificate), equalTruthPairs(cells, knowledge.services), level);
