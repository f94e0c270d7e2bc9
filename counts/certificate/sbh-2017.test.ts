import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  divide,
  formatRational,
  multiply,
  parseRational,
  type Rational,
  rational,
  toNumber,
  ZERO,
} from '../../core/rational/rational.ts';
import vectors from '../../test/vectors/sbh-paper.json' with { type: 'json' };
import { certify } from './certify.ts';
import { realThreshold, sbhDelta, smallestPublished } from './sbh-2017.ts';
import { smallestThreshold } from './threshold.ts';

type Values = Record<string, string>;
type Table = Values & { min_published: number; discrete_T_at_delta: number } & Record<
    `discrete_T_at_delta_over_${2 | 4}`,
    number
  >;
type Lists = { eps: string[]; delta: string[] };

/** All vectors of one kind; `in` and `out` are read as the README of the vectors says. */
function cases<In, Out>(kind: string) {
  return vectors.cases.filter((one) => one.kind === kind) as unknown as { id: string; in: In; out: Out }[];
}

const sum = (texts: string[]) => texts.map(parseRational).reduce(add, ZERO);
const number = (text: string) => toNumber(parseRational(text));

function expectNear(actual: number, expected: string, tolerance = 1e-12): void {
  expect(Math.abs(actual - Number(expected))).toBeLessThanOrEqual(tolerance * Math.abs(Number(expected)));
}

/** Scale of a table for one trip that is counted in it once. */
const scaleOf = (eps: string, change = 2n) => divide(rational(change), parseRational(eps));

describe('parameters of the paper, vectors', () => {
  const parameters = cases<Lists, { tables: Table[] } & Values>('parameters');
  test('there are 3', () => expect(parameters).toHaveLength(3));

  test.each(parameters)('$id', ({ in: input, out }) => {
    out.tables.forEach((table, i) => {
      const [scale, delta] = [scaleOf(input.eps[i]!), parseRational(input.delta[i]!)];
      expect(formatRational(scale)).toBe(table.b);
      const t = realThreshold(scale, delta, 128);
      expectNear(toNumber(t.lower), table.t!, 1e-15);
      expectNear(toNumber(t.upper), table.t!, 1e-15);
      expect(formatRational(sbhDelta(delta, 1))).toBe(table.bad_event);
      expect(formatRational(divide(delta, rational(2n)))).toBe(table.bad_event_bound_in_paper);
      expect(smallestPublished(scale, delta)).toBe(table.min_published);
      const discrete = (parts: bigint) =>
        smallestThreshold([{ cells: 1, taps: 1 }], divide(rational(1n), scale), divide(delta, rational(parts)));
      expect(discrete(1n)).toBe(table.discrete_T_at_delta);
      expect(discrete(2n)).toBe(table.discrete_T_at_delta_over_2);
      expect(discrete(4n)).toBe(table.discrete_T_at_delta_over_4);
    });
    expect(formatRational(sum(input.eps))).toBe(out.eps_total);
    expect(formatRational(sum(input.delta))).toBe(out.delta_total);
    expect(formatRational(divide(sum(input.eps), rational(2n)))).toBe(out.eps_add_remove);
    // 1 − Π(1 − δ_j/4) over tables with their own δ, from the same function table by table.
    const tight = input.delta
      .map((delta) => sbhDelta(parseRational(delta), 1))
      .reduce((a, b) => add(a, multiply(b, add(rational(1n), multiply(rational(-1n), a)))));
    expect(formatRational(tight)).toBe(out.tight_delta_rational);
    expectNear(toNumber(tight), out.tight_delta_one_trip!);
    expectNear(toNumber(divide(sum(input.delta), tight)), out.ratio_claimed_to_tight!);
  });

  test('@contract C8 the certificate of the 2017 release has these numbers', () => {
    const { out } = parameters[0]!;
    const certificate = certify({
      mechanism: 'sbh-2017',
      unit: 'trip',
      neighbours: 'replace-one',
      publish: 'on+off',
      epsilon: out.eps_total!,
      delta: out.delta_total!,
      split: { time: '2', location: '2' },
    });
    expect(certificate.scale).toBe('1');
    expect(certificate.marginScales).toEqual({ time: '2', location: '2' });
    expect(certificate.threshold).toBe(18);
    expect(certificate.worstPattern).toEqual([1, 1, 1, 1, 1, 1]);
    const tight = parseRational(out.tight_delta_rational!);
    expect(compare(parseRational(certificate.deltaLower), tight)).toBeLessThanOrEqual(0);
    expect(compare(parseRational(certificate.deltaUpper), tight)).toBeGreaterThanOrEqual(0);
  });
});

