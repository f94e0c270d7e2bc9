import { convolution } from '../../core/accounting/convolution.ts';
import { boundDecay, boundProduct, gaussianWeights } from '../../core/random/gaussian-thresholds.ts';
import type { FixedBounds } from '../../core/random/threshold-table.ts';
import type { Interval } from '../../core/rational/interval.ts';
import {
  add,
  bitLength,
  commonMeasure,
  commonWhole,
  divide,
  floorOf,
  multiply,
  type Rational,
  rational,
  subtract,
  ZERO,
} from '../../core/rational/rational.ts';
import { impossible } from './amounts.ts';

/** How many counts move by this whole number each when one unit changes, and the σ² of the noise on each. */
export type Moves = { readonly variance: Rational; readonly counts: number; readonly by: number };

/** Points of the lattice of losses, beyond which the curve would take minutes. */
const MOST_POINTS = 2 ** 22;
/** Bits beyond those asked for, which take up what is rounded off the chances of a law. */
const GUARD_BITS = 24;

/** ρ = Σ n²/(2σ²) over all counts, each moved by its n: zero-concentrated differential privacy, exactly. */
export const rhoOf = (moves: readonly Moves[]): Rational =>
  moves
    .map(({ variance, counts, by }) => divide(rational(BigInt(counts) * BigInt(by) ** 2n, 2n), variance))
    .reduce(add, ZERO);

/** Chances of the integers from `from` on, in units of 2^−places, each rounded down. */
type Law = { readonly from: number; readonly chances: readonly bigint[] };

/**
 * δ(ε) of counts with discrete Gaussian noise that move so: P[L > ε] − e^ε·P[−L > ε] of the loss L = ρ + Σ (n/σ²)·X,
 * a sum over all counts, X their noise. It is the tight δ of this change, alike in both directions. The bounds are at
 * most about 2^−bits apart and enclose it whatever was cut off or rounded (gaussian-curve.proof.md).
 *
 * Throws CERTIFICATE_IMPOSSIBLE when the losses have more than 2^22 points, before any work.
 *
 * @contract C8
 * @contract C10
 */
export const gaussianDelta = (moves: readonly Moves[], epsilon: Rational, bits: number): Interval =>
  gaussianCurve(moves, bits)(epsilon);

/** The same for any ε: the laws, which take most of the time, are made once. Throws as gaussianDelta does. */
export function gaussianCurve(moves: readonly Moves[], bits: number): (epsilon: Rational) => Interval {
  const groups = moves.filter(({ counts }) => counts > 0);
  const { unit, steps } = latticeOf(groups);
  const reaches = groups.map((one) => reachOf(one, bits));
  const points = reaches.reduce((sum, reach, i) => sum + Number(steps[i]) * (2 * reach + 1), 0);
  if (points > MOST_POINTS)
    throw impossible(
      `The privacy losses have ${points.toExponential(1)} points, and ${MOST_POINTS} are the most; take simpler shares, such as 4/5, or fewer taps.`,
    );
  const places = bits + GUARD_BITS;
  const [first, ...others] = groups.map((one, i) => sumLaw(one, reaches[i]!, places));
  // Of what all others are multiples of, the lattice of the others need not have the points between.
  const [step, ...stepsOfOthers] = steps.map(Number);
  const wider = stepsOfOthers.reduce(commonWhole, 0) || 1;
  const rest = others
    .map((law, i) => stretch(law, stepsOfOthers[i]! / wider))
    .reduce((a, b) => convolve(a, b, places), { from: 0, chances: [1n << BigInt(places)] });
  const [spread, rho] = [stretch(rest, wider), rhoOf(groups)];
  return (epsilon) =>
    hockeyStick(first!, step!, spread, { unit, beyond: divide(subtract(epsilon, rho), unit), places });
}

/** The greatest number of which the n/σ² are all multiples, and how many of it each is. */
function latticeOf(moves: readonly Moves[]): { unit: Rational; steps: bigint[] } {
  const rates = moves.map(({ variance, by }) => divide(rational(BigInt(by)), variance));
  const unit = rates.reduce(commonMeasure);
  return { unit, steps: rates.map((rate) => divide(rate, unit).numerator) };
}

/** Sums of such noises beyond it have a chance of about 2^−bits; what is cut off there is counted as lost. */
const reachOf = ({ variance, counts }: Moves, bits: number): number =>
  Math.ceil(Math.sqrt((2 * Math.LN2 * bits * counts * Number(variance.numerator)) / Number(variance.denominator)));

/** The law of the sum of the noises of all these counts. */
function sumLaw({ variance, counts }: Moves, reach: number, places: number): Law {
  const all = multiply(variance, rational(BigInt(counts)));
  return isSmooth(variance, counts, places)
    ? noiseLaw(all, reach, places, 1n)
    : squareLaw(variance, counts, reach, places);
}

/**
 * Is the sum of `counts` noises N_Z(0, counts·σ²) to within less than a unit? It is, once counts·e^(−π²σ²) is small
 * enough, and 71/1000 is above ln 2/π².
 */
