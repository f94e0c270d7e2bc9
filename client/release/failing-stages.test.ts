import { expect, test } from 'vitest';
import { listFailingStages, reportFailure } from './failing-stages.ts';

type Pending = NonNullable<Parameters<typeof listFailingStages>[0]['raw']['pendingActivities']>[number];

const found = (...pendingActivities: Pending[]) =>
  listFailingStages({ raw: { pendingActivities } } as Parameters<typeof listFailingStages>[0]);
const audit = { activityType: { name: 'audit' } };
const code = (type: string) => ({ lastFailure: { applicationFailureInfo: { type } } });

test('what is tried for the first time, or is not begun, has not failed', () => {
  expect(found()).toEqual([]);
  expect(found({ ...audit, attempt: 1 }, audit, { attempt: 3 })).toEqual([]);
});

test('what has failed is named with its code and its limit; a worker that left says none', () => {
  const [store, lost, other] = found(
    { ...audit, attempt: 4, ...code('STORE_UNAVAILABLE') },
    { activityType: { name: 'decide' }, attempt: 2, lastFailure: { timeoutFailureInfo: {} } },
    { ...audit, attempt: 2, ...code('OF_ANOTHER_BUILD') },
  );
  expect(store).toEqual({ activity: 'audit', failed: 3, attempts: 12, code: 'STORE_UNAVAILABLE' });
  expect([lost?.code, other?.code]).toEqual(['WORKER_LOST', 'UNEXPECTED']);
  expect(reportFailure(store!)).toBe(
    'audit has failed 3 times, the last time with STORE_UNAVAILABLE; it is tried for 30 minutes at least.',
  );
  expect(reportFailure(lost!)).toBe(
    'decide has failed once, the last time with WORKER_LOST; it is tried 5 times in all.',
  );
});
