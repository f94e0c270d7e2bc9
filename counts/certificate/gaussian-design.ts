import type { PrivacyParameters } from '../../contracts/certificate.ts';
import { makeCache } from '../../core/memory/function-cache.ts';
import { decimalDown, decimalUp } from '../../core/rational/decimal.ts';
import type { Interval } from '../../core/rational/interval.ts';
import {
  bitLength,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  rational,
  toNumber,
} from '../../core/rational/rational.ts';
import { smallestBetween } from '../../core/search/smallest-integer.ts';
import { impossible } from './amounts.ts';
import { gaussianDelta, type Moves, rhoOf } from './gaussian-curve.ts';
import { leftOutOfUnit, partsOfChange, tapsOfUnit, type UnitRule } from './l1-change.ts';
import type { Shares } from './split.ts';
import { UNITS } from './units.ts';

/** Who is protected, and how far one unit can move what is measured. */
export type CardRule = UnitRule & Pick<PrivacyParameters, 'clamp'>;

/** What is measured with noise of its own. */
const QUERIES = ['cells', 'time', 'location', 'bounded'] as const;
type Query = (typeof QUERIES)[number];

/** σ² of what is measured. */
export type Variances = Partial<Record<Query, Rational>> & { cells: Rational };

/** What is drawn and what is certified of it. */
export type GaussianDesign = { variances: Variances; rho: Rational; delta: { lower: string; upper: string } };

/** σ² of the cells is a multiple of this. */
const STEP = rational(1n, 100n);
/** Bits beyond those of δ by which most comparisons with it are decided. */
const SPARE_BITS = 12;
/** Bits beyond those of δ with which it is certified: its bounds are closer than a millionth. */
const CERTIFIED_BITS = 32;
/** No share has a greater denominator: the points of the lattice of losses grow with it. */
const GREATEST_DENOMINATOR = 1000n;
/** −log2 of the least δ, rounded up: the digits of every chance grow with it. */
const MOST_BITS = 101;
/** Designs that are kept: finding one takes seconds at most, and the same is asked for again and again. */
const DESIGNS_KEPT = 16;
const cache = makeCache<GaussianDesign>(DESIGNS_KEPT);

/** Counts of each query that move together, and by how much. */
type Changes = Record<Query, readonly Omit<Moves, 'variance'>[]>;

/**
 * The worst that one unit can move: cells and times by one in each of k counts, the numbers of locations by `place` in as
 * many counts as k allows and by the rest in one, left-out taps by all of `clamp` in one count; twice as many counts
 * where a unit is replaced. Every other change of a unit is dominated by it (gaussian-design.proof.md).
 *
 * @contract C1
 * @contract C8
 */
function worstChanges(rule: CardRule): Changes {
  const [taps, times] = [tapsOfUnit(rule), partsOfChange(rule)];
  const place = rule.place ?? 1;
  return {
    cells: [{ counts: times * taps, by: 1 }],
    time: [{ counts: times * taps, by: 1 }],
    location: [
      { counts: times * Math.floor(taps / place), by: place },
      { counts: times * (taps % place), by: 1 },
    ],
    bounded: [{ counts: times, by: leftOutOfUnit(rule) ?? 1 }],
  };
}

/** The same with the σ² of each query. Throws CERTIFICATE_IMPOSSIBLE for a rule that is not of cards. */
export function worstMoves(rule: CardRule, variances: Variances): Moves[] {
  const changes = worstChanges(rule);
  return QUERIES.flatMap((query) => {
    const variance = variances[query];
    return variance ? changes[query].filter(({ counts }) => counts > 0).map((one) => ({ ...one, variance })) : [];
  });
}

/**
 * The design for ε and δ: σ² of the cells is a multiple of 1/100 at which δ(ε) holds and one step below which it does
 * not, found by halving, and every other σ² follows exactly from the shares of ρ: 1/σ² is in proportion to share/B.
 * δ(ε) is not monotone in σ²: certified is this very design, which nobody may round. A pure function, whose results are
 * kept.
 *
 * Throws CERTIFICATE_IMPOSSIBLE when the rule is not of cards, δ is 0, or losses or noise would be too large.
 *
 * @contract C8
 * @contract C10
 */
