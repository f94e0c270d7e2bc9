import { expect, test } from 'vitest';
import { feedMutated } from './feeding.fixture.ts';
import { FORMATS, type Format } from './formats.fixture.ts';
import { mutatedBytes, mutatedJson, numbers } from './mutation.fixture.ts';

/** Inputs of each format here; the soak feeds two thousand. */
const COUNT = 20;

test.each(FORMATS)('mutated $name: no crash, no hang, no leak, and what is honest is not lost', async (format) => {
  expect(await feedMutated(format, COUNT, 1)).toBe(Math.ceil(COUNT / format.atOnce));
});

/** A format of lines that hold the canary, read by something that is wrong. */
const broken = (feed: (input: Buffer) => Promise<string>): Format => ({
  name: 'broken',
  atOnce: 1,
  open: async () => ({
    mutated: (random) => mutatedBytes(Buffer.from('{"a": 1, "b": "CANARY7f3a"}'), random),
    feed: ([input]) => feed(input!),
  }),
});

test('broken twins are caught: a reader that throws an error of the language, one that repeats what it read', async () => {
  await expect(
    feedMutated(
      broken(async (input) => `${JSON.parse(input.toString()).a}`),
      COUNT,
      1,
    ),
  ).rejects.toThrow(/broken, seed 1, input \d+: SyntaxError/);
  await expect(
    feedMutated(
      broken(async (input) => input.toString()),
      COUNT,
      1,
    ),
  ).rejects.toThrow();
  expect(
    await feedMutated(
      broken(async () => 'refused'),
      COUNT,
      1,
    ),
  ).toBe(COUNT);
});

test('a seed gives one input, and most inputs are not the honest one', () => {
  const honest = { a: [1, 2, { b: 'text' }], c: null };
  const texts = Array.from({ length: 200 }, (_, seed) => JSON.stringify(mutatedJson(honest, numbers(seed))));
  expect(texts).toEqual(Array.from({ length: 200 }, (_, seed) => JSON.stringify(mutatedJson(honest, numbers(seed)))));
  expect(new Set(texts).size).toBeGreaterThan(100);
  const bytes = Buffer.from('mode,time\nbus,08:00\n');
  const changed = Array.from({ length: 200 }, (_, seed) => mutatedBytes(bytes, numbers(seed)));
  expect(changed.filter((one) => one.equals(bytes)).length).toBeLessThan(10);
});
