import { createHash } from 'node:crypto';
import type { Certificate } from '../../contracts/certificate.ts';
import { discreteLaplace } from '../../core/random/discrete-laplace.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { parseRational } from '../../core/rational/rational.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { drawTableWith, type Noise } from '../support/draw-rows.ts';

/** The noise of one thing that is measured: `cell on 08:00 2000`, `time on 08:00`, `location on 2000`. */
export type NoiseByKey = (kind: keyof Noise, key: string) => number;

/** Fixed noise that depends on the key alone: of cells −3…3, of margins −20…20. */
export function noiseOf(place: string): NoiseByKey {
  return (kind, key) => {
    const word = createHash('sha256').update(`${place} ${kind} ${key}`).digest().readUInt32BE(0);
    return kind === 'cell' ? (word % 7) - 3 : (word % 41) - 20;
  };
}

const constant = (word: number): RandomSource => ({
  kind: 'seeded',
  uint32: () => word,
  fill: (target) => {
    target.fill(word >>> 16);
  },
});

/** The sampler goes from likely values to unlikely ones, 0, 1, −1, 2, −2, …, as the word falls. */
const rank = (value: number): number => (value > 0 ? 2 * value - 1 : -2 * value);

/** A 32-bit word for whose first half the production sampler answers with this value, and needs no further bits. */
function wordFor(scale: string, value: number): number {
  const drawOf = (word: number) => discreteLaplace(parseRational(scale), constant(word)).draw();
  const firstWithRankAtMost = (most: number): number => {
    let [low, high] = [0, 2 ** 32 - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (rank(drawOf(middle)) <= most) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const start = firstWithRankAtMost(rank(value));
  const end = value === 0 ? 2 ** 32 - 1 : firstWithRankAtMost(rank(value) - 1);
  const word = Math.floor((start + end) / 2);
  const half = word >>> 16;
  if (drawOf(half * 2 ** 16) !== value || drawOf(half * 2 ** 16 + 0xffff) !== value)
    throw new RangeError(`no single word draws ${value} at scale ${scale}`);
  return word;
}
const words = new Map<string, number>();
function knownWord(scale: string, value: number): number {
  const name = `${scale} ${value}`;
  const word = words.get(name) ?? wordFor(scale, value);
  words.set(name, word);
  return word;
}

/**
 * A source of random bits from which the production sampler draws the wanted noise for these counts: what is asked for
 * and in which order is found by asking the mechanism. It throws when more is drawn than that.
 */
export function replayedSource(
  wanted: NoiseByKey,
  counts: readonly CellCount[],
  domain: PublicDomain,
  certificate: Certificate,
): RandomSource {
  const script: number[] = [];
  const scales = { cell: certificate.scale, ...certificate.marginScales, leftOut: certificate.leftOutScale };
  const ask =
    (kind: keyof Noise) =>
    (...key: string[]): number => {
      const value = wanted(kind, key.join(' '));
      script.push(knownWord(scales[kind]!, value));
      return value;
    };
  const noise = { cell: ask('cell'), time: ask('time'), location: ask('location'), leftOut: ask('leftOut') };
  drawTableWith(noise, { part: '', day: '' }, counts, domain, certificate);
  const uint32 = (): number => {
    const word = script.shift();
    if (word === undefined) throw new RangeError('more noise is drawn than the mechanism asks for');
    return word;
  };
  return {
    kind: 'seeded',
    uint32,
    fill: (target) => {
      for (let place = 0; place < target.length; place++) target[place] = uint32() >>> 16;
    },
  };
}
