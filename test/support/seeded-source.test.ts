import { expect, test } from 'vitest';
import { chiSquare } from '../../core/random/goodness-of-fit.fixture.ts';
import { seededSource } from './seeded-source.ts';

const wordsOf = (seed: number, count: number): number[] => {
  const source = seededSource(seed);
  return Array.from({ length: count }, () => source.uint32());
};

test('a seeded source says so, repeats for its seed, and differs for another', () => {
  expect(seededSource(1).kind).toBe('seeded');
  expect(wordsOf(7, 50)).toEqual(wordsOf(7, 50));
  expect(wordsOf(7, 50)).not.toEqual(wordsOf(8, 50));
  const filled = new Uint16Array(50);
  seededSource(7).fill(filled);
  expect([...filled]).toEqual(wordsOf(7, 50).map((word) => word >>> 16));
});

test('words are unsigned, unlike, and uniform in each byte (chi-square at 1e-9, one fixed seed; a biased twin fails)', () => {
  const words = wordsOf(5, 100_000);
  expect(words.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32)).toBe(true);
  expect(new Set(words).size).toBeGreaterThan(99_990);
  const uniform = new Array<number>(256).fill(1 / 256);
  // Upper 1e-9 point of chi-square with 255 degrees of freedom is 415.
  for (const shift of [0, 8, 16, 24]) expect(chiSquare(bytes(words, shift), uniform)).toBeLessThan(415);
  expect(
    chiSquare(
      bytes(
        words.map((word) => word | 1),
        0,
      ),
      uniform,
    ),
  ).toBeGreaterThan(415);
});

function bytes(words: number[], shift: number): number[] {
  const counts = new Array<number>(256).fill(0);
  for (const word of words) counts[(word >>> shift) & 255]! += 1;
  return counts;
}

test('a seed that is no unsigned 32-bit integer is refused', () => {
  for (const seed of [-1, 2 ** 32, 0.5, Number.NaN]) expect(() => seededSource(seed)).toThrow(TypeError);
});
