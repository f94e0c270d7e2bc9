import { afterAll, beforeAll, test } from 'vitest';
import { closeStack, completesAfterKill, openStack } from './killed-worker.fixture.ts';

beforeAll(openStack);
afterAll(closeStack);

test.each([
  ['ingest', 'private'],
  ['bin', 'private'],
  ['privatize', 'public'],
  ['derive', 'public'],
  ['gate', 'public'],
  ['audit', 'public'],
] as const)(
  'SIGKILL in %s of the %s worker: the release completes with one draw a partition',
  (stage, side) => completesAfterKill(stage, side),
  300_000,
);
