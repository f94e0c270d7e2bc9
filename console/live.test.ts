import { expect, test } from 'vitest';
import { kept } from './live.ts';

test('what was asked for before an action is not shown after it, whenever its answer comes', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const value = kept(60_000, () => answers[asked++]!.promise);
  expect(value.newest()).toBe(null);
  value.forget();
  const fresh = value.get();
  answers[0]!.resolve('before');
  await answers[0]!.promise;
  expect(value.newest()).toBe(null);
  answers[1]!.resolve('after');
  expect([await fresh, value.newest(), asked]).toEqual(['after', 'after', 2]);
});
