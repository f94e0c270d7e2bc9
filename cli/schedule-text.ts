import type { BackfillVerdict } from '../client/schedule/approve-backfill.ts';
import type { BackfillPlan } from '../client/schedule/backfills.ts';
import type { ScheduleLine } from '../client/schedule/schedule-lines.ts';
import { IN_TEMPORAL, type SchedulePlan } from '../client/schedule/schedules.ts';
import type { TriggerPlan } from '../client/schedule/trigger-window.ts';
import type { Backfill, BackfillWindow } from '../contracts/backfill.ts';
import { releasePath } from '../contracts/names.ts';
import { costText } from '../core/ledger/shown-amount.ts';
import { lines, paragraphs } from '../core/text/paragraphs.ts';
import { table } from '../core/text/text-table.ts';
import { countOf } from '../core/text/wording.ts';
import { localTime } from '../services/calendar/local-time.ts';
import { durationText } from './status-text.ts';

/** What applying a series file would change, as lines of a diff. */
export function schedulePlanText({ series, isNew, changes }: SchedulePlan): string {
  const { weekday, time } = series.schedule;
  const when = `every ${weekday} at ${time}, ${series.timeZone}`;
  if (changes.length === 0) return `${series.series}: nothing changes; ${when}.`;
  // Of a series that was never applied everything is new, and of a new schedule all its settings: `when` says them.
  const isFirst = changes.some(({ field, before }) => field === 'series' && before === null);
  const rows = changes.filter(({ field }) => !isFirst && !(isNew && field.startsWith(`${IN_TEMPORAL}.`)));
  return lines(
    `${series.series}: ${isNew ? 'a new schedule, ' : ''}${when}.`,
    rows.map(({ field, before, after }) => [
      `  ${field}`,
      before !== null && `    - ${before}`,
      after !== null && `    + ${after}`,
    ]),
  );
}

/** All schedules, and under them what is late and how to make up for it. */
export function schedulesText(schedules: readonly ScheduleLine[]): string {
  if (schedules.length === 0) return 'No schedule yet. Make one: opaline schedule apply SERIES.yaml';
  const rows = schedules.map((one) => [
    one.series,
    one.paused ? 'paused' : one.inStep ? 'active' : 'apply it again',
    one.next ? localTime(one.next, one.timeZone) : '–',
    one.last ? localTime(one.last, one.timeZone) : '–',
    one.timeZone,
    one.lateSeconds === null ? '–' : durationText(one.lateSeconds),
  ]);
  return paragraphs(table(['series', 'schedule', 'next', 'last', 'time zone', 'late by'], rows), [
    schedules.map(({ series, note }) => note && `${series} is paused: ${note}`),
    schedules.map(({ series, timeZone, missing }) =>
      missing.map(
        ({ window, scheduledAt }) =>
          `${series}/${window} was due at ${localTime(scheduledAt, timeZone)}: opaline schedule trigger ${series} --window ${window}`,
      ),
    ),
  ]);
}

/** What a trigger would start and charge. */
export function triggerPlanText({ release, isThere, ledger }: TriggerPlan): string {
  const name = releasePath(release);
  if (isThere) return `${name} has run; nothing would be started or charged.`;
  const refusal = ledger.releases[0]?.refusal;
  return lines(
    `${name} would charge ${costText(ledger.total)} to everybody in it.`,
    refusal ? `The ledger would refuse it: ${refusal}` : 'The ledger has room for it.',
  );
}

/** What a back-fill would start and charge. */
export function backfillPlanText({ backfill, ledger }: BackfillPlan): string {
  const ran = backfill.windows.filter(({ state }) => state === 'started-before').length;
  const { total, firstRefused, releases } = ledger;
  const refusal = releases.find(({ release }) => release === firstRefused)?.refusal;
  const subject = firstRefused ? 'Those that fit would' : 'They would';
  return lines(
    `Back-fill ${backfill.id}: ${countOf(releases.length, 'release')}, ${backfill.atOnce} at once${ran > 0 ? `; ${countOf(ran, 'window')} ran before, to be left alone` : ''}.`,
    `${subject} charge ${costText(total)} in all to somebody who is in every one, by adding up.`,
    firstRefused
      ? `The ledger would refuse ${firstRefused}: ${refusal} So nothing would be started.`
      : 'The ledger has room for them.',
  );
}

/** States in which a release of a back-fill needs somebody to look at it. */
const HELD_UP: readonly BackfillWindow['state'][] = ['partitions-failed', 'stalled', 'ending-stalled', 'failed'];

/** Where a back-fill is, and what comes next. */
export function backfillText({ id, state: own, series, windows, atOnce }: Backfill): string {
  const inState = Map.groupBy(windows, ({ state }) => state);
  const nameOf = ({ window }: BackfillWindow) => `${series}/${window}/v1`;
  return lines(
    `Back-fill ${id} is ${own}; ${countOf(atOnce, 'release')} at once.`,
    [...inState].map(([state, those]) => `  ${String(those.length).padStart(4)}  ${state}`),
    windows
      .filter(({ state }) => HELD_UP.includes(state))
      .map((one) => `${nameOf(one)} is ${one.state}: opaline explain ${nameOf(one)} says why.`),
    inState
      .get('ended-outside')
      ?.map((one) => `${nameOf(one)} was ended outside Opaline: opaline explain ${nameOf(one)} says what comes next.`),
    own === 'paused' && `Go on with it: opaline backfill resume ${id}`,
    inState.has('waiting') && `Approve what passed: opaline approve --backfill ${id} --key KEY.pem --reason "…"`,
  );
}

/** The table that a person reads before approving many releases with one signature. */
export const verdictTable = (verdicts: readonly BackfillVerdict[]): string =>
  table(
    ['release', 'state', 'verdict', 'attention'],
    verdicts.map(({ release, state, verdict, attention }) => [
      releasePath(release),
      state,
      verdict ?? '–',
      attention.join(', '),
    ]),
  );
