import type { RandomSource } from '../../core/random/random-source.ts';

const rotateLeft = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/**
 * A source for tests: the same seed gives the same words, so anyone can take the noise away again. It is the
 * xoshiro128** generator of Blackman and Vigna (Scrambled Linear Pseudorandom Number Generators, 2021), its state
 * filled from the seed by a counter and an integer hash. Never for data: production refuses it (C7).
 *
 * Throws TypeError unless the seed is an integer in [0, 2^32).
 */
export function seededSource(seed: number): RandomSource {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new TypeError('a seed is an unsigned 32-bit integer');
  const stateWord = (place: number): number => hash(seed + Math.imul(place, 0x9e3779b9));
  let a = stateWord(1);
  let b = stateWord(2);
  let c = stateWord(3);
  // The generator would stay at 0 for ever if all of its state were 0: the last bit set rules that out.
  let d = stateWord(4) | 1;

  function uint32(): number {
    const word = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return word;
  }

  return {
    kind: 'seeded',
    uint32,
    fill(target) {
      for (let place = 0; place < target.length; place++) target[place] = uint32() >>> 16;
    },
  };
}

/** An invertible mix of 32 bits: neighbouring seeds give unlike states. */
function hash(word: number): number {
  let mixed = word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