export function gaussianDesign(rule: CardRule, epsilon: Rational, delta: Rational, shares: Shares): GaussianDesign {
  requireGaussian(rule, delta, shares);
  const { unit: _, publish: __, rows: ___, ...bound } = rule;
  const name = JSON.stringify([bound, epsilon, delta, shares], (__, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return cache(name, () => findDesign(rule, epsilon, delta, shares));
}

function requireGaussian(rule: CardRule, delta: Rational, { checks, ...shares }: Shares): void {
  if (UNITS[rule.unit].cardScope === null)
    throw impossible(`discrete-gaussian is for card units; ${rule.unit} has complete-domain, which costs no δ.`);
  // Of more than two the rest could move one location by 2, which worstChanges does not have.
  if (rule.place !== 1 && rule.place !== 2)
    throw impossible('discrete-gaussian needs place: how many taps of one card are counted at one location, 1 or 2.');
  if (delta.numerator === 0n) throw impossible('discrete-gaussian needs a δ above 0, such as 1e-8.');
  if (bitsOf(delta) > MOST_BITS)
    throw impossible(
      'discrete-gaussian needs a δ of at least 1e-30: a smaller one takes minutes to certify, and protects nobody more.',
    );
  if (checks)
    throw impossible('A row that cannot be read has no card: discrete-gaussian has no share for checks; leave it out.');
  for (const [name, { denominator }] of Object.entries(shares))
    if (denominator > GREATEST_DENOMINATOR)
      throw impossible(`split.${name} has a denominator above ${GREATEST_DENOMINATOR}; take a simpler fraction of ρ.`);
}

function findDesign(rule: CardRule, epsilon: Rational, delta: Rational, shares: Shares): GaussianDesign {
  const bits = bitsOf(delta);
  const movesAt = (step: number): Moves[] => worstMoves(rule, variancesAt(rule, shares, step));
  const step = smallestStep(guessOf(rule, epsilon, bits, shares), (at) =>
    compareWith(delta, bits + SPARE_BITS, (precision) => gaussianDelta(movesAt(at), epsilon, precision)),
  );
  const variances = variancesAt(rule, shares, step);
  const moves = worstMoves(rule, variances);
  for (let precision = bits + CERTIFIED_BITS; ; precision *= 2) {
    const { lower, upper } = gaussianDelta(moves, epsilon, precision);
    const bounds = { lower: decimalDown(lower), upper: decimalUp(upper) };
    const isClose = compare(multiply(lower, rational(1_000_001n, 1_000_000n)), parseRational(bounds.upper)) > 0;
    if (isClose && compare(parseRational(bounds.upper), delta) <= 0)
      return { variances, rho: rhoOf(moves), delta: bounds };
  }
}

/** Does δ(ε) of a step hold, and how far is it above the δ asked for, about, as a logarithm? */
type Answer = { holds: boolean; above: number };

/** Bounds come closer and closer until they decide; a δ so near that they cannot is taken not to hold. */
function compareWith(limit: Rational, first: number, bounds: (bits: number) => Interval): Answer {
  for (let bits = first; ; bits *= 2) {
    const { lower, upper } = bounds(bits);
    const above = Math.log(toNumber(divide(upper, limit)));
    if (compare(upper, limit) <= 0) return { holds: true, above };
    if (compare(lower, limit) > 0 || bits > 16 * first) return { holds: false, above };
  }
}

/** Without noise δ is 1. */
const NOTHING: Answer = { holds: false, above: Number.POSITIVE_INFINITY };

/** Up to this many steps halving is cheap, and δ need not be monotone. */
const FEW_STEPS = 2048;
/** Beyond, the other end of the range that holds the answer is sought in one of this many parts of it. */
const PART = 64;

/**
 * A step at which it holds and below which it does not: by halving from a power of two near the guess, and where that is
 * great by interpolation of the logarithm, with a question close by on the other side of each answer. At 0 there is no
 * noise, and it does not hold.
 */
function smallestStep(guess: number, ask: (step: number) => Answer): number {
  let high = 1;
  while (high < guess) high *= 2;
  let atHigh = ask(high);
  while (!atHigh.holds) {
    high *= 2;
    atHigh = ask(high);
  }
  const below = (step: number): [number, Answer] => [step, step === 0 ? NOTHING : ask(step)];
  let [low, atLow] = below(Math.floor(high / 2));
  while (atLow.holds) [high, atHigh, [low, atLow]] = [low, atLow, below(Math.floor(low / 2))];
  if (high <= FEW_STEPS) return smallestBetween(low, high, (step) => ask(step).holds);
  const narrow = (step: number): void => {
    if (step <= low || step >= high) return;
    const answer = ask(step);
    if (answer.holds) [high, atHigh] = [step, answer];
    else [low, atLow] = [step, answer];
  };
  while (high - low > 1) {
    const width = high - low;
    const between = Math.round((width * atLow.above) / (atLow.above - atHigh.above));
    narrow(low + Math.min(width - 1, Math.max(1, Number.isNaN(between) ? 1 : between)));
    const near = Math.max(1, Math.ceil(width / PART));
    narrow(atHigh.above > -atLow.above ? high - near : low + near);
  }
  return high;
}

/** Where the search begins: the step at which ρ + 2√(ρ·ln(1/δ)) = ε. Nothing that is certified rests on it. */
function guessOf(rule: CardRule, epsilon: Rational, bits: number, { cells }: Shares): number {
  const log = bits * Math.LN2;
  const rho = (Math.sqrt(log + toNumber(epsilon)) - Math.sqrt(log)) ** 2;
  return Number(squaresOf(worstChanges(rule).cells)) / (2 * rho * toNumber(cells) * toNumber(STEP));
}

/** B of each query: the most that one unit moves it, in squares. */
export const squaresOfUnit = (rule: CardRule): Record<Query, bigint> => {
  const { cells, time, location, bounded } = worstChanges(rule);
  return {
    cells: squaresOf(cells),
    time: squaresOf(time),
    location: squaresOf(location),
    bounded: squaresOf(bounded),
  };
};

/** B: the sum of the squares by which the counts of a query move. */
const squaresOf = (changes: Changes[Query]): bigint =>
  changes.reduce((sum, { counts, by }) => sum + BigInt(counts) * BigInt(by) ** 2n, 0n);

/** σ² of everything when that of the cells is this number of steps: B/σ² is in proportion to the shares. */
function variancesAt(rule: CardRule, shares: Shares, step: number): Variances {
  const changes = worstChanges(rule);
  const perShare = (query: Query): Rational | undefined =>
    shares[query] && divide(rational(squaresOf(changes[query])), shares[query]);
  const cells = multiply(STEP, rational(BigInt(step)));
  const unit = divide(cells, perShare('cells')!);
  const others = QUERIES.flatMap((query) => {
    const times = perShare(query);
    return times ? [[query, multiply(unit, times)]] : [];
  });
  return Object.fromEntries(others);
}

/** −log2 of a number below 1, rounded up. */
const bitsOf = ({ numerator, denominator }: Rational): number => bitLength(denominator) - bitLength(numerator) + 1;
