import type { Certificate } from '../../contracts/certificate.ts';
import { expBounds, type Interval } from '../../core/rational/interval.ts';
import {
  divide,
  multiply,
  ONE,
  parseRational,
  type Rational,
  rational,
  toNumber,
} from '../../core/rational/rational.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';
import { gaussianLaw } from '../oracles/discrete-gaussian-law.ts';
import type { Noise } from '../support/draw-rows.ts';
import type { TableRows } from '../support/table-of-rows.ts';

/**
 * The law of what a pipeline puts out, by going through all noise: the pipeline is a black box that is run once for
 * every value of its noise in a range. Probabilities are pairs of integers in units of 2^-BITS, rounded outward.
 */
export type Bounds = { lower: bigint; upper: bigint };
export type Law = {
  outputs: ReadonlyMap<string, Bounds> /** At most this probability lies outside the ranges. */;
  outside: bigint;
};
export type Pipeline = (
  noise: Noise,
  counts: readonly CellCount[],
  domain: PublicDomain,
  certificate: Certificate,
) => TableRows;

const BITS = 160;
export const UNIT = 1n << BigInt(BITS);
/** Beyond it a test takes too long; its parameters have to be chosen better. */
const RUNS_MAX = 150_000;

const down = ({ numerator, denominator }: Rational): bigint => (numerator << BigInt(BITS)) / denominator;
const up = (x: Rational): bigint => down(x) + 1n;
const times = (a: Bounds, b: Bounds): Bounds => ({
  lower: (a.lower * b.lower) >> BigInt(BITS),
  upper: ((a.upper * b.upper) >> BigInt(BITS)) + 1n,
});
const quotient = (a: Bounds, b: Bounds): Bounds => ({
  lower: (a.lower << BigInt(BITS)) / b.upper,
  upper: (a.upper << BigInt(BITS)) / b.lower + 1n,
});

const boundsOf = ({ lower, upper }: Interval): Bounds => ({ lower: down(lower), upper: up(upper) });

/** e^x in units of 2^-BITS. */
export const exponential = (x: Rational): Bounds => boundsOf(expBounds(x, BITS + 32));

/** Probabilities of noise X for the magnitudes 0…reach, and of |X| > reach. */
type NoiseLaw = { magnitudes: Bounds[]; outside: bigint };

/** The law of discrete Laplace noise of scale b. */
export function laplaceLaw(scale: string, reach: number): NoiseLaw {
  const rate = divide(ONE, parseRational(scale));
  const power = (n: number) => exponential(multiply(rational(BigInt(-n)), rate));
  const alpha = power(1);
  const under = { lower: UNIT + alpha.lower, upper: UNIT + alpha.upper };
  const head = quotient({ lower: UNIT - alpha.upper, upper: UNIT - alpha.lower }, under);
  const magnitudes = Array.from({ length: reach + 1 }, (_, n) => (n === 0 ? head : times(head, power(n))));
  return { magnitudes, outside: quotient({ lower: 0n, upper: 2n * power(reach + 1).upper }, under).upper };
}

type Variable = { kind: keyof Noise; key: string };

/** The noise that the pipeline asks for, in order, each once; what it asks for must not depend on the answers. */
function variablesOf(run: (noise: Noise) => unknown, answer: number): Variable[] {
  const asked: Variable[] = [];
  const ask =
    (kind: keyof Noise) =>
    (...key: string[]): number => {
      asked.push({ kind, key: key.join('|') });
      return answer;
    };
  run({ cell: ask('cell'), time: ask('time'), location: ask('location'), leftOut: ask('leftOut') });
  if (new Set(asked.map(({ kind, key }) => `${kind} ${key}`)).size !== asked.length)
    throw new Error('the pipeline asks for the same noise twice');
  return asked;
}

const scaleOf = ({ scale, marginScales, leftOutScale }: Certificate, kind: keyof Noise): string =>
  ({ cell: scale, ...marginScales, leftOut: leftOutScale })[kind]!;

