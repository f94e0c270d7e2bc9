/**
 * Recomputes from the folder of a publication of taps what its certificate claims, in exact whole numbers: the sum of the
 * shares of ε, the scale of the noise, the threshold with its δ, or the floor with its chances; and a 95 % interval. It
 * imports nothing of Opaline, and needs Node alone:
 *
 *   node examples/readers/recompute.mjs FOLDER
 *
 * The formulas are those of the certificate's own statements. Let p(c) be the chance that a cell with c people is
 * published. With discrete Laplace noise of α = exp(−1/b), p(c) = α^(T−c)/(1+α) for c below T. One unit moves all counts
 * by D1 in total; when its cells vanish, δ is at most 1 − ∏(1 − p) over them: over one cell with all of the unit, or over
 * many with one each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Name the folder of a publication: node recompute.mjs FOLDER');
  process.exit(2);
}
const certificate = JSON.parse(readFileSync(join(folder, 'certificate.json'), 'utf8'));

/** Exact fractions of whole numbers. */
const gcd = (a, b) => (b === 0n ? a : gcd(b, a % b));
function fraction(numerator, denominator = 1n) {
  const divisor = gcd(numerator < 0n ? -numerator : numerator, denominator);
  return { n: numerator / divisor, d: denominator / divisor };
}
const parse = (text) => fraction(...String(text).split('/').map(BigInt));
const plus = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
const over = (a, b) => fraction(a.n * b.d, a.d * b.n);
const equal = (a, b) => a.n * b.d === b.n * a.d;
const show = ({ n, d }) => (d === 1n ? `${n}` : `${n}/${d}`);

/** Numbers between 0 and 1 as whole multiples of 10^−60; errors are below 10^−50. */
const ONE = 10n ** 60n;
const units = ({ n, d }) => (ONE * n) / d;
const mul = (a, b) => (a * b) / ONE;
function expMinus({ n, d }) {
  // exp(−n/d) = exp(−n/(d·2^k))^(2^k), by the series of the exponential.
  let halvings = 0n;
  while (n > d << halvings) halvings += 1n;
  const x = units({ n, d: d << halvings });
  let [sum, term] = [ONE, ONE];
  for (let k = 1n; term !== 0n; k += 1n) {
    term = -mul(term, x) / k;
    sum += term;
  }
  for (let k = 0n; k < halvings; k += 1n) sum = mul(sum, sum);
  return sum;
}
function power(base, exponent) {
  let result = ONE;
  for (let k = 0; k < exponent; k += 1) result = mul(result, base);
  return result;
}
const decimal = (value) => (Number(value / 10n ** 40n) / 1e20).toPrecision(6);

const say = (name, figure, claim, ok) => {
  console.log(`${ok ? 'ok ' : 'NO '} ${name}: ${figure} (claimed: ${claim})`);
  if (!ok) process.exitCode = 1;
};

// ε is the sum of its shares, or 1 that of shares of ρ; the scale is D1 over the share of the cells.
const isGaussian = certificate.mechanism === 'discrete-gaussian';
const shares = Object.values(certificate.split).map(parse);
const whole = isGaussian ? '1' : certificate.epsilon;
say('sum of the shares', show(shares.reduce(plus)), whole, equal(shares.reduce(plus), parse(whole)));
const changes = {
  tap: { 'add-remove': 1, 'replace-one': 2 },
  trip: { 'add-remove': 2, 'replace-one': 4 },
};
const perTrip = certificate.publish === 'on+off' ? 1 : 2;
const k = certificate.maxTaps ?? 0;
const d1 =
  certificate.unit === 'trip'
    ? changes.trip[certificate.neighbours] / perTrip
    : (changes[certificate.unit]?.[certificate.neighbours] ?? (certificate.neighbours === 'replace-one' ? 2 * k : k));
say('largest change D1', d1, certificate.d1, d1 === certificate.d1);
const scale = isGaussian ? parse(certificate.scale) : over(fraction(BigInt(d1)), parse(certificate.split.cells));
if (isGaussian) gaussianShares();
else say('scale b', show(scale), certificate.scale, equal(scale, parse(certificate.scale)));

/**
 * Discrete Gaussian noise: of each query B, the largest sum of squares by which one card moves it; ρ is the sum of
 * B/(2σ²), and each query has its share of it. δ at ε is what opaline-verify computes again.
 */
