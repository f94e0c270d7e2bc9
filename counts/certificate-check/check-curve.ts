import { type Fraction, order } from './enclosure.ts';

/** `counts` numbers that each move by this whole number, with noise N_Z(0, σ²). */
export type Moved = { counts: number; by: number; variance: Fraction };

/** Nodes beyond which nothing is computed; those at which the integrand is nothing cost next to no time. */
const MOST_NODES = 2 ** 24;
/** Parts of the integrand smaller than this part of its greatest are left out. */
const NEGLIGIBLE = 1e-24;

/** The tilt in spreads, at least, so that sums beyond the nodes count for nothing. */
const LEAST_TILT = 2;
/** What the sums below can be wrong by, as part of the answer, for each factor by which they are greater than it. */
const ROUNDING = 1e-11;

/**
 * δ(ε) of counts that move so, in floating point, by a way of its own: the loss is ρ + u·N, N an integer of known Laplace
 * transform M, and δ is the mean of M(z)·K(z) over a circle |e^z| = e^θ, K the transform of (1 − e^(−u(n − t)))₊
 * (check-curve.proof.md). `error` bounds the relative error. Null when the lattice is too large, or nothing moves.
 */
export function curveAt(moves: readonly Moved[], epsilon: Fraction): { delta: number; error: number } | null {
  const { unit, steps } = lattice(moves);
  const groups = moves.map(({ counts, variance }, i) => ({
    counts,
    step: Number(steps[i]),
    variance: asNumber(variance),
  }));
  // However noise is tilted, its variance is at most σ² + 1/4.
  const spread = Math.sqrt(
    groups.reduce((sum, { counts, step, variance }) => sum + counts * step * step * (variance + 0.25), 0),
  );
  const nodes = 2 * Math.ceil(20 * spread + 30 * groups.reduce((sum, { step }) => sum + step, 0));
  if (!(nodes <= MOST_NODES && spread > 0)) return null;
  // t = (ε − ρ)/u, and n₀ the first integer above it.
  const t = divide(less(epsilon, rhoOfMoves(moves)), unit);
  const floor = t.n >= 0n ? t.n / t.d : -((-t.n + t.d - 1n) / t.d);
  const kernel = { u: asNumber(unit), n0: Number(floor) + 1, gap: 1 - asNumber(less(t, { n: floor, d: 1n })) };
  const size = (tilt: number): number =>
    groups.reduce((sum, group) => sum + group.counts * logTheta(group.variance, group.step * tilt), 0) +
    logKernel(kernel, tilt);
  const tilt = lowest(size, LEAST_TILT / spread);
  const greatest = size(tilt);
  let sum = 0.5;
  let parts = 0.5;
  for (let node = 1; node <= nodes / 2; node++) {
    const angle = (2 * Math.PI * node) / nodes;
    let [logSize, turn] = [0, 0];
    for (const { counts, step, variance } of groups) {
      const phase = angleOf(step * node, nodes);
      if (isNothing(variance, counts, phase)) {
        logSize = Number.NEGATIVE_INFINITY;
        break;
      }
      const { log, argument } = thetaRatio(variance, step * tilt, phase);
      logSize += counts * log;
      turn += counts * argument;
      if (logSize < Math.log(NEGLIGIBLE)) break;
    }
    if (logSize < Math.log(NEGLIGIBLE)) continue;
    const { log, argument } = kernelRatio(kernel, tilt, angle);
    const part = Math.exp(logSize + log) * (2 * node === nodes ? 0.5 : 1);
    sum += part * Math.cos(turn + argument);
    parts += part;
  }
  const delta = (2 * sum * Math.exp(greatest)) / nodes;
  return { delta, error: (ROUNDING * parts) / Math.abs(sum) };
}

/** The greatest number of which all by/σ² are multiples, and which multiples they are. */
function lattice(moves: readonly Moved[]): { unit: Fraction; steps: bigint[] } {
  const rates = moves.map(({ by, variance }) => ({ n: BigInt(by) * variance.d, d: variance.n }));
  const denominator = rates.reduce((all, { d }) => all * d, 1n);
  const whole = rates.map(({ n, d }) => (n * denominator) / d);
  const divisor = whole.reduce((a, b) => {
    let [x, y] = [a, b];
    while (y > 0n) [x, y] = [y, x % y];
    return x;
  }, 0n);
  return { unit: { n: divisor, d: denominator }, steps: whole.map((one) => one / divisor) };
}

/** Σ by²/(2σ²) over all counts. */
export const rhoOfMoves = (moves: readonly Moved[]): Fraction =>
  moves.reduce(
    (sum, { counts, by, variance: { n, d } }) => ({
      n: sum.n * 2n * n + BigInt(counts) * BigInt(by) ** 2n * d * sum.d,
      d: sum.d * 2n * n,
    }),
    { n: 0n, d: 1n },
  );

const less = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });
const divide = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });

/** The nearest number to within a few units in the last place. */
export function asNumber({ n, d }: Fraction): number {
  const size = order({ n, d }, { n: 0n, d: 1n }) < 0 ? -n : n;
  const shift = BigInt(Math.max(0, size.toString(2).length - d.toString(2).length - 64));
  const more = BigInt(Math.max(0, d.toString(2).length - size.toString(2).length + 64));
  const quotient = Number((size << more) / (d << shift)) * 2 ** (Number(shift) - Number(more));
  return n < 0n ? -quotient : quotient;
}