/** The law of one noise, to about the smallest reach at which at most `lost` (a number) of the probability is lost. */
function lawOfNoise(certificate: Certificate, kind: keyof Noise, lost: number): NoiseLaw {
  const amount = parseRational(scaleOf(certificate, kind));
  const logarithm = Math.log(2 / lost);
  if (certificate.mechanism !== 'discrete-gaussian')
    return laplaceLaw(scaleOf(certificate, kind), Math.max(2, Math.ceil(toNumber(amount) * logarithm)));
  // P[|X| ≥ x] ≤ 2·e^(−x²/(2σ²)).
  const reach = Math.max(2, Math.ceil(Math.sqrt(2 * toNumber(amount) * logarithm)) - 1);
  const { magnitudes, outside } = gaussianLaw(amount, reach, BITS + 32);
  return { magnitudes: magnitudes.map(boundsOf), outside: up(outside) };
}

/** `lost`: about how much probability may be outside the ranges of all noise together. */
export function lawOf(
  pipeline: Pipeline,
  certificate: Certificate,
  domain: PublicDomain,
  counts: readonly CellCount[],
  lost: number,
): Law {
  const run = (noise: Noise) => pipeline(noise, counts, domain, certificate);
  const variables = variablesOf(run, 0);
  if (JSON.stringify(variablesOf(run, 50)) !== JSON.stringify(variables))
    throw new Error('which noise the pipeline asks for depends on the noise');
  const ranges = variables.map(({ kind }) => lawOfNoise(certificate, kind, lost / variables.length));
  const runs = ranges.reduce((product, { magnitudes }) => product * (2 * magnitudes.length - 1), 1);
  if (runs > RUNS_MAX) throw new Error(`${runs} runs are too many`);

  const answers = new Map<string, number>();
  const answer =
    (kind: keyof Noise) =>
    (...key: (Tap | string)[]): number =>
      answers.get(`${kind} ${key.join('|')}`)!;
  const noise: Noise = {
    cell: answer('cell'),
    time: answer('time'),
    location: answer('location'),
    leftOut: answer('leftOut'),
  };
  const outputs = new Map<string, Bounds>();
  const visit = (place: number, probability: Bounds): void => {
    const variable = variables[place];
    if (variable === undefined) {
      const output = JSON.stringify(run(noise));
      const known = outputs.get(output) ?? { lower: 0n, upper: 0n };
      outputs.set(output, { lower: known.lower + probability.lower, upper: known.upper + probability.upper });
      return;
    }
    const { magnitudes } = ranges[place]!;
    const reach = magnitudes.length - 1;
    for (let x = -reach; x <= reach; x++) {
      answers.set(`${variable.kind} ${variable.key}`, x);
      visit(place + 1, times(probability, magnitudes[Math.abs(x)]!));
    }
  };
  visit(0, { lower: UNIT, upper: UNIT });
  return { outputs, outside: ranges.reduce((sum, { outside }) => sum + outside, 0n) };
}

/**
 * Bounds on Σ_o max(0, P(o) − e^ε·Q(o)). What is outside the ranges of P can add at most its probability, and what
 * is outside the ranges of Q can take away e^ε times its probability.
 */
export function hockeyStickOf(p: Law, q: Law, epsilon: Rational): Bounds {
  const factor = exponential(epsilon);
  const by = (f: bigint, x: bigint) => (f * x) >> BigInt(BITS);
  const nothing = { lower: 0n, upper: 0n };
  let [lower, upper] = [-by(factor.upper, q.outside) - 1n, p.outside];
  for (const [output, mine] of p.outputs) {
    const other = q.outputs.get(output) ?? nothing;
    const least = mine.lower - by(factor.upper, other.upper) - 1n;
    const most = mine.upper - by(factor.lower, other.lower);
    if (least > 0n) lower += least;
    if (most > 0n) upper += most;
  }
  return { lower: lower > 0n ? lower : 0n, upper };
}

/** A rational in units of 2^-BITS, rounded up. */
export const inUnits = up;
