import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/accounting.json' with { type: 'json' };
import paper from '../../test/vectors/sbh-paper.json' with { type: 'json' };
import {
  compare,
  divide,
  multiply,
  ONE,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../rational/rational.ts';
import { advancedComposition, leastOfBasicAndAdvanced } from './advanced-composition.ts';
import { basicComposition } from './basic-composition.ts';
import { shiftLoss } from './discrete-laplace-loss.ts';
import { commonStep, regridded } from './grid.ts';
import { groupPrivacy } from './group-privacy.ts';
import { deltaAt, epsilonAt } from './loss-curve.ts';
import { composed, composedTimes, type LossDistribution } from './loss-distribution.ts';
import { optimalEpsilon, optimalGrid, worstLoss } from './optimal-composition.ts';
import { epsilonByRenyi, epsilonOfRho, renyiDivergence, rhoOfDiscreteLaplace, rhoOfPure } from './zero-concentrated.ts';

/** 20 digits are printed; test/vectors/README.md asks for 1e-12 and 1e-9 only. */
const PRINTED = 2e-18;
/** The conversion by Rényi divergences is printed with 12 digits. */
const TWELVE_DIGITS = 1e-9;

function isNear(actual: Rational | null, printed: string, tolerance = PRINTED): boolean {
  if (actual === null) return false;
  const value = parseRational(printed);
  return Math.abs(toNumber(subtract(actual, value))) <= Math.abs(toNumber(value)) * tolerance;
}

function expectNear(actual: Rational | null, printed: string, tolerance = PRINTED): void {
  expect(isNear(actual, printed, tolerance), `${actual && toNumber(actual)} is not ${printed}`).toBe(true);
}

function expectExact(actual: Rational, printed: string): void {
  expect(compare(actual, parseRational(printed))).toBe(0);
}

type Curve = { delta_at_eps: Record<string, string>; eps_at_delta: Record<string, string> };

function expectCurve(loss: LossDistribution, { delta_at_eps, eps_at_delta }: Curve): void {
  for (const [epsilon, delta] of Object.entries(delta_at_eps)) expectNear(deltaAt(loss, parseRational(epsilon)), delta);
  for (const [delta, epsilon] of Object.entries(eps_at_delta))
    expectNear(epsilonAt(loss, parseRational(delta)), epsilon);
}

const ofKind = (kind: string) => vectors.cases.filter((one) => one.kind === kind);

type Composition = {
  id: string;
  in: { eps: string; delta: string; delta_prime: string; K: number };
  out: {
    basic: { eps: string; delta: string };
    advanced: { eps: string; delta: string };
    advanced_tight_drift: { eps: string; delta: string };
    best_of_basic_and_advanced: string;
    optimal: { eps: string; delta: string; smallest_delta_possible: string };
    kov_grid: { i: number; eps: string; delta: string }[];
  };
};

describe('composition', () => {
  const cases = ofKind('composition') as unknown as Composition[];
  test('there are 32 vectors', () => expect(cases).toHaveLength(32));

  test.each(cases)('$id', ({ in: { eps, delta, delta_prime, K }, out }) => {
    const one = { epsilon: parseRational(eps), delta: parseRational(delta) };
    const extra = parseRational(delta_prime);
    const basic = basicComposition(one, K);
    expectExact(basic.epsilon, out.basic.eps);
    expectExact(basic.delta, out.basic.delta);
    const advanced = advancedComposition(one, K, extra);
    expectNear(advanced.epsilon, out.advanced.eps);
    expectExact(advanced.delta, out.advanced.delta);
    expectNear(advancedComposition(one, K, extra, 'tight').epsilon, out.advanced_tight_drift.eps);
    expectNear(leastOfBasicAndAdvanced(one, K, extra).epsilon, out.best_of_basic_and_advanced);
    expectNear(optimalEpsilon(one, K, parseRational(out.optimal.delta)), out.optimal.eps);
    expectNear(rational(worstLoss(one, K).infinite, 1n << 192n), out.optimal.smallest_delta_possible);
    const grid = optimalGrid(one, K);
    for (const point of out.kov_grid) {
      expectExact(grid[point.i]!.epsilon, point.eps);
      expectNear(grid[point.i]!.delta, point.delta);
    }
  });

  test('broken twin: composition without the failures of each release is caught', () => {
    const { in: input, out } = cases.find(({ id }) => id === 'composition-008')!;
    const alone = composedTimes(shiftLoss(parseRational(input.eps), 1), input.K);
    expect(isNear(epsilonAt(alone, parseRational(out.optimal.delta)), out.optimal.eps, 1e-9)).toBe(false);
  });

  test('broken twin: ε on the grid only is not the optimal one', () => {
    const { in: input, out } = cases.find(({ id }) => id === 'composition-008')!;
    const one = { epsilon: parseRational(input.eps), delta: parseRational(input.delta) };
    const reached = optimalGrid(one, input.K).filter(
      ({ delta }) => compare(delta, parseRational(out.optimal.delta)) <= 0,
    );
    expect(isNear(reached.at(-1)!.epsilon, out.optimal.eps, 1e-9)).toBe(false);
  });
});

type Loss = { id: string; in: { b: string; sensitivity: number; K: number }; out: Curve & { kl_per_release: string } };

describe('privacy-loss distribution', () => {
  const cases = ofKind('pld') as unknown as Loss[];
  test('there are 32 vectors', () => expect(cases).toHaveLength(32));

  test.each(cases)('$id', ({ in: { b, sensitivity, K }, out }) => {
    const rate = divide(ONE, parseRational(b));
    expectCurve(composedTimes(shiftLoss(rate, sensitivity), K), out);
    const { step, first, masses } = shiftLoss(rate, sensitivity);
    const mean = masses.reduce((sum, mass, i) => sum + mass * BigInt(first + i), 0n);
    expectNear(multiply(step, rational(mean, 1n << 192n)), out.kl_per_release);
  });

  test('broken twin: two counts that move by one are not one count that moves by two', () => {
    const { in: input, out } = cases.find((one) => one.in.sensitivity === 2 && one.in.K === 4)!;
    const twin = composedTimes(shiftLoss(divide(ONE, parseRational(input.b)), 1), 2 * input.K);
    expect(() => expectCurve(twin, out)).toThrow();
  });
});

type Heterogeneous = { id: string; in: { eps_list: string[] }; out: Curve };

describe('releases with different ε', () => {
  const cases = ofKind('pld-heterogeneous') as unknown as Heterogeneous[];
  test('there are 3 vectors', () => expect(cases).toHaveLength(3));

  test.each(cases)('$id', ({ in: { eps_list }, out }) => {
    const list = eps_list.map(parseRational);
    const step = commonStep(list, parseRational('8'), 1000);
    expectCurve(list.map((epsilon) => regridded(shiftLoss(epsilon, 1), step)).reduce(composed), out);
  });
});

type Concentrated = {
  id: string;
  in: { eps: string };
  out: { rho_bound: string; rho_tight: string; renyi: Record<string, string>; rho_order_2: string };
};

describe('zero-concentrated', () => {
  const cases = ofKind('zcdp') as unknown as Concentrated[];
  test('there are 3 vectors', () => expect(cases).toHaveLength(3));

  test.each(cases)('$id', ({ in: { eps }, out }) => {
    const epsilon = parseRational(eps);
    expectExact(rhoOfPure(epsilon), out.rho_bound);
    const rho = rhoOfDiscreteLaplace(epsilon);
    expectNear(rho.lower, out.rho_tight);
    expectNear(rho.upper, out.rho_tight);
    for (const [order, divergence] of Object.entries(out.renyi)) {
      expectNear(renyiDivergence(epsilon, parseRational(order)).upper, divergence);
      expectNear(renyiDivergence(epsilon, parseRational(order)).lower, divergence);
    }
    expectNear(divide(renyiDivergence(epsilon, rational(2n)).upper, rational(2n)), out.rho_order_2);
  });
});

type ConcentratedComposed = {
  id: string;
  in: { eps: string; K: number; delta: string };
  out: {
    rho_bound_total: string;
    rho_tight_total: string;
    eps_standard_from_bound: string;
    eps_standard_from_tight: string;
    eps_renyi_conversion: string;
    eps_exact_pld: string;
    best: string;
  };
};

describe('zero-concentrated, composed', () => {
  const cases = ofKind('zcdp-composed') as unknown as ConcentratedComposed[];
  test('there are 24 vectors', () => expect(cases).toHaveLength(24));

  test.each(cases)('$id', ({ in: { eps, K, delta }, out }) => {
    const [epsilon, at] = [parseRational(eps), parseRational(delta)];
    const times = rational(BigInt(K));
    const bound = multiply(times, rhoOfPure(epsilon));
    const tight = multiply(times, rhoOfDiscreteLaplace(epsilon).upper);
    expectExact(bound, out.rho_bound_total);
    expectNear(tight, out.rho_tight_total);
    expectNear(epsilonOfRho(bound, at), out.eps_standard_from_bound);
    expectNear(epsilonOfRho(tight, at), out.eps_standard_from_tight);
    const byRenyi = epsilonByRenyi(epsilon, K, at);
    expectNear(byRenyi, out.eps_renyi_conversion, TWELVE_DIGITS);
    const exact = epsilonAt(composedTimes(shiftLoss(epsilon, 1), K), at)!;
    expectNear(exact, out.eps_exact_pld);
    expectNear(exact, out.best);
    expect(compare(exact, byRenyi)).toBeLessThanOrEqual(0);
  });
});

type Group = {
  id: string;
  in: { eps: string; delta: string; trips: number };
  out: { eps_group: string; delta_group: string; delta_group_basic_parallel: string };
};

describe('group privacy', () => {
  const cases = paper.cases.filter(({ kind }) => kind === 'group-privacy') as unknown as Group[];
  test('there are 3 vectors', () => expect(cases).toHaveLength(3));

  test.each(cases)('$id', ({ in: { eps, delta, trips }, out }) => {
    const group = groupPrivacy({ epsilon: parseRational(eps), delta: parseRational(delta) }, trips);
    expectExact(group.epsilon, out.eps_group);
    expectExact(group.deltaApart, out.delta_group_basic_parallel);
    expectNear(group.deltaTogether, out.delta_group);
  });

  test('δ of a group is never more than 1', () => {
    const group = groupPrivacy({ epsilon: parseRational('8'), delta: parseRational('1e-6') }, 10);
    expect(group.deltaTogether).toEqual(ONE);
  });
});
