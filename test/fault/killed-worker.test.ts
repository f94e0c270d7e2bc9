import { afterAll, beforeAll, test } from 'vitest';
import { closeStack, completesAfterKill, isWholeAfterKill, openStack } from './killed-worker.fixture.ts';

/** The stages that are left out here are in killed-worker.soak.test.ts. */
beforeAll(openStack);
afterAll(closeStack);

test.each([
  ['privatize', 'private'],
  ['derive', 'public'],
  ['gate', 'public'],
] as const)(
  'SIGKILL in %s of the %s worker: the release completes with one draw a partition',
  (stage, side) => completesAfterKill(stage, side),
  300_000,
);

test('SIGKILL in publish of the public worker: the publication is whole', () => isWholeAfterKill(), 300_000);
