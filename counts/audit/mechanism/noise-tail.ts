import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { binomialTest } from '../../../core/statistics/binomial.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { eventSuffices, PLANNED } from '../../../core/statistics/required-samples.ts';
import { percent, short } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/finding.ts';
import { type ShadowNoise, shadowNoise } from './noise-bins.ts';
import { LIKELY, type MechanismCheck, type NoiseTally, numberOfValues } from './shadow-tallies.ts';

/** How far out noise is counted, in scales. Of honest noise one value of 370 and of 1,000 is as far out, or less. */
export const TAIL_SCALES = {
  'discrete-laplace': [6, 7],
  'discrete-gaussian': [3, 3.3],
} as const satisfies Record<ShadowNoise['model'], readonly number[]>;

/** The least whole number that is further from 0 than this number of scales. */
const leastBeyond = (scale: number, scales: number): number => Math.floor(scales * scale) + 1;

/** How many of the values are beyond each of TAIL_SCALES. */
export const beyondTails = ({ model, scale }: ShadowNoise, values: readonly number[]): number[] =>
  TAIL_SCALES[model].map((scales) => values.filter((value) => Math.abs(value) >= leastBeyond(scale, scales)).length);

/** P[|X| > scales·b], or scales·σ: twice a tail. */
export const tailChance = ({ model, scale }: ShadowNoise, scales: number): number =>
  2 * noiseTail(model, scale, leastBeyond(scale, scales));

/** A valid p-value of "the noise goes as far out as noise of this scale does" (noise-tail.proof.md). */
export const tailTest = (tally: NoiseTally, noise: ShadowNoise): number =>
  bonferroni(
    TAIL_SCALES[noise.model].map((scales, index) => {
      const value = tailChance(noise, scales);
      return binomialTest(tally.beyond[index]!, numberOfValues(tally), { value, complement: 1 - value }, 'either');
    }),
  );

/**
 * Noise that was drawn again, or cut, where it was large: the fit pools all that is beyond four scales. Statistic: the
 * share of noise beyond six scales, of the kind that fits worst; bound: its chance. Fails when the
 * p-value is at most `level`.
 */
export const checkTail: MechanismCheck = ({ noise, zeros, margins, leftOut }, certificate, level): AuditCheck => {
  const { scale, marginScales, leftOutScale } = certificate;
  const kinds = [
    { tally: noise, scale, what: 'cells' },
    { tally: zeros, scale, what: 'empty cells' },
    { tally: margins.time, scale: marginScales.time, what: 'totals by time' },
    { tally: margins.location, scale: marginScales.location, what: 'totals by location' },
    { tally: leftOut, scale: leftOutScale, what: 'left-out taps' },
  ].flatMap(({ tally, scale: declared, what }) =>
    tally && declared !== undefined ? [{ tally, noise: shadowNoise(certificate, declared), what }] : [],
  );
  const tests = kinds.map(({ tally, noise: declared }) => tailTest(tally, declared));
  const pValue = bonferroni(tests);
  const worst = kinds[tests.indexOf(Math.min(...tests))]!;
  const values = numberOfValues(worst.tally);
  // Two tests, each of two sides, of every kind of noise.
  const tails = TAIL_SCALES[worst.noise.model];
  const goal = { ...PLANNED, level: PLANNED.level / (tails.length * kinds.length) };
  const finds = kinds.every((one) =>
    eventSuffices(numberOfValues(one.tally), tailChance(one.noise, tails[0]), 0, goal),
  );
  const [share, chance] = [worst.tally.beyond[0]! / Math.max(1, values), tailChance(worst.noise, tails[0])];
  return report('mechanism-tail', 'Look for noise that never goes far.', {
    holds: pValue > level,
    statistic: share,
    bound: chance,
    pValue,
    right: `Noise goes beyond ${tails.join(' and ')} scales as often as the declared law says; of that of made-up ${worst.what} ${percent(share)} goes beyond ${short(tails[0] * worst.noise.scale)}.${finds ? ` Noise that never does would be found with ${LIKELY}.` : ''}`,
    wrong: `Of the noise of made-up ${worst.what} ${percent(share)} goes beyond ${short(tails[0] * worst.noise.scale)}; the declared law says ${percent(chance)}.`,
  });
};