const isSmooth = ({ numerator, denominator }: Rational, counts: number, places: number): boolean =>
  1000n * numerator >= 71n * BigInt(places + bitLength(BigInt(counts)) + 8) * denominator;

/** The same for any σ², by squaring; each part is cut at the reach of the whole. */
function squareLaw(variance: Rational, counts: number, reach: number, places: number): Law {
  let square = noiseLaw(variance, reach, places, 0n);
  let law: Law | null = null;
  for (let rest = counts; ; square = cut(convolve(square, square, places), reach)) {
    if (rest % 2 === 1) law = law === null ? square : cut(convolve(law, square, places), reach);
    rest = Math.floor(rest / 2);
    if (rest === 0) return law!;
  }
}

/** N_Z(0, σ²) up to the reach; `less` units are taken off every chance. */
function noiseLaw(variance: Rational, reach: number, places: number, less: bigint): Law {
  const { down, up, beyond } = gaussianWeights(variance, places + GUARD_BITS);
  const whole = 2n * up.reduce((sum, weight) => sum + weight, beyond) - up[0]!;
  const chances = down.slice(0, reach + 1).map((weight) => {
    const chance = (weight << BigInt(places)) / whole - less;
    return chance > 0n ? chance : 0n;
  });
  return { from: 1 - chances.length, chances: [...chances.slice(1).reverse(), ...chances] };
}

function convolve(a: Law, b: Law, places: number): Law {
  const sums = convolution(a.chances, b.chances).map((chance) => chance >> BigInt(places));
  return { from: a.from + b.from, chances: sums };
}

function cut({ from, chances }: Law, reach: number): Law {
  const excess = Math.max(0, -reach - from);
  return { from: from + excess, chances: chances.slice(excess, chances.length - excess) };
}

/** The law of `times` times the integer. */
function stretch({ from, chances }: Law, times: number): Law {
  const spread = new Array<bigint>((chances.length - 1) * times + 1).fill(0n);
  for (const [at, chance] of chances.entries()) spread[at * times] = chance;
  return { from: from * times, chances: spread };
}

/** The unit of losses, the loss ε in units, counted from ρ, and the places of chances. */
type Lattice = { readonly unit: Rational; readonly beyond: Rational; readonly places: number };

/**
 * Σ P[S]·P[A]·(1 − e^(ε − loss)) over the losses ρ + unit·(step·S + A) above ε, S of the first law and A of the rest.
 * For each A the sum over S is T − e^(ε − loss)·W of the smallest S: T the chance of it and all above, W the same
 * weighted by e^(−loss) from there on.
 */
function hockeyStick(first: Law, step: number, rest: Law, { unit, beyond, places }: Lattice): Interval {
  const shift = BigInt(places);
  const start = Number(floorOf(beyond)) + 1;
  // The least S that is asked for, of the greatest A.
  const least = Math.min(first.from, Math.ceil((start - (rest.from + rest.chances.length - 1)) / step));
  const { tails, weighted } = tailsFrom(
    least,
    first,
    boundDecay(multiply(unit, rational(BigInt(step))), places),
    shift,
  );
  const ofStart = boundDecay(multiply(unit, subtract(rational(BigInt(start)), beyond)), places);
  const perUnit = boundDecay(unit, places);
  const decays = [ofStart];
  while (decays.length < step) decays.push(boundProduct(decays.at(-1)!, perUnit, shift));
  let [lower, upper] = [0n, 0n];
  for (const [at, chance] of rest.chances.entries()) {
    if (chance === 0n) continue;
    const smallest = Math.ceil((start - rest.from - at) / step);
    const tail = tails[smallest - least];
    if (tail === undefined) continue;
    const decay = decays[rest.from + at + step * smallest - start]!;
    const weight = weighted[smallest - least]!;
    const down = tail - ((decay.upper * weight.upper) >> shift) - 1n;
    if (down > 0n) lower += chance * down;
    upper += chance * (tail - ((decay.lower * weight.lower) >> shift));
  }
  const whole = 1n << (2n * shift);
  const slack = whole - sumOf(first.chances) * sumOf(rest.chances);
  return { lower: rational(lower, whole), upper: rational(upper + slack, whole) };
}

/** For each S from `least` on: the chance of S and all above, and Σ P[s]·e^(−loss of s − S) over these. */
function tailsFrom(least: number, { from, chances }: Law, decay: FixedBounds, shift: bigint) {
  const length = from + chances.length - least;
  const tails = new Array<bigint>(length);
  const weights = new Array<FixedBounds>(length);
  let [tail, weight]: [bigint, FixedBounds] = [0n, { lower: 0n, upper: 0n }];
  for (let at = length - 1; at >= 0; at--) {
    const chance = chances[least + at - from] ?? 0n;
    const later = boundProduct(weight, decay, shift);
    tail += chance;
    weight = { lower: later.lower + chance, upper: later.upper + chance };
    tails[at] = tail;
    weights[at] = weight;
  }
  return { tails, weighted: weights };
}

const sumOf = (chances: readonly bigint[]): bigint => chances.reduce((sum, chance) => sum + chance, 0n);
