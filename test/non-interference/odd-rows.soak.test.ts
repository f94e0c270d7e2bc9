import { expect, test } from 'vitest';
import { expectUnseen, FORMATS, worldsOfOne } from './odd-rows.fixture.ts';

test.each(Object.entries(FORMATS))('@contract C20 each kind of odd row alone in an object: %s', async (_, format) => {
  const worlds = worldsOfOne(format);
  expect(worlds.length).toBeGreaterThan(0);
  await expectUnseen(format, worlds);
});
