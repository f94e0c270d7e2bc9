import { describe, expect, test } from 'vitest';
import { callsOf } from '../../test/support/calls-of.ts';
import vectors from '../../test/vectors/attacks.json' with { type: 'json' };
import { parseRational, toNumber } from '../rational/rational.ts';
import { sumBounds, sumHalfWidth, sumLaw, type Term } from './integer-sum.ts';
import { type IntegerNoise, noiseProbability, noiseTail, noiseVariance } from './noise-law.ts';

type Widths = Record<'0.95' | '0.99', { half_width: number; coverage: string }>;
type DifferenceCase = {
  id: string;
  in: { model: IntegerNoise; scales: string[] };
  out: { smallest_integer_half_width: Widths; p_zero: string };
};
type SumCase = {
  id: string;
  in: { cells: number; b: string };
  out: {
    variance: string;
    sd: string;
    p_zero: string;
    smallest_integer_half_width: Widths;
    real_laplace_variance: string;
  };
};

const differences = vectors.cases.filter(({ kind }) => kind === 'differencing-integer') as unknown as DifferenceCase[];
const sums = vectors.cases.filter(({ kind }) => kind === 'sum-of-cells') as unknown as SumCase[];
const number = (text: string): number => toNumber(parseRational(text));
const distance = (value: number, exact: string): number => Math.abs(value - Number(exact)) / Number(exact);

function expectWidths(model: IntegerNoise, terms: readonly Term[], widths: Widths): void {
  for (const confidence of ['0.95', '0.99'] as const) {
    const { halfWidth, coverage } = sumHalfWidth(model, terms, Number(confidence));
    expect(halfWidth).toBe(widths[confidence].half_width);
    expect(distance(coverage, widths[confidence].coverage)).toBeLessThan(1e-9);
  }
}

/** P[S = 0], P[S = 1], … by convolution, one noise after the other. */
function convolved(model: IntegerNoise, terms: readonly Term[], reach: number): number[] {
  let law = [1, ...Array<number>(2 * reach).fill(0)];
  for (const [scale, times] of terms)
    for (let time = 0; time < times; time += 1)
      law = law.map((_, s) => {
        let sum = 0;
        for (let x = -2 * reach; x <= 2 * reach; x += 1)
          sum += (law[Math.abs(s - x)] ?? 0) * noiseProbability(model, scale, x);
        return sum;
      });
  return law.slice(0, reach + 1);
}

const FEW: [name: string, terms: readonly Term[]][] = [
  ['one', [[3, 1]]],
  ['two', [[2, 2]]],
  [
    'three scales',
    [
      [0.3, 1],
      [1.4, 3],
      [5, 1],
    ],
  ],
  ['twelve', [[0.55, 12]]],
];
const WIDE: [name: string, terms: readonly Term[]][] = [
  ['one', [[65_536, 1]]],
  [
    'one, and a sharp one',
    [
      [65_536, 1],
      [0.5, 1],
    ],
  ],
  ['two', [[65_536, 2]]],
  [
    'margins of a card with sixteen taps',
    [
      [16_000, 96],
      [8_000, 694],
    ],
  ],
  [
    '100,000 places',
    [
      [65_536, 96],
      [65_536, 100_000],
    ],
  ],
];

