import type { Mechanism } from '../../contracts/certificate.ts';
import { gaussianThresholds } from '../../core/random/gaussian-thresholds.ts';
import { expBounds, type Interval } from '../../core/rational/interval.ts';
import { divide, multiply, ONE, type Rational, rational } from '../../core/rational/rational.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { impossible } from './amounts.ts';
import { publicationProbability } from './tight-delta.ts';

/** Bounds in units of 2^−places: of P[X = ±size], and of P[X ≥ from] for from ≥ 1. */
export type NoiseTable = { chance(size: number): bigint; tail(from: number): bigint };

/** What floors have to know of the noise X on a cell (cell-noise.proof.md). */
export type NoiseOfCell = {
  /** Bounds on P[X ≥ from], from ≥ 1. */
  tail(from: number, bits: number): Interval;
  /** The law for sizes up to `most`, rounded down and up. */
  table(most: number, places: number): Record<'down' | 'up', NoiseTable>;
};

/** The noise of a mechanism by the number of its certificate: a scale b, or σ². */
export function cellNoise(mechanism: Mechanism, scale: Rational): NoiseOfCell {
  switch (MECHANISMS[mechanism].drawnNoise) {
    case 'discrete-laplace':
    case 'real-laplace':
      return laplaceNoise(divide(ONE, scale));
    case 'discrete-gaussian':
      return gaussianNoise(scale);
  }
}

const laplaceNoise = (rate: Rational): NoiseOfCell => ({
  tail: (from, bits) => publicationProbability(0, from, rate, bits),
  table: (most, places) => laplaceTable(rate, most, places),
});

/** α^k for k = 0…most, α = e^(−rate), and the factors (1 − α)/(1 + α) and 1/(1 + α), each down and up. */
function laplaceTable(rate: Rational, most: number, places: number): Record<'down' | 'up', NoiseTable> {
  const [one, shift] = [1n << BigInt(places), BigInt(places)];
  const alpha = expBounds(multiply(rational(-1n), rate), places);
  const [low, high] = [alpha.lower, alpha.upper].map(({ numerator, denominator }) => (numerator * one) / denominator);
  const side = (value: bigint, head: bigint, tail: bigint, carry: bigint): NoiseTable => {
    const powers = [one];
    for (let k = 1; k <= most; k++) powers.push(((powers[k - 1]! * value) >> shift) + carry);
    return {
      chance: (size) => ((powers[size]! * head) >> shift) + carry,
      tail: (from) => ((powers[from]! * tail) >> shift) + carry,
    };
  };
  const [least, greatest] = [low!, high! + 1n];
  return {
    down: side(least, ((one - greatest) * one) / (one + greatest), (one * one) / (one + greatest), 0n),
    up: side(greatest, ((one - least) * one) / (one + least) + 1n, (one * one) / (one + least) + 1n, 1n),
  };
}

/** Where the square is this many times σ², a tail is below e^(−650) and says nothing. */
const DEEPEST = 1300n;

function gaussianNoise(variance: Rational): NoiseOfCell {
  const thresholds = gaussianThresholds(variance);
  return {
    tail(from, bits) {
      if (BigInt(from) ** 2n * variance.denominator > DEEPEST * variance.numerator)
        throw impossible(
          'The floor is so far above the noise that nobody alone would ever be shown; take a smaller one.',
        );
      const { lower, upper } = thresholds(2 * from - 2, bits);
      const unit = 2n << BigInt(bits);
      return { lower: rational(lower, unit), upper: rational(upper, unit) };
    },
    table(_, places) {
      const one = 1n << BigInt(places);
      const above = (size: number) => (size === 0 ? { lower: one, upper: one } : thresholds(2 * size - 2, places));
      const below = (size: number) => thresholds(Math.max(0, 2 * size - 1), places);
      const atLeastNothing = (chance: bigint): bigint => (chance > 0n ? chance : 0n);
      return {
        down: {
          chance: (size) => atLeastNothing(above(size).lower - below(size).upper),
          tail: (from) => above(from).lower >> 1n,
        },
        up: { chance: (size) => above(size).upper - below(size).lower, tail: (from) => (above(from).upper >> 1n) + 1n },
      };
    },
  };
}