describe('statements of the paper, vectors', () => {
  test.each(cases<{ delta_j: string; tables: number }, Values & Record<string, boolean>>('dyadic'))(
    '$id',
    ({ in: { delta_j, tables }, out }) => {
      const delta = parseRational(delta_j);
      const total = multiply(delta, rational(BigInt(tables)));
      expectNear(toNumber(divide(delta, rational(1n, 2n ** 23n))), out.delta_j_over_2_to_minus_23!);
      expectNear(toNumber(divide(divide(delta, rational(2n)), rational(1n, 2n ** 24n))), out.half_over_2_to_minus_24!);
      expect(formatRational(total)).toBe(out.sum);
      expect(compare(total, rational(1n, 2n ** 20n)) < 0).toBe(out.sum_below_2_to_minus_20);
      expect(compare(total, parseRational('1e-6')) < 0).toBe(out.sum_below_1e_minus_6);
      expectNear(Math.log2(toNumber(delta)), out.log2_delta_j!);
      expectNear(Math.log2(toNumber(total)), out.log2_sum!);
    },
  );

  test.each(cases<Lists, Values & { claim_holds: boolean }>('substitution-across-partitions'))(
    '$id',
    ({ in: input, out }) => {
      // Each of the two partitions sees one trip more or less: half of every ε_j.
      expect(formatRational(divide(sum(input.eps), rational(2n)))).toBe(out.eps_each_partition);
      expect(formatRational(sum(input.eps))).toBe(out.eps_total);
      expect(formatRational(sum(input.delta))).toBe(out.delta_claimed);
      const tight = sbhDelta(parseRational(input.delta[0]!), input.delta.length);
      expectNear(toNumber(tight), out.delta_total_tight!);
      expect(compare(tight, sum(input.delta)) <= 0).toBe(out.claim_holds);
    },
  );

  test.each(cases<{ eps: string; delta: string; trips: number }, Values>('group-privacy'))(
    '$id',
    ({ in: { eps, delta, trips }, out }) => {
      const epsilon = number(eps);
      expect(formatRational(multiply(parseRational(eps), rational(BigInt(trips))))).toBe(out.eps_group);
      expectNear((number(delta) * Math.expm1(trips * epsilon)) / Math.expm1(epsilon), out.delta_group!);
      expect(formatRational(multiply(parseRational(delta), rational(BigInt(trips))))).toBe(
        out.delta_group_basic_parallel,
      );
    },
  );

  test.each(cases<{ eps: string; beta: string; queries: number }, Values>('accuracy'))(
    '$id',
    ({ in: { eps, beta, queries }, out }) => {
      // Noise of scale 1/ε: P[|L| > x] = e^(−xε).
      const [epsilon, risk] = [number(eps), number(beta)];
      expectNear(-Math.log(risk) / epsilon, out.paper_bound!);
      expectNear(-Math.expm1(queries * Math.log1p(-risk)), out.true_failure_probability_of_paper_bound!);
      expectNear(-Math.log(-Math.expm1(Math.log1p(-risk) / queries)) / epsilon, out.exact_quantile_of_max!);
      expectNear(Math.log(queries / risk) / epsilon, out.union_bound!);
    },
  );
});

describe('cells of the paper, vectors', () => {
  const list = cases<{ eps: string; delta: string; c: number }, Values>('cell');
  test('there are 19', () => expect(list).toHaveLength(19));

  /** Laplace noise of scale b, tails as tails. */
  const above = (x: number, b: number) => (x >= 0 ? Math.exp(-x / b) / 2 : 1 - Math.exp(x / b) / 2);
  const below = (x: number, b: number) => above(-x, b);
  const between = (x: number, y: number, b: number): number => {
    if (x >= 0) return (Math.exp(-x / b) * -Math.expm1((x - y) / b)) / 2;
    return y <= 0 ? between(-y, -x, b) : 1 - below(x, b) - above(y, b);
  };

  test.each(list)('$id', ({ in: { eps, delta, c }, out }) => {
    const scale: Rational = scaleOf(eps);
    const [b, t] = [toNumber(scale), toNumber(realThreshold(scale, parseRational(delta), 128).lower)];
    const least = smallestPublished(scale, parseRational(delta));
    expectNear(t, out.t!);
    expectNear(below(t - c, b), out.p_suppressed!, 1e-12);
    expectNear(above(t - c, b), out.p_published!, 1e-12);
    // Published values n ≥ round(t): c + L falls within half a tap of n, and reaches t.
    const published = Array.from({ length: 60 * b + Math.max(0, c - least) }, (_, i) => least + i).map((n) => ({
      n,
      p: between(Math.max(n - 0.5, t) - c, n + 0.5 - c, b),
    }));
    const suppressed = c * below(t - c, b);
    const error = published.reduce((total, { n, p }) => total + Math.abs(n - c) * p, suppressed);
    expectNear(error, out.expected_abs_error!, 1e-9);
    const bias = published.reduce((total, { n, p }) => total + (n - c) * p, -suppressed);
    expect(Math.abs(bias - Number(out.bias))).toBeLessThan(1e-9 * Math.abs(Number(out.bias)) + 1e-13);
    expectNear(published.find(({ n }) => n === c)?.p ?? 0, out.p_exact!, 1e-9);
  });
});

test('broken twin: half the bad event, as the paper has it, is not the exact one', () => {
  const delta = parseRational('1/8000000');
  expect(compare(sbhDelta(delta, 1), divide(delta, rational(2n)))).toBe(-1);
  expect(compare(sbhDelta(divide(delta, rational(2n)), 1), sbhDelta(delta, 1))).not.toBe(0);
});
