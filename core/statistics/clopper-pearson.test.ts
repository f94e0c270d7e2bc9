import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/clopper-pearson.json' with { type: 'json' };
import { parseRational, toNumber } from '../rational/rational.ts';
import { binomialProbability, proportion } from './binomial.ts';
import { type Frequency, lowerLimit, upperLimit } from './epsilon-lower-bound.ts';

type IntervalCase = {
  id: string;
  in: { n: number; k: number; alpha: string };
  out: { two_sided: [string, string]; one_sided_lower: string; one_sided_upper: string };
};
const cases = vectors.cases.filter(({ kind }) => kind === 'interval') as unknown as IntervalCase[];

const isNear = (value: number, exact: string): boolean => Math.abs(value - Number(exact)) <= 1e-9 * Number(exact);

const fits = (limits: (frequency: Frequency, level: number) => [number, number], one: IntervalCase): boolean => {
  const [lower, upper] = limits({ events: one.in.k, runs: one.in.n }, toNumber(parseRational(one.in.alpha)));
  return isNear(lower, one.out.two_sided[0]) && isNear(upper, one.out.two_sided[1]);
};

/** The two-sided interval: each limit at half the level. */
const exact = (frequency: Frequency, level: number): [number, number] => [
  lowerLimit(frequency, level / 2).value,
  upperLimit(frequency, level / 2).value,
];

describe('Clopper–Pearson limits', () => {
  test('there are 14 vectors', () => expect(cases).toHaveLength(14));

  test.each(cases)('$id', (one) => {
    const frequency = { events: one.in.k, runs: one.in.n };
    const level = toNumber(parseRational(one.in.alpha));
    expect(fits(exact, one)).toBe(true);
    expect(isNear(lowerLimit(frequency, level).value, one.out.one_sided_lower)).toBe(true);
    expect(isNear(upperLimit(frequency, level).value, one.out.one_sided_upper)).toBe(true);
  });

  test('are never too narrow: each limit errs outward', () => {
    for (const { in: input, out } of cases) {
      const [lower, upper] = exact({ events: input.k, runs: input.n }, toNumber(parseRational(input.alpha)));
      expect(lower).toBeLessThanOrEqual(Number(out.two_sided[0]));
      expect(upper).toBeGreaterThanOrEqual(Number(out.two_sided[1]));
    }
  });

  test('miss the true chance no more often than the level says, by enumeration', () => {
    for (const numerator of [1, 20, 137, 500, 863, 999]) {
      const chance = proportion(numerator / 1000);
      for (const limit of ['lower', 'upper'] as const) {
        let missed = 0;
        for (let events = 0; events <= 80; events += 1) {
          const frequency = { events, runs: 80 };
          const misses =
            limit === 'lower'
              ? lowerLimit(frequency, 0.01).value > chance.value
              : upperLimit(frequency, 0.01).value < chance.value;
          if (misses) missed += binomialProbability(events, 80, chance);
        }
        expect(missed).toBeLessThanOrEqual(0.01);
      }
    }
  });

  test('broken twin: the normal approximation is caught by the vectors', () => {
    const wald = ({ events, runs }: Frequency): [number, number] => {
      const share = events / runs;
      const width = 1.96 * Math.sqrt((share * (1 - share)) / runs);
      return [share - width, share + width];
    };
    expect(cases.filter((one) => fits(wald, one))).toHaveLength(0);
  });
});
