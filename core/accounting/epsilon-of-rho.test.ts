import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/discrete-gaussian.json' with { type: 'json' };
import { compare, formatRational, parseRational, type Rational, rational, toNumber } from '../rational/rational.ts';
import { epsilonOfRho } from './epsilon-of-rho.ts';

type Given = { id: string; rho: string; delta: string; epsilon: string };

const given = vectors.cases.flatMap(({ id, kind, in: asked, out }): Given[] => {
  const fields: Partial<Record<string, unknown>> = { ...asked, ...out };
  const [rho, delta, epsilon] = [fields.rho, fields.delta, kind === 'rho-eps' ? fields.eps : fields.eps_of_rho];
  return rho && delta && epsilon ? [{ id, rho: `${rho}`, delta: `${delta}`, epsilon: `${epsilon}` }] : [];
});

/** The infimum in floating point, by thirds of the logarithm of a − 1: other arithmetic, and every order. */
function infimum(rho: number, delta: number): number {
  const at = (log: number) => {
    const [above, order] = [Math.exp(log), 1 + Math.exp(log)];
    return order * rho + (-Math.log(delta) + above * Math.log(above / order) - Math.log(order)) / above;
  };
  let [low, high] = [-20, 20];
  for (let turn = 0; turn < 200; turn += 1) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (at(a) < at(b)) high = b;
    else low = a;
  }
  return at(low);
}

const rhos = fc
  .tuple(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 10n ** 6n))
  .map(([numerator, denominator]) => rational(numerator, denominator))
  .filter((rho) => compare(rho, rational(10n ** 4n)) <= 0);
const deltas = fc.constantFrom(...['1e-4', '1e-6', '1e-8', '1e-12', '1/7'].map(parseRational));
const epsilonOf = (rho: Rational, delta: Rational): Rational => parseRational(epsilonOfRho(rho, delta)!);

describe('C12: ε at the δ of a policy beside ρ', () => {
  test.each(given)(
    '$id is an upper bound, and a ten-thousandth above the best one at most',
    ({ rho, delta, epsilon }) => {
      const shown = Number(epsilonOfRho(parseRational(rho), parseRational(delta)));
      // The values of the vectors have eight digits and more.
      expect(shown / Number(epsilon)).toBeGreaterThan(1 - 1e-7);
      expect(shown / Number(epsilon)).toBeLessThan(1.0001);
    },
  );

  test('there are vectors of years and of single sums', () => expect(given.length).toBeGreaterThan(6));

  test('it is at least the infimum over all orders, and near it', () => {
    fc.assert(
      fc.property(rhos, deltas, (rho, delta) => {
        const [shown, least] = [Number(epsilonOfRho(rho, delta)), infimum(toNumber(rho), toNumber(delta))];
        expect(shown).toBeGreaterThanOrEqual(Math.max(0, least) * (1 - 1e-9));
        if (least > 1e-3 && toNumber(delta) < 1e-3) expect(shown / least).toBeLessThan(1.0002);
      }),
    );
  });

  test('it never falls when ρ grows, by however little', () => {
    fc.assert(
      fc.property(rhos, fc.bigInt(1n, 10n ** 30n), deltas, (rho, parts, delta) => {
        const more = { numerator: rho.numerator * parts + rho.denominator, denominator: rho.denominator * parts };
        expect(compare(epsilonOf(more, delta), epsilonOf(rho, delta))).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('nothing costs nothing, and without a δ there is none', () => {
    expect(epsilonOfRho(parseRational('0'), parseRational('1e-6'))).toBe('0');
    expect(epsilonOfRho(parseRational('1'), parseRational('0'))).toBeNull();
    expect(formatRational(parseRational(epsilonOfRho(parseRational('1'), parseRational('1e-6'))!))).not.toBe('1');
  });
});
