import { expect, test } from 'vitest';
import { decideSmall, startSmall } from '../support/releases.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches } from '../support/test-stack.ts';
import { feedMutated } from './feeding.fixture.ts';
import { FORMATS } from './formats.fixture.ts';
import { feedGate } from './gate.fixture.ts';
import { Stranger } from './temporal-junk.fixture.ts';

const COUNT = 2_000;

test.each(FORMATS)('two thousand mutated $name', async (format) => {
  expect(await feedMutated(format, COUNT, 2)).toBe(Math.ceil(COUNT / format.atOnce));
});

test('two thousand mutated Updates at a real gate: nothing is kept, and the release is published', async () => {
  const { stack, series } = await startSmallStack();
  try {
    const run = await startSmall(stack.client, series);
    await reaches(stack.client, run, ['waiting'], 120);
    await feedGate(new Stranger(stack), run, COUNT, 2);
    expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
    await reaches(stack.client, run, ['published'], 60);
  } finally {
    await stack.end();
  }
});
