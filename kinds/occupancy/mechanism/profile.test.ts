import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { OpalineError } from '../../../contracts/errors.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { divide, parseRational } from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import { isAbove, occupancyDelta } from '../../../test/oracles/occupancy-delta.ts';
import { type Objective, profileValue } from './objective.ts';
import { perStopGuarantee } from './per-stop.ts';
import { certifyDelta, optimalProfile, type Profile } from './profile.ts';
import { certifyProfile } from './profile-certificate.ts';
import { anyModel, casesOf, modelOf, VDL } from './vehicle-models.fixture.ts';
import { WEIGHT_BITS } from './weights.ts';

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

const LOGARITHM = { kind: 'log-likelihood' } as const;
const fraction = (text: string): [bigint, bigint] => {
  const { numerator, denominator } = parseRational(text);
  return [numerator, denominator];
};

/** A profile for texts of ε and δ. */
const profileOf = (
  model: Profile['model'],
  epsilon: string,
  delta: string,
  objective: Objective = LOGARITHM,
  group = 1,
): Profile =>
  optimalProfile(model, { epsilon: parseRational(epsilon), delta: parseRational(delta), group, objective }, solve);

const worthOf = ({ model, weights }: Profile) =>
  profileValue(
    model,
    weights.map((row) => row.map((weight) => Number(weight) / 2 ** WEIGHT_BITS)),
  );

/** Rows that add up to 2^40, and a δ that is at most the one asked for by the definition of δ. */
function expectPrivate({ weights, request }: Profile): void {
  for (const row of weights) expect(row.reduce((sum, weight) => sum + weight, 0n)).toBe(1n << BigInt(WEIGHT_BITS));
  const { epsilon, delta, group } = request;
  const worst = occupancyDelta(weights, [epsilon.numerator, epsilon.denominator], group);
  expect(isAbove(worst, [delta.numerator, delta.denominator])).toBe(false);
}