function gaussianShares() {
  const { place, clamp = 0, neighbours, split, marginScales, leftOutScale, rho } = certificate;
  const cards = neighbours === 'replace-one' ? 2 : 1;
  const ofPlaces = place ** 2 * Math.floor(k / place) + (k % place) ** 2;
  const queries = { cells: k, time: k, location: ofPlaces, bounded: clamp ** 2 };
  const variances = { cells: certificate.scale, ...marginScales, bounded: leftOutScale };
  const parts = Object.entries(split).map(([name]) =>
    over(fraction(BigInt(cards * queries[name])), over(parse(variances[name]), fraction(1n, 2n))),
  );
  const total = parts.reduce(plus);
  say('rho', show(total), rho, equal(total, parse(rho)));
  for (const [at, [name, share]] of Object.entries(split).entries())
    say(`share of ${name}`, show(over(parts[at], total)), share, equal(over(parts[at], total), parse(share)));
}

const alpha = isGaussian ? 0n : expMinus(over(fraction(1n), scale));
/** exp(−x²/(2σ²)) summed from m on. */
function weightFrom(m) {
  let sum = 0n;
  for (let x = BigInt(m); ; x += 1n) {
    const weight = expMinus(over(fraction(x * x), over(scale, fraction(1n, 2n))));
    if (weight < 10n ** 20n) return sum;
    sum += weight;
  }
}
const allWeights = isGaussian ? 2n * weightFrom(1) + ONE : ONE;
/** P[X ≥ m] for m ≥ 1: α^m/(1+α), or by summing. */
const tail = (m) => (isGaussian ? (weightFrom(m) * ONE) / allWeights : (power(alpha, m) * ONE) / (ONE + alpha));
/** P[c + X ≥ T]. */
const chance = (count, threshold) => (threshold > count ? tail(threshold - count) : ONE - tail(count - threshold + 1));

/** The most of one unit in one data set: half of what a replacement moves. */
const ownTaps = certificate.neighbours === 'replace-one' ? d1 / 2 : d1;
/** Counts of the cells that vanish with the unit: all in one where its taps may meet, else one in each. */
const together = [certificate.unit, certificate.rows ?? 'trips', certificate.neighbours, certificate.publish];
/** A tap of a trip that can be used, instead of one that cannot, brings the other end of its row with it. */
const alone = together.join() === 'tap,trips,replace-one,on+off' ? 2 : ownTaps;
const patterns = certificate.unit.startsWith('card') ? [[ownTaps], Array(ownTaps).fill(1)] : [Array(alone).fill(1)];
const deltaAt = (threshold) =>
  patterns
    .map((pattern) => ONE - pattern.reduce((product, count) => mul(product, ONE - chance(count, threshold)), ONE))
    .reduce((a, b) => (a > b ? a : b));
const limit = units(parse(certificate.delta));

if (certificate.mechanism === 'stability-histogram') {
  let threshold = ownTaps + 1;
  while (deltaAt(threshold) > limit) threshold += 1;
  say('threshold T', threshold, certificate.threshold, threshold === certificate.threshold);
  const delta = deltaAt(certificate.threshold);
  const claim = Number(certificate.deltaUpper);
  const close = Math.abs(Number(decimal(delta)) / claim - 1) < 0.02;
  say('delta at T', decimal(delta), certificate.deltaUpper, close && delta <= limit);
} else {
  if (!isGaussian) say('delta', '0', certificate.delta, parse(certificate.delta).n === 0n);
  if (certificate.floor !== undefined) {
    const lone = chance(certificate.unit.startsWith('card') && !isGaussian ? k : 1, certificate.floor);
    const empty = chance(0, certificate.floor);
    const within = (value, { lower, upper }) =>
      Number(decimal(value)) >= Number(lower) * 0.999 && Number(decimal(value)) <= Number(upper) * 1.001;
    const claim = certificate.shown.cell;
    say('chance of a lone unit', decimal(lone), claim.lone.upper, within(lone, claim.lone));
    say('chance of an empty cell', decimal(empty), claim.empty.upper, within(empty, claim.empty));
  }
}

// The interval of a published count: the smallest h with P[|X| > h] at most 5 %.
let half = 0;
while (2n * tail(half + 1) > ONE / 20n) half += 1;
const smallest = certificate.mechanism === 'stability-histogram' ? 1 : 0;
const count = (certificate.threshold ?? 0) + 100;
const low = Math.max(smallest, count - half);
const { reading } = JSON.parse(readFileSync(join(folder, 'privacy.json'), 'utf8'));
say('95 % of all noise', `±${half}`, `±${reading.noiseHalfWidth95}`, half === reading.noiseHalfWidth95);
const sentence = `Of a published ${count} the true count lies between ${low} and ${count + half}`;
say('interval', sentence, reading.example, reading.example.startsWith(sentence));
