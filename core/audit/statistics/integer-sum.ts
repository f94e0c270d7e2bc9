import { type IntegerNoise, noiseProbability } from './noise-law.ts';

/** A law on the integers that is symmetric about 0: entry i is P[S = ±i] of one sign. */
export type SymmetricLaw = readonly number[];

/** Ends of a law that hold less than this are cut off: all cuts of one sum stay far below any level in use. */
const TRIMMED = 1e-24;

/** The law of one noise value. */
function noiseLaw(model: IntegerNoise, scale: number): SymmetricLaw {
  const law: number[] = [];
  for (let x = 0; x < 2 || law[x - 1]! > TRIMMED; x += 1) law.push(noiseProbability(model, scale, x));
  return law;
}

/** The law of the sum of two independent symmetric integers. */
function convolve(a: SymmetricLaw, b: SymmetricLaw): SymmetricLaw {
  const law: number[] = [];
  for (let s = 0; s <= a.length + b.length - 2; s += 1) {
    let sum = 0;
    for (let x = Math.max(1 - a.length, s - b.length + 1); x < a.length && x <= s + b.length - 1; x += 1)
      sum += a[Math.abs(x)]! * b[Math.abs(s - x)]!;
    law.push(sum);
  }
  while (law.length > 1 && law.at(-1)! < TRIMMED) law.pop();
  return law;
}

/** The law of the sum of so many independent values, by repeated doubling. */
function repeated(law: SymmetricLaw, times: number): SymmetricLaw {
  let [sum, doubled]: [SymmetricLaw, SymmetricLaw] = [[1], law];
  for (let rest = times; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) sum = convolve(sum, doubled);
    if (rest > 1) doubled = convolve(doubled, doubled);
  }
  return sum;
}

/** The law of the sum of independent integer noises with these scales. No scales: the constant 0. */
export const noiseSum = (model: IntegerNoise, scales: readonly number[]): SymmetricLaw =>
  [...new Set(scales)].reduce<SymmetricLaw>(
    (law, scale) => convolve(law, repeated(noiseLaw(model, scale), scales.filter((other) => other === scale).length)),
    [1],
  );

/** P[S = s] for any integer s. */
export const sumProbability = (law: SymmetricLaw, s: number): number => law[Math.abs(s)] ?? 0;

/** P[S ≥ s] for an integer s, summed from the far end when s > 0. */
export function sumTail(law: SymmetricLaw, s: number): number {
  if (s <= 0) return 1 - sumTail(law, 1 - s);
  let sum = 0;
  for (let i = law.length - 1; i >= s; i -= 1) sum += law[i]!;
  return sum;
}

/** The smallest integer h with P[|S| ≤ h] ≥ confidence, and that probability. */
export function integerHalfWidth(law: SymmetricLaw, confidence: number): { halfWidth: number; coverage: number } {
  const missed = (h: number): number => 2 * sumTail(law, h + 1);
  let halfWidth = 0;
  while (missed(halfWidth) > 1 - confidence) halfWidth += 1;
  return { halfWidth, coverage: 1 - missed(halfWidth) };
}
