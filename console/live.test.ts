import { expect, test } from 'vitest';
import { keep } from './live.ts';

test('what was asked for before an action is not shown after it, whenever its answer comes', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const value = keep(60_000, () => answers[asked++]!.promise);
  expect(value.newest()).toBe(null);
  value.forget();
  const fresh = value.get();
  answers[0]!.resolve('before');
  await answers[0]!.promise;
  expect(value.newest()).toBe(null);
  answers[1]!.resolve('after');
  expect([await fresh, value.newest(), asked]).toEqual(['after', 'after', 2]);
});

test('a page waits for the first value, and not for a newer one that takes long, of which there is one, unless its own is old', async () => {
  const answers = Array.from({ length: 3 }, () => Promise.withResolvers<string>());
  let [asked, time] = [0, 0];
  const value = keep(
    1_000,
    () => answers[asked++]!.promise,
    () => time,
  );
  const first = value.shown();
  answers[0]!.resolve('first');
  expect(await first).toBe('first');
  time = 2_000;
  expect([await value.shown(), asked]).toEqual(['first', 2]);
  time = 9_000;
  expect([await value.shown(), asked]).toEqual(['first', 2]);
  time = 20_000;
  const begin = performance.now();
  expect(await value.shown()).toBe('first');
  expect(performance.now() - begin).toBeGreaterThan(900);
  time = 40_000;
  answers[1]!.resolve('second');
  expect(await value.shown()).toBe('second');
  time = 52_000;
  const again = performance.now();
  expect([await value.shown(), asked]).toEqual(['second', 3]);
  expect(performance.now() - again).toBeLessThan(900);
  time = 120_000;
  const third = value.shown();
  answers[2]!.resolve('third');
  expect([await third, asked]).toEqual(['third', 3]);
});

test('what took long is made again only after five times as long, so that pages have the rest of the time', async () => {
  let [asked, time] = [0, 0];
  const value = keep(
    1_000,
    async () => {
      await null;
      time += 3_000;
      return ++asked;
    },
    () => time,
  );
  expect(await value.get()).toBe(1);
  time = 14_000;
  expect(await value.get()).toBe(1);
  time = 16_000;
  expect(await value.get()).toBe(2);
  value.forget();
  expect(await value.get()).toBe(3);
});

test('what takes long and fails while an older value is shown ends nothing', async () => {
  let time = 0;
  const answers = [Promise.resolve('first'), Promise.reject(new Error('away'))];
  answers[1]!.catch(() => undefined);
  const value = keep(
    1_000,
    () => answers.shift()!,
    () => time,
  );
  expect(await value.shown()).toBe('first');
  time = 2_000;
  await expect(value.shown()).rejects.toThrow('away');
  expect(value.newest()).toBe('first');
});
