import {
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { nullOn, OpalineError, wrongUse } from '../../contracts/errors.ts';
import { scheduleId } from '../../contracts/schedule.ts';
import type { Series } from '../../contracts/series.ts';
import { type FieldChange, fieldChanges } from '../../core/json/field-changes.ts';
import { skippedStart } from '../../services/calendar/schedule-times.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { applySeries } from '../series/apply-series.ts';
import { type LoadedSeries, loadSeriesFile } from '../series/series-file.ts';
import { on } from '../workflow-calls.ts';
import { settingsOf, temporalOptions, wantedSettings } from './schedule-settings.ts';

/** Temporal has no start on a day on which the clock jumps over the scheduled time; so far ahead it is looked for. */
const YEARS_AHEAD = 10;

/** The name of a schedule's settings in Temporal among the fields that would change. */
export const IN_TEMPORAL = 'schedule in Temporal';

export type SeriesWithSchedule = Series & { schedule: NonNullable<Series['schedule']> };

/** What applying a series file would change. */
export type SchedulePlan = {
  series: SeriesWithSchedule;
  loaded: LoadedSeries;
  /** True when there is no schedule of the series yet. */
  isNew: boolean;
  /** Fields of the schedule in Temporal (`schedule in Temporal.…`) and of the applied file; none: nothing to do. */
  changes: FieldChange[];
};

/**
 * Compares a series file with what is applied; changes nothing. Throws SERIES_INVALID, also when the series has no
 * schedule, or one whose time the clock jumps over on some day of the next ten years.
 */
export async function planSchedule(client: OpalineClient, file: string, now: Date = new Date()): Promise<SchedulePlan> {
  const loaded = await loadSeriesFile(file);
  const series = requireSchedule(loaded.series);
  const skipped = skippedStart(series, now.toISOString(), YEARS_AHEAD);
  if (skipped)
    throw new OpalineError(
      'SERIES_INVALID',
      `The clock of ${series.timeZone} jumps over ${series.schedule.time} on ${skipped}, and that week would have no release; take another schedule.time.`,
    );
  const description = await describeSchedule(client, series.series);
  const applied = await readApplied(client.releaseStore, series.series).catch(nullOn('OBJECT_MISSING'));
  const before = { ...(description && { [IN_TEMPORAL]: settingsOf(description) }), ...applied?.series };
  const after = { [IN_TEMPORAL]: wantedSettings(series), ...series };
  return { series, loaded, isNew: description === null, changes: fieldChanges(before, after) };
}

/** As planSchedule for several files; throws USAGE when two of them are of one series, as only one can be applied. */
export async function planSchedules(client: OpalineClient, files: readonly string[]): Promise<SchedulePlan[]> {
  const plans = new Map<string, SchedulePlan>();
  for (const file of files) {
    const plan = await planSchedule(client, file);
    const { series } = plan.series;
    if (plans.has(series))
      throw wrongUse(`${file} is of the series ${series}, as another file here is; name one of them.`);
    plans.set(series, plan);
  }
  return [...plans.values()];
}

/** Applies the series file, and makes or updates its schedule. Doing it again changes nothing. */
export async function applySchedule(client: OpalineClient, { series, loaded }: SchedulePlan): Promise<void> {
  await applySeries(client, loaded);
  const create = client.temporal.schedule.create({ scheduleId: scheduleId(series.series), ...temporalOptions(series) });
  // Somebody else may have made it a moment ago.
  if (await create.catch(on(ScheduleAlreadyRunning, () => null))) return;
  const description = await describeSchedule(client, series.series);
  if (description && fieldChanges(settingsOf(description), wantedSettings(series)).length > 0)
    await handleOf(client, series.series).update(({ state }) => ({ ...temporalOptions(series), state }));
}

/** Stops the starts of a schedule until it is resumed; what is paused over is made by a back-fill. Throws USAGE. */
export const pauseSchedule = (client: OpalineClient, series: string, note: string): Promise<void> =>
  handleOf(client, series).pause(note).catch(unscheduled(series));

export const resumeSchedule = (client: OpalineClient, series: string): Promise<void> =>
  handleOf(client, series).unpause('resumed').catch(unscheduled(series));

/** Removes the schedule; the series, its releases and its ledger stay. Throws USAGE when there is none. */
export const removeSchedule = (client: OpalineClient, series: string): Promise<void> =>
  handleOf(client, series).delete().catch(unscheduled(series));

function requireSchedule(series: Series): SeriesWithSchedule {
  const { schedule } = series;
  if (schedule) return { ...series, schedule };
  throw new OpalineError(
    'SERIES_INVALID',
    `${series.series} has no schedule; add \`schedule: { weekday: monday, time: "06:00" }\` to its file.`,
  );
}

const handleOf = (client: OpalineClient, series: string): ScheduleHandle =>
  client.temporal.schedule.getHandle(scheduleId(series));

/** The schedule of a series in Temporal, or null. */
export const describeSchedule = (client: OpalineClient, series: string): Promise<ScheduleDescription | null> =>
  handleOf(client, series)
    .describe()
    .catch(on(ScheduleNotFoundError, () => null));

const unscheduled = (series: string) =>
  on(ScheduleNotFoundError, () => {
    throw wrongUse(`${series} has no schedule; \`opaline schedule list\` shows those there are.`);
  });