describe('sums of integer noise', () => {
  test('there are 4 and 5 vectors', () => expect([differences.length, sums.length]).toEqual([4, 5]));

  test.each(differences)('$id', ({ in: input, out }) => {
    const terms = input.scales.map((scale): Term => [number(scale), 1]);
    expect(distance(sumLaw(input.model, terms).chances[0]!, out.p_zero)).toBeLessThan(1e-9);
    expectWidths(input.model, terms, out.smallest_integer_half_width);
  });

  test.each(sums)('$id', ({ in: input, out }) => {
    const [cells, b] = [input.cells, number(input.b)];
    const terms: Term[] = [[b, cells]];
    expect(distance(sumLaw('discrete-laplace', terms).chances[0]!, out.p_zero)).toBeLessThan(1e-9);
    expectWidths('discrete-laplace', terms, out.smallest_integer_half_width);
    expect(distance(cells * noiseVariance('discrete-laplace', b), out.variance)).toBeLessThan(1e-12);
    expect(distance(Math.sqrt(cells * noiseVariance('discrete-laplace', b)), out.sd)).toBeLessThan(1e-12);
    expect(distance(cells * noiseVariance('real-laplace', b), out.real_laplace_variance)).toBeLessThan(1e-12);
  });

  describe.each(['discrete-laplace', 'rounded-laplace'] as const)('%s, by convolution', (model) => {
    test.each(FEW)('%s', (_, terms) => {
      const reach = 150;
      const exact = convolved(model, terms, reach);
      const { width, chances } = sumLaw(model, terms);
      const bounds = sumBounds(model, terms);
      expect(width).toBe(1);
      let within = 0;
      for (const [s, chance] of exact.entries()) {
        expect(Math.abs((chances[s] ?? 0) - chance)).toBeLessThan(1.1e-12);
        within += (s === 0 ? 1 : 2) * chance;
        const { lower, upper } = bounds(s);
        expect(lower).toBeLessThanOrEqual(within + 1e-13);
        expect(upper).toBeGreaterThanOrEqual(within - 1e-13);
        expect(upper - lower).toBeLessThan(2.1e-12);
      }
    });
  });

  test('no noise at all, and noise so sharp that it is always 0', () => {
    for (const terms of [[], [[0.0001, 2]]] as Term[][]) {
      expect(sumHalfWidth('rounded-laplace', terms, 0.95).halfWidth).toBe(0);
      expect(sumBounds('discrete-laplace', terms)(0).lower).toBeGreaterThan(1 - 1e-11);
      expect(sumBounds('discrete-laplace', terms)(-1)).toEqual({ lower: 0, upper: 0 });
      expect(sumLaw('discrete-laplace', terms).chances).toEqual([1, 0]);
    }
  });

  // The second noise is so sharp that it is always 0.
  test('one very wide noise among others has its closed form within the bounds, though values of the transform are left out', () => {
    const bounds = sumBounds('discrete-laplace', [
      [65_536, 1],
      [0.0001, 1],
    ]);
    const alone = sumBounds('discrete-laplace', [[65_536, 1]]);
    for (const m of [0, 1, 1000, 65_536, 1_000_000, 2_000_000]) {
      const { lower, upper } = bounds(m);
      const exact = 1 - 2 * noiseTail('discrete-laplace', 65_536, m + 1);
      expect(lower).toBeLessThanOrEqual(exact);
      expect(upper).toBeGreaterThanOrEqual(exact);
      expect(upper - lower).toBeLessThan(2e-9);
      expect(alone(m).lower).toBeCloseTo(exact, 14);
      expect(alone(m).upper).toBeGreaterThanOrEqual(alone(m).lower);
    }
  });

  test('many wide noises are as good as normal, and their bins hold what the bounds say', () => {
    const terms: Term[] = [[65_536, 100_000]];
    const deviation = Math.sqrt(100_000 * noiseVariance('discrete-laplace', 65_536));
    const { halfWidth } = sumHalfWidth('discrete-laplace', terms, 0.95);
    expect(halfWidth / deviation).toBeCloseTo(1.95996, 4);
    const { width, chances } = sumLaw('discrete-laplace', terms);
    let within = -chances[0]!;
    for (const [bin, chance] of chances.entries()) {
      within += 2 * chance;
      if (bin % 500 === 0)
        expect(within).toBeCloseTo(sumBounds('discrete-laplace', terms)(bin * width + (width - 1) / 2).lower, 8);
    }
  });

  test.each(WIDE)('the cost stays what it is when the scales are 64 times as large: %s', (_, terms) => {
    const steps = (scaled: readonly Term[]): number =>
      callsOf('sin', () => sumBounds('discrete-laplace', scaled)(1000));
    const narrower = terms.map(([scale, times]): Term => [scale / 64, times]);
    expect(steps(terms)).toBeLessThan(3 * 2 ** 19 + 100);
    // One or two noises are summed up to a number of values that does not depend on the scale, more of them to far less.
    if (terms.reduce((sum, [, times]) => sum + times, 0) > 2) expect(steps(terms)).toBeLessThan(1.1 * steps(narrower));
    const { width, chances } = sumLaw('discrete-laplace', terms);
    expect(chances.length).toBeLessThanOrEqual(4098);
    expect(width % 2).toBe(1);
  });

  test('broken twin: the variance of real noise gives widths that the vectors refuse', () => {
    const tooWide = sums.filter(({ in: input, out }) => {
      const width = 1.959963984540054 * Math.sqrt(input.cells * noiseVariance('real-laplace', number(input.b)));
      return Math.ceil(width) !== out.smallest_integer_half_width['0.95'].half_width;
    });
    expect(tooWide.length).toBeGreaterThan(0);
  });
});
