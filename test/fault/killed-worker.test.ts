import { afterAll, beforeAll, test } from 'vitest';
import { closeStack, completesAfterKill, forgetsCopies, isWholeAfterKill, openStack } from './killed-worker.fixture.ts';

/** The stages that are left out here are in killed-worker.soak.test.ts. */
beforeAll(openStack);
afterAll(closeStack);

test(
  'SIGKILL in privatize of the private worker: the release completes with one draw a partition',
  () => completesAfterKill('privatize', 'private'),
  300_000,
);

test('SIGKILL of a private worker with copies of the source: none stays after its start', forgetsCopies, 120_000);

test('SIGKILL in publish of the public worker: the publication is whole', { tags: 'soak', timeout: 300_000 }, () =>
  isWholeAfterKill(),
);
