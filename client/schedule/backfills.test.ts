import { expect, test } from 'vitest';
import type { ReleaseState } from '../../contracts/release-state.ts';
import { explainBackfill, nothingToRelease, windowsBetween, withReleases } from './backfills.ts';

const weekly = (days: number) => ({ window: { days, firstWeekday: 'monday' as const, lagDays: 0 } });

test('the windows that lie between two days, whole ones only', () => {
  expect(windowsBetween(weekly(7), '2026-03-02', '2026-03-22')).toEqual(['2026-03-02', '2026-03-09', '2026-03-16']);
  expect(windowsBetween(weekly(7), '2026-03-03', '2026-03-21')).toEqual(['2026-03-09']);
  expect(windowsBetween(weekly(3), '2026-03-01', '2026-03-11')).toEqual(['2026-03-02', '2026-03-09']);
  expect(windowsBetween(weekly(10), '2026-03-02', '2026-03-31')).toEqual(['2026-03-02', '2026-03-16']);
  expect(windowsBetween(weekly(7), '2026-03-02', '2026-03-03')).toEqual([]);
});

test.each([
  ['2026-03-02', '2026-02-02'],
  ['2026-02-30', '2026-03-02'],
  ['soon', '2026-03-02'],
])('%s to %s is no span', (from, to) => {
  expect(() => windowsBetween(weekly(7), from, to)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('nothing to release: no window lies there, or all have run', () => {
  const span = { from: '2026-03-03', to: '2026-03-08' };
  expect(nothingToRelease({ series: 'small', ...weekly(7) }, span, 0)).toBe(
    'No whole window of small lies between 2026-03-03 and 2026-03-08: one takes 7 days from a monday on; take an earlier --from or a later --to.',
  );
  expect(nothingToRelease({ series: 'small', ...weekly(7) }, span, 1)).toContain('has run; `opaline status`');
});

test('an ended back-fill shows what became of its releases since', () => {
  const windows = ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30', '2026-04-06'];
  const told = ['waiting', 'partitions-failed', 'waiting', 'started-before', 'to-do', 'waiting'] as const;
  const now: ReleaseState[] = ['published', 'running', 'expired', 'published', 'waiting'];
  const release = (window: string, state: ReleaseState, version = 1, series = 'small') => ({
    series,
    window,
    version,
    state,
    startedAt: '2026-06-01T00:00:00.000Z',
  });
  const backfill = withReleases(
    {
      id: 'small/2026-03-02..2026-04-06',
      series: 'small',
      seriesDigest: 'd',
      atOnce: 2,
      state: 'done',
      windows: windows.map((window, index) => ({ window, state: told[index]! })),
    },
    [
      ...now.map((state, index) => release(windows[index]!, state)),
      release('2026-03-16', 'failed', 2),
      release('2026-03-16', 'failed', 1, 'other'),
    ],
  );
  expect(backfill.windows.map(({ state }) => state)).toEqual([
    ...['published', 'partitions-failed', 'expired', 'started-before', 'to-do', 'waiting'],
  ]);
});

test('a back-fill that does not answer has ended, or is none, with those that are near', () => {
  const ids = ['small/2026-03-02..2026-03-09', 'other/2026-03-02..2026-03-09', 'small/2026-03-02..2026-03-09'];
  expect(explainBackfill(ids[0]!, ids)).toContain('has ended and takes nothing more; `opaline backfill show small/');
  expect(explainBackfill('smal/2026-03-02..2026-03-09', ids)).toBe(
    'There is no back-fill smal/2026-03-02..2026-03-09. Near: small/2026-03-02..2026-03-09, other/2026-03-02..2026-03-09.',
  );
  expect(explainBackfill('small', [])).toBe('There is no back-fill small; `opaline schedule backfill` starts one.');
});
