import { expect, test } from 'vitest';
import type { ScheduleLine } from '../client/schedule/schedule-lines.ts';
import type { SchedulePlan } from '../client/schedule/schedules.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { localTime } from '../services/calendar/local-time.ts';
import { backfillPlanText, schedulePlanText, schedulesText } from './schedule-text.ts';

const loaded = await loadSeriesFile('examples/demo.yaml');
const schedule = { weekday: 'tuesday', time: '06:00' } as const;
const planText = (isNew: boolean, changes: SchedulePlan['changes']) =>
  schedulePlanText({ series: { ...loaded.series, schedule }, loaded, isNew, changes });
const WHEN = 'every tuesday at 06:00, Australia/Sydney.';

test('a moment is shown on the clock of the zone, before and after it jumps', () => {
  expect(localTime('2026-10-02T20:00:00.000Z', 'Australia/Sydney')).toBe('2026-10-03 06:00');
  expect(localTime('2026-10-05T19:00:00Z', 'Australia/Sydney')).toBe('2026-10-06 06:00');
});

test('what applying changes is shown, also when the schedule is new to a series that is not', () => {
  const inTemporal = { field: 'schedule in Temporal.time', before: null, after: '"06:00"' };
  const first = [inTemporal, { field: 'series', before: null, after: '"demo-taps"' }];
  expect(planText(true, first)).toBe(`demo-taps: a new schedule, ${WHEN}`);
  const dearer = { field: 'privacy.epsilon', before: '"8"', after: '"9"' };
  expect(planText(true, [inTemporal, dearer])).toBe(
    `demo-taps: a new schedule, ${WHEN}\n  privacy.epsilon\n    - "8"\n    + "9"`,
  );
  expect(planText(false, [])).toBe(`demo-taps: nothing changes; ${WHEN}`);
});

test('schedules are listed in the zones of their series, with why one is paused and what is late', () => {
  const line: ScheduleLine = {
    series: 'demo-taps',
    timeZone: 'Australia/Sydney',
    paused: true,
    note: 'the supplier moves house',
    next: null,
    last: '2026-10-05T19:00:00.000Z',
    lateSeconds: 3600,
    inStep: true,
    missing: [{ window: '2026-10-05', scheduledAt: '2026-10-12T19:00:00.000Z' }],
  };
  const text = schedulesText([line]);
  expect(text).toMatch(/^demo-taps {2}paused +– +2026-10-06 06:00 {2}Australia\/Sydney {2}1 h$/m);
  expect(text).toContain('\ndemo-taps is paused: the supplier moves house\n');
  expect(text).toContain('demo-taps/2026-10-05 was due at 2026-10-13 06:00: opaline schedule trigger demo-taps');
});

test('a plan over a cap sums up only what fits, and says that nothing starts', () => {
  const [cost, caps] = [
    { epsilon: '8', delta: '0' },
    { block: { epsilon: '8', delta: '0' }, year: { epsilon: '8', delta: '0' } },
  ];
  const release = (window: string, refusal: string | null) => ({
    release: `small/${window}/v1`,
    charged: false,
    firstDay: window,
    lastDay: window,
    blocks: 1,
    cost,
    year: cost,
    refusal,
  });
  const text = backfillPlanText({
    backfill: { id: 'small/a..b', series: 'small', seriesDigest: 'd', atOnce: 1, state: 'running', windows: [] },
    ledger: {
      releases: [release('2026-03-02', null), release('2026-03-09', 'Too much.')],
      total: cost,
      caps,
      firstRefused: 'small/2026-03-09/v1',
    },
  });
  expect(text).toContain('2 releases, 1 at once.');
  expect(text).toContain('Those that fit would charge ε = 8 in all');
  expect(text).toContain('The ledger would refuse small/2026-03-09/v1: Too much. So nothing would be started.');
});
