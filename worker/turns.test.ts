import { setTimeout as delay } from 'node:timers/promises';
import { CancelledFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const never = new AbortController().signal;

test('so many run at once, and the others in the order in which they came', async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) => async () => {
    begun.push(n);
    running += 1;
    most = Math.max(most, running);
    await delay(1 + (n % 3));
    running -= 1;
    if (n === 4) throw new Error('one that fails gives its turn back');
    return n;
  };
  const all = await Promise.allSettled([...Array(12).keys()].map((n) => turns.take(work(n), never)));
  expect(begun).toEqual([...Array(12).keys()]);
  expect(most).toBe(2);
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('work that was cancelled while it waited is never begun, and the turn goes on', async () => {
  const turns = new Turns(1);
  const cancelled = new AbortController();
  let begun = false;
  const first = turns.take(() => delay(5), never);
  const second = turns.take(async () => {
    begun = true;
  }, cancelled.signal);
  const third = turns.take(async () => 'third', never);
  cancelled.abort();
  await expect(second).rejects.toThrow(CancelledFailure);
  await first;
  expect(await third).toBe('third');
  expect(begun).toBe(false);
});
