import { describe, expect, test } from 'vitest';
import { optimalEpsilon } from '../../../core/accounting/optimal-composition.ts';
import { compare, divide, multiply, ONE, parseRational, rational, toNumber } from '../../../core/rational/rational.ts';
import { perStopGuarantee } from './per-stop.ts';
import { casesOf } from './vehicle-models.fixture.ts';

const guarantee = (epsilon: string, delta: string) => ({
  epsilon: parseRational(epsilon),
  delta: parseRational(delta),
});

describe('composition over the stops of a run', () => {
  test.each(casesOf('stops-composition'))('%s', (_, { in: given, out }) => {
    const stop = guarantee(given.eps_per_stop, given.delta_per_stop);
    const total = optimalEpsilon(stop, given.stops, parseRational(given.delta_total));
    expect(toNumber(total!)).toBeCloseTo(Number(out.eps_optimal), 9);
  });

  test('a stop gets its part of ε when that is the best, and when δ is 0', () => {
    expect(perStopGuarantee(10, guarantee('4', '1e-5'))).toEqual(guarantee('2/5', '1e-6'));
    expect(perStopGuarantee(40, guarantee('4', '0'))).toEqual(guarantee('1/10', '0'));
  });

  test('it gets more where optimal composition allows it: all stops together keep ε and δ, and a step more would not', () => {
    const run = guarantee('2', '1e-5');
    const stop = perStopGuarantee(40, run);
    const part = divide(run.epsilon, rational(40n));
    expect(compare(stop.epsilon, multiply(part, parseRational('1.2')))).toBe(1);
    const total = optimalEpsilon(stop, 40, run.delta)!;
    expect(compare(total, run.epsilon)).toBeLessThanOrEqual(0);
    const step = multiply(part, rational(1n, 64n));
    const more = {
      ...stop,
      epsilon: {
        ...rational(
          stop.epsilon.numerator * step.denominator + step.numerator * stop.epsilon.denominator,
          stop.epsilon.denominator * step.denominator,
        ),
      },
    };
    expect(compare(optimalEpsilon(more, 40, run.delta) ?? ONE, run.epsilon)).toBe(1);
  });
});