describe('the best profile', () => {
  test.each(casesOf('profile'))('%s: the optimum to 1e-6, and its weights are private', (_, one) => {
    const { in: given, out } = one;
    const model = modelOf(given.minimum_counts, given.maximum_count);
    const likely = profileOf(model, given.eps, given.delta);
    expect(Math.abs(worthOf(likely).meanLogLikelihood - Number(out.optimum_mean_loglik))).toBeLessThan(1e-6);
    const probable = profileOf(model, given.eps, given.delta, { kind: 'probability' });
    expect(Math.abs(worthOf(probable).meanTrueProbability - Number(out.optimum_mean_true))).toBeLessThan(1e-6);
    for (const profile of [likely, probable]) expectPrivate(profile);
  });

  test('certified-profile: of any vehicle model, privacy, objective and group is private', () => {
    const anyObjective = fc.constantFrom<Objective['kind']>('log-likelihood', 'probability', 'distance');
    const group = fc.integer({ min: 1, max: 3 });
    fc.assert(
      fc.property(
        anyModel,
        fc.constantFrom('1/5', '1', '3'),
        fc.constantFrom('0', '1e-9', '1e-5', '1e-2'),
        anyObjective,
        group,
        (model, epsilon, delta, kind, size) => {
          const costs = model.categories.map((_, off) => off ** 2);
          const profile = profileOf(model, epsilon, delta, kind === 'distance' ? { kind, costs } : { kind }, size);
          expectPrivate(profile);
          expect(certifyProfile(profile, 'digest').largestDelta).toBeDefined();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('is better than the one that gradient descent found for the same model, in the mean and in the worst row', () => {
    const [[, printed]] = casesOf('table-check') as [ReturnType<typeof casesOf<'table-check'>>[number]];
    const value = worthOf(profileOf(VDL, '1', '1e-5'));
    expect(value.meanLogLikelihood).toBeGreaterThan(Number(printed.out.mean_loglik_normalised) + 9e-4);
    expect(value.worstTrueProbability).toBeGreaterThan(Number(printed.out.worst_true) + 3.8e-3);
  });

  test('uses δ up, to 1 in 100,000', () => {
    const { weights, request } = profileOf(VDL, '1', '1e-5');
    const worst = occupancyDelta(weights, [1n, 1n]);
    expect(isAbove(worst, [99_999n, 10_000_000_000n])).toBe(true);
    expect(certifyDelta(weights, { ...request, delta: parseRational('0.99999e-5') })).toBeNull();
  });

  test('protects a group of two better than the closed form for one person', () => {
    const two = profileOf(VDL, '1', '1e-5', { kind: 'probability' }, 2);
    expect(two.method).toBe('linear program');
    expectPrivate(two);
    const one = profileOf(VDL, '1', '1e-5');
    expect(certifyDelta(one.weights, { ...one.request, group: 2 })).toBeNull();
  });

  const failing: LinearProgramSolver = () => ({ Status: 'Infeasible', ObjectiveValue: 0, Columns: {} });
  const giving: LinearProgramSolver = () => {
    throw new Error('HiGHS error -1');
  };

  test('is the closed form where the solver fails, which is private for any vehicle', () => {
    fc.assert(
      fc.property(
        anyModel,
        fc.constantFrom('1/1000', '1/5', '1', '16'),
        fc.constantFrom('0', '1e-9', '1e-3', '1/2'),
        fc.constantFrom(failing, giving),
        (model, epsilon, delta, solver) => {
          const amounts = { epsilon: parseRational(epsilon), delta: parseRational(delta) };
          const profile = optimalProfile(model, { ...amounts, group: 1, objective: LOGARITHM }, solver);
          expect(profile.method).toBe('closed form');
          expectPrivate(profile);
        },
      ),
    );
  });

  test('is made for plain parameters, whatever the solver makes of them', () => {
    for (const counts of [
      [0, 10, 20, 30],
      [0, 5, 20, 35],
      [0, 1, 21, 31],
    ])
      for (const [delta, departures] of [
        ['1e-3', 2],
        ['1e-6', 4],
      ] as const)
        for (const factor of ['2', '2.649']) {
          const run = { epsilon: parseRational('1/2'), delta: divide(parseRational(delta), parseRational(factor)) };
          const request = { ...perStopGuarantee(departures, run), group: 1, objective: LOGARITHM };
          expectPrivate(optimalProfile(modelOf(counts, 40), request, solve));
        }
  });

  test('of a group is refused in one sentence when the solver fails', () => {
    const request = { epsilon: parseRational('1/2'), delta: parseRational('0'), group: 2, objective: LOGARITHM };
    for (const solver of [failing, giving])
      expect(() => optimalProfile(modelOf([0, 1, 2, 3], 5), request, solver)).toThrow('could not be solved');
    expect(() => optimalProfile(modelOf([0, 1, 2, 3], 9000), { ...request, group: 9 }, failing)).toThrow('too large');
    for (const epsilon of ['1/1001', '16.001']) expect(() => profileOf(VDL, epsilon, '0')).toThrow('an ε from');
    for (const delta of ['-1/9', '0.501']) expect(() => profileOf(VDL, '1', delta)).toThrow('a δ from');
  });
});

describe('the certificate of a profile', () => {
  /** The certificate's code of refusal, or null. */
  function refusal(profile: Profile): string | null {
    try {
      certifyProfile(profile, 'digest');
      return null;
    } catch (error) {
      return error instanceof OpalineError ? error.code : 'none';
    }
  }

  test('refuses wrong profiles: a unit too much δ, one per cent too much, a row that does not add up', () => {
    const honest = profileOf(VDL, '1', '1e-5');
    expect(refusal(honest)).toBeNull();
    const tooMuch = profileOf(VDL, '1', '1.01e-5');
    expect(refusal({ ...tooMuch, request: honest.request })).toBe('CERTIFICATE_IMPOSSIBLE');
    const withUnits = (units: bigint) => ({
      ...honest,
      weights: honest.weights.map((row, passengers) =>
        passengers === 16
          ? row.map((weight, category) => (category === 5 ? units : category === 1 ? weight - units : weight))
          : row,
      ),
    });
    expect(refusal(withUnits(BigInt(Math.floor(1e-5 * 2 ** WEIGHT_BITS)) + 1n))).toBe('CERTIFICATE_IMPOSSIBLE');
    const longer = { ...honest, weights: honest.weights.map((row) => row.map((weight) => weight + 1n)) };
    expect(refusal(longer)).toBe('CERTIFICATE_IMPOSSIBLE');
  });

  test('states exact amounts, and that losses add up', () => {
    const certificate = certifyProfile(profileOf(VDL, '1', '1e-5'), 'digest');
    expect(certificate).toMatchObject({
      epsilon: '1',
      delta: '1/100000',
      group: 1,
      method: 'closed form',
      weightBits: 40,
    });
    expect(Number(certificate.largestDelta.upper)).toBeLessThanOrEqual(1e-5);
    expect(certificate.assumptions.join(' ')).toContain('add up');
    expect(fraction(certificate.delta)).toEqual([1n, 100_000n]);
  });
});
