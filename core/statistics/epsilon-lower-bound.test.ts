import { describe, expect, test } from 'vitest';
import { seededSource } from '../../test/support/seeded-source.ts';
import vectors from '../../test/vectors/clopper-pearson.json' with { type: 'json' };
import { parseRational, toNumber } from '../rational/rational.ts';
import { binomialProbability, proportion } from './binomial.ts';
import { epsilonLowerBound, epsilonTest, type NeighbourFrequencies } from './epsilon-lower-bound.ts';

type EpsilonCase = {
  id: string;
  in: { n1: number; k1: number; n0: number; k0: number; delta: string; alpha: string; claimed_eps: string };
  out: {
    eps_lower_bound: string;
    eps_lower_bound_complement: string;
    violates_claim: boolean;
    violates_claim_either: boolean;
  };
};
const cases = vectors.cases.filter(({ kind }) => kind === 'eps-lower-bound') as unknown as EpsilonCase[];

const number = (text: string): number => (text === '-inf' ? Number.NEGATIVE_INFINITY : toNumber(parseRational(text)));

function isNear(value: number, exact: string): boolean {
  return value === number(exact) || Math.abs(value - number(exact)) <= 1e-9 * Math.abs(number(exact));
}

const frequenciesOf = ({ n1, k1, n0, k0 }: EpsilonCase['in']): NeighbourFrequencies => ({
  present: { events: k1, runs: n1 },
  absent: { events: k0, runs: n0 },
});

describe('lower bounds on ε', () => {
  test('there are 7 vectors', () => expect(cases).toHaveLength(7));

  test.each(cases)('$id', ({ in: input, out }) => {
    const bound = epsilonLowerBound(frequenciesOf(input), number(input.delta), number(input.alpha));
    expect(isNear(bound.event, out.eps_lower_bound)).toBe(true);
    expect(isNear(bound.complement, out.eps_lower_bound_complement)).toBe(true);
    const claimed = number(input.claimed_eps);
    expect(bound.event > claimed).toBe(out.violates_claim);
    expect(Math.max(bound.event, bound.complement) > claimed).toBe(out.violates_claim_either);
    // The p-value is the level at which the claim begins to be refuted.
    const pValue = epsilonTest(frequenciesOf(input), number(input.delta), claimed);
    expect(pValue <= number(input.alpha)).toBe(out.violates_claim_either);
  });

  test('broken twin: limits at the whole level instead of half of it are caught by the vectors', () => {
    const same = cases.filter(({ in: input, out }) =>
      isNear(
        epsilonLowerBound(frequenciesOf(input), number(input.delta), 2 * number(input.alpha)).event,
        out.eps_lower_bound,
      ),
    );
    expect(same.map(({ id }) => id)).toEqual(['eps-lower-bound-004']);
  });
});

describe('the ε test', () => {
  test('is valid for the mechanism that just keeps its ε, by enumeration', () => {
    const [present, absent, runs] = [proportion(Math.E / (1 + Math.E)), proportion(1 / (1 + Math.E)), 24];
    for (const level of [0.3, 0.05, 0.01]) {
      let rejected = 0;
      for (let k1 = 0; k1 <= runs; k1 += 1)
        for (let k0 = 0; k0 <= runs; k0 += 1) {
          const pValue = epsilonTest({ present: { events: k1, runs }, absent: { events: k0, runs } }, 0, 1);
          if (pValue <= level)
            rejected += binomialProbability(k1, runs, present) * binomialProbability(k0, runs, absent);
        }
      expect(rejected).toBeLessThanOrEqual(level);
    }
  });

  // One-sided errors: the honest mechanism is refuted in at most 2.5e-6 of runs, the broken one missed in under 1e-3.
  test('catches randomised response at ε = 2 that claims 1, and passes the honest one', () => {
    const source = seededSource(11);
    const hits = (epsilon: number, runs: number, truth: boolean): number => {
      const chance = 1 / (1 + Math.exp(truth ? -epsilon : epsilon));
      return Array.from({ length: runs }, () => source.uint32() / 2 ** 32 < chance).filter(Boolean).length;
    };
    const pValue = (epsilon: number): number => {
      const [runs, events] = [600, (truth: boolean) => hits(epsilon, 600, truth)];
      return epsilonTest({ present: { events: events(true), runs }, absent: { events: events(false), runs } }, 0, 1);
    };
    for (let seed = 0; seed < 20; seed += 1) {
      expect(pValue(1)).toBeGreaterThan(2.5e-6);
      expect(pValue(2)).toBeLessThanOrEqual(2.5e-6);
    }
  });
});
