/** The most real noises that are summed: beyond it the partial fractions lose their digits. */
const MOST = 16;

/** One part of the law of a sum: weight times the law of a sum of `noises` Laplace noises of this scale. */
type Part = { weight: number; scale: number; noises: number };

/**
 * P[L₁ + … + L_k > x] for x ≥ 0, k real Laplace noises of scale 1: e^(−x) times a polynomial of degree k−1, integrated
 * term by term from the density, e^(−x)/((k−1)!·2^k) · Σ_j (k−1+j)!/((k−1−j)!·j!·2^j) · x^(k−1−j). All terms are
 * positive.
 */
function unitTail(noises: number, x: number): number {
  const degree = noises - 1;
  // of x^(degree − j) in the density
  let coefficient = 0.5 ** noises;
  for (let i = 2; i <= degree; i += 1) coefficient /= i;
  let sum = 0;
  for (let j = 0; j <= degree; j += 1) {
    sum += coefficient * incompletePower(degree - j, x);
    coefficient *= ((degree + j + 1) * (degree - j)) / (2 * (j + 1));
  }
  return Math.exp(-x) * sum;
}

/** e^x·∫ from x to ∞ of e^(−y)·y^p dy = Σ_i p!/i!·x^i. */
function incompletePower(p: number, x: number): number {
  let sum = 1;
  for (let i = 1; i <= p; i += 1) sum = i * sum + x ** i;
  return sum;
}

/** Coefficients of (1 + factor·u)^(−exponent) up to u^last. */
function binomialSeries(factor: number, exponent: number, last: number): number[] {
  const series = [1];
  for (let n = 1; n <= last; n += 1) series.push((series[n - 1]! * -factor * (exponent + n - 1)) / n);
  return series;
}

function multiplySeries(a: readonly number[], b: readonly number[]): number[] {
  return a.map((_, n) => a.slice(0, n + 1).reduce((sum, value, i) => sum + value * b[n - i]!, 0));
}

/**
 * The law of a sum of independent Laplace noises as a mixture of sums of equal scales: partial fractions of its
 * transform Π 1/(1 − b²w) (laplace-sum.proof.md).
 */
function parts(scales: readonly number[]): Part[] {
  const distinct = [...new Set(scales)].map((scale) => ({ scale, noises: scales.filter((b) => b === scale).length }));
  return distinct.flatMap(({ scale, noises }) => {
    let series = [1, ...Array<number>(noises - 1).fill(0)];
    for (const other of distinct) {
      if (other.scale === scale) continue;
      const ratio = (other.scale / scale) ** 2;
      const front = (1 - ratio) ** -other.noises;
      const factors = binomialSeries(ratio / (1 - ratio), other.noises, noises - 1);
      series = multiplySeries(
        series,
        factors.map((value) => front * value),
      );
    }
    return series.map((weight, power) => ({ weight, scale, noises: noises - power }));
  });
}

/**
 * P[Σ L_i > x] for independent real Laplace noises of the given scales, x ≥ 0; exact. For three of scale 1 it is
 * e^(−x)(x² + 5x + 8)/16. Throws RangeError for no scale or more than 16: counts are integers, and integer-sum.ts has
 * no such limit.
 */
export function laplaceSumTail(scales: readonly number[], x: number): number {
  if (scales.length === 0 || scales.length > MOST) throw new RangeError(`between 1 and ${MOST} real noises are summed`);
  if (x < 0) return 1 - laplaceSumTail(scales, -x);
  return parts(scales).reduce((sum, { weight, scale, noises }) => sum + weight * unitTail(noises, x / scale), 0);
}

/** The h > 0 with P[|Σ L_i| ≤ h] = confidence, 0 < confidence < 1. */
export function laplaceSumHalfWidth(scales: readonly number[], confidence: number): number {
  const missed = 1 - confidence;
  let [low, high] = [0, Math.max(...scales)];
  while (2 * laplaceSumTail(scales, high) > missed) high *= 2;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    if (2 * laplaceSumTail(scales, middle) > missed) low = middle;
    else high = middle;
  }
}