/** From this σ² on Poisson's sum is the shorter one. */
const WIDE = 0.5;

/** ln Σ_x e^(−x²/(2σ²) + θx) − ln Σ_x e^(−x²/(2σ²)) for a real θ. */
function logTheta(variance: number, tilt: number): number {
  const centre = variance * tilt;
  const own = sizeOf(sumAbout(variance, centre - Math.round(centre), 0));
  // e^(−x²/(2σ²) + θx) = e^(θ²σ²/2)·e^(−(x − θσ²)²/(2σ²))
  return (tilt * centre) / 2 + Math.log(own) - Math.log(sizeOf(sumAbout(variance, 0, 0)));
}

type Complex = { re: number; im: number };
const sizeOf = ({ re, im }: Complex): number => Math.hypot(re, im);

/**
 * Σ_x e^(−(x − c)²/(2σ²) + isx) over all integers x, for |c| ≤ 1/2 and |s| ≤ π, up to a factor that depends on σ²
 * alone.
 */
function sumAbout(variance: number, c: number, s: number): Complex {
  const sum = { re: 0, im: 0 };
  if (variance < WIDE) {
    for (let x = -9; x <= 9; x++) {
      const size = Math.exp(-((x - c) ** 2) / (2 * variance));
      sum.re += size * Math.cos(s * x);
      sum.im += size * Math.sin(s * x);
    }
    return sum;
  }
  // Poisson: √(2πσ²)·Σ_k e^(−σ²(s + 2πk)²/2)·e^(i(s + 2πk)c)
  for (let k = -4; k <= 4; k++) {
    const frequency = s + 2 * Math.PI * k;
    const size = Math.exp((-variance * frequency * frequency) / 2);
    sum.re += size * Math.cos(frequency * c);
    sum.im += size * Math.sin(frequency * c);
  }
  return sum;
}

/** 2π·turns/nodes, from −π to π, with no rounding before the last. */
function angleOf(turns: number, nodes: number): number {
  const rest = turns % nodes;
  return (2 * Math.PI * (2 * rest > nodes ? rest - nodes : rest)) / nodes;
}

/**
 * Is the characteristic function of this number of noises below what is left out? For a wide one it is at most
 * 2.2·e^(−σ²s²/2).
 */
const isNothing = (variance: number, counts: number, angle: number): boolean =>
  variance >= WIDE && counts * ((variance * angle * angle) / 2 - 0.8) > -Math.log(NEGLIGIBLE);

/** The theta sum at θ + is over that at θ: the characteristic function of tilted noise. */
function thetaRatio(variance: number, tilt: number, angle: number): { log: number; argument: number } {
  const centre = variance * tilt;
  const whole = Math.round(centre);
  const above = sumAbout(variance, centre - whole, angle);
  // The sum is about the nearest integer, whose own turn comes first.
  return {
    log: Math.log(sizeOf(above)) - Math.log(sizeOf(sumAbout(variance, centre - whole, 0))),
    argument: angle * whole + Math.atan2(above.im, above.re),
  };
}

type Kernel = { u: number; n0: number; gap: number };

/**
 * K(z) = Σ_{n ≥ n₀} e^(−nz)(1 − e^(−u(n − t))) = e^(−n₀z)·((1 − d) + a(d − v))/((1 − a)(1 − av)), a = e^(−z), v = e^(−u),
 * d = e^(−u·gap), gap = n₀ − t: its logarithm at a real θ.
 */
function logKernel({ u, n0, gap }: Kernel, tilt: number): number {
  const top = -Math.expm1(-u * gap) + Math.exp(-tilt - u) * Math.expm1(u * (1 - gap));
  return Math.log(top) - n0 * tilt - Math.log(-Math.expm1(-tilt)) - Math.log(-Math.expm1(-tilt - u));
}

/** K(θ + is) over K(θ). */
function kernelRatio({ u, n0, gap }: Kernel, tilt: number, angle: number): { log: number; argument: number } {
  const [flat, slope] = [-Math.expm1(-u * gap), Math.exp(-tilt - u) * Math.expm1(u * (1 - gap))];
  const top = { re: flat + slope * Math.cos(angle), im: -slope * Math.sin(angle) };
  const bottom = (rate: number): Complex => ({
    re: -Math.expm1(-rate) + Math.exp(-rate) * 2 * Math.sin(angle / 2) ** 2,
    im: Math.exp(-rate) * Math.sin(angle),
  });
  const [first, second] = [bottom(tilt), bottom(tilt + u)];
  const turnOf = ({ re, im }: Complex): number => Math.atan2(im, re);
  return {
    log:
      Math.log(sizeOf(top) / (flat + slope)) +
      Math.log(-Math.expm1(-tilt) / sizeOf(first)) +
      Math.log(-Math.expm1(-tilt - u) / sizeOf(second)),
    argument: turnOf(top) - turnOf(first) - turnOf(second) - n0 * angle,
  };
}

/** About where a convex function is least, from `least` on: any point serves, and this one best. */
function lowest(value: (x: number) => number, least: number): number {
  let [low, high] = [least, 2 * least];
  while (value(2 * high) < value(high)) high *= 2;
  high *= 2;
  for (let turn = 0; turn < 60; turn++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (value(a) < value(b)) high = b;
    else low = a;
  }
  return low;
}
