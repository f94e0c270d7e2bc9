import { expect, test } from 'vitest';
import type { Stage } from '../../contracts/names.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import type { TestStack } from '../support/test-stack.ts';
import { releaseFortnight } from './fortnight.fixture.ts';
import { childrenOf, useTable } from './stage-watch.fixture.ts';

type Kill = { stage: Stage; side: 'private' | 'public'; whom: 'worker' | 'child' };

/** Each worker once, and once a process that computes for it. */
const KILLS: Kill[] = [
  { stage: 'bin', side: 'private', whom: 'child' },
  { stage: 'privatize', side: 'private', whom: 'worker' },
  { stage: 'derive', side: 'public', whom: 'worker' },
  { stage: 'audit', side: 'public', whom: 'child' },
];

async function kill({ side, whom }: Kill, stack: TestStack): Promise<void> {
  const worker = stack.workers()[side]!;
  const pids = whom === 'worker' ? [worker] : await childrenOf(worker);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

test('the fortnight of thirty million trips is published, with each worker and its processes killed on the way', async () => {
  const due = [...KILLS];
  const disturb = async (stack: TestStack, { stage }: ReleaseStatus): Promise<void> => {
    const place = due.findIndex((one) => one.stage === stage);
    if (place >= 0) await kill(due.splice(place, 1)[0]!, stack);
  };
  const { uses, blocks, published, verification } = await releaseFortnight(30_000_000, { disturb });
  console.log(useTable(uses));
  expect(due).toEqual([]);
  expect(published.state).toBe('published');
  expect(verification.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(blocks).toEqual([]);
});
