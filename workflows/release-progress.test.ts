import { expect, test } from 'vitest';
import type { ObjectFault } from '../contracts/stages.ts';
import { ReleaseProgress } from './release-progress.ts';

const [first, second] = ['2026-03-02', '2026-03-03'].map((day) => ({ part: 'bus', day }));
const fault = (code: ObjectFault['code'], partitions = [first!, second!]): ObjectFault => ({
  object: 'a.csv',
  code,
  partitions,
});

function planned(): ReleaseProgress {
  const run = { series: 'a', window: '2026-03-02', version: 1, seriesDigest: 'ab'.repeat(32) };
  const progress = new ReleaseProgress({ ...run, correction: null });
  progress.setPlan({ ...progress.plan, partitions: [first!, second!] });
  return progress;
}

test('an object at fault holds back what it may feed, but nothing that is drawn or a hole', () => {
  const progress = planned();
  progress.mark(first!, 'drawn');
  progress.markFaults([fault('OBJECT_MISSING'), fault('OBJECT_UNEXPECTED', [])]);
  expect(progress.inState('failed')).toEqual([second]);
  expect(progress.inState('failed', 'OBJECT_CHANGED')).toEqual([]);
  progress.markHole({ ...second!, code: 'OBJECT_MISSING' });
  progress.markFaults([fault('OBJECT_CHANGED')]);
  expect(progress.inState('drawn')).toEqual([first]);
  expect(progress.inState('abandoned', 'OBJECT_MISSING')).toEqual([second]);
  expect(progress.status()).toMatchObject({ unread: ['a.csv'], partitions: [{}, { object: 'a.csv' }] });
});

test('a partition is drawn from the round in which it was counted, whatever came later', () => {
  const progress = planned();
  progress.markBinned(first!);
  progress.round = 1;
  progress.markBinned(second!);
  progress.mark(first!, 'failed', { code: 'UNEXPECTED' });
  expect([first!, second!].map((one) => progress.binnedRound(one))).toEqual([0, 1]);
  expect(progress.binnedRound({ part: 'ferry', day: '2026-03-02' })).toBeNull();
});
