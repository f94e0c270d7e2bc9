import {
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { nullOn, OpalineError, wrongUse } from '../../contracts/errors.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { scheduleId } from '../../contracts/schedule.ts';
import type { Series } from '../../contracts/series.ts';
import { fieldChanges } from '../../core/json/field-changes.ts';
import { findSkip } from '../../services/calendar/schedule-times.ts';
import { changeMutable } from '../../services/stores/mutable-json.ts';
import { readSchedule, type StoredSchedule, scheduleNames } from '../../services/stores/schedule-objects.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { applySeries } from '../series/apply-series.ts';
import { loadSeriesFile } from '../series/series-file.ts';
import { on } from '../workflow-calls.ts';
import { deriveSettings, settingsOf, temporalOptions } from './schedule-settings.ts';

/** Temporal has no start on a day on which the clock jumps over the scheduled time; so far ahead it is looked for. */
const YEARS_AHEAD = 10;

/** The name of a schedule's settings in Temporal among the fields that would change. */
export const IN_TEMPORAL = 'schedule in Temporal';

/** What looks at schedules needs of a client. */
export type ScheduleClient = Pick<OpalineClient, 'temporal' | 'releaseStore'>;

export type SeriesWithSchedule = Series & { schedule: NonNullable<Series['schedule']> };

/** What applying a series file would change. */
export type SchedulePlan = Awaited<ReturnType<typeof planSchedule>>;

/**
 * Compares a series file with what is applied; changes nothing. Throws SERIES_INVALID, also when the series has no
 * schedule, or one whose time the clock jumps over on some day of the next ten years.
 */
export async function planSchedule(client: OpalineClient, file: string, now: Date = new Date()) {
  const seriesFile = await loadSeriesFile(file);
  const series = requireSchedule(seriesFile.series);
  const day = findSkip(series, now.toISOString(), YEARS_AHEAD);
  if (day)
    throw new OpalineError(
      'SERIES_INVALID',
      `The clock of ${series.timeZone} jumps over ${series.schedule.time} on ${day}, and that week would have no release; take another schedule.time.`,
    );
  const description = await describeSchedule(client, series.series);
  const newestFile = await readApplied(client.releaseStore, series.series).catch(nullOn('OBJECT_MISSING'));
  const before = { ...(description && { [IN_TEMPORAL]: settingsOf(description) }), ...newestFile?.series };
  const after = { [IN_TEMPORAL]: deriveSettings(series), ...series };
  return {
    series,
    loaded: seriesFile,
    /** True when there is no schedule of the series yet. */
    isNew: description === null,
    /** Fields of the schedule in Temporal (`schedule in Temporal.…`) and of the applied file; none: nothing to do. */
    changes: fieldChanges(before, after),
  };
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
  const since = new Date().toISOString();
  await setSchedule(client, series.series, (before) =>
    before && before.state !== 'removed' ? before : { state: 'on', note: '', since },
  );
  await putSchedule(client, series);
}

/** The schedules that people have made and Temporal does not have, by the names of their series. */
export async function findLostSchedules(client: ScheduleClient): Promise<string[]> {
  const names = await scheduleNames(client.releaseStore);
  const descriptions = await Promise.all(names.map((name) => describeSchedule(client, name)));
  return names.filter((_, place) => descriptions[place] === null);
}

/** Makes the schedule of a series again, of its newest applied file, paused where people have paused it. */
export async function restoreSchedule(client: OpalineClient, name: string): Promise<void> {
  const { series } = await readApplied(client.releaseStore, name);
  await putSchedule(client, requireSchedule(series));
}

/** Makes a schedule in Temporal, or changes it to what its series and its people say. */
async function putSchedule(client: OpalineClient, series: SeriesWithSchedule): Promise<void> {
  const { state, note } = (await readSchedule(client.releaseStore, series.series))!;
  const create = client.temporal.schedule.create({
    scheduleId: scheduleId(series.series),
    ...temporalOptions(series),
    ...(state === 'paused' && { state: { paused: true, note } }),
  });
  // Somebody else may have made it a moment ago.
  if (await create.catch(on(ScheduleAlreadyRunning, () => null))) return;
  const description = await describeSchedule(client, series.series);
  if (description && fieldChanges(settingsOf(description), deriveSettings(series)).length > 0)
    await handleOf(client, series.series).update(({ state }) => ({ ...temporalOptions(series), state }));
}

/** Stops the starts of a schedule until it is resumed; what is paused over is made by a back-fill. Throws USAGE. */
export async function pauseSchedule(client: OpalineClient, series: string, note: string): Promise<void> {
  await handleOf(client, series).pause(note).catch(throwNoSchedule(series));
  await setSchedule(client, series, (before) => before && { ...before, state: 'paused', note });
}

export async function resumeSchedule(client: OpalineClient, series: string): Promise<void> {
  await handleOf(client, series).unpause('resumed').catch(throwNoSchedule(series));
  await setSchedule(client, series, (before) => before && { ...before, state: 'on', note: '' });
}

/** Removes the schedule; the series, its releases and its ledger stay. Throws USAGE when there is none. */
export async function removeSchedule(client: OpalineClient, series: string): Promise<void> {
  await handleOf(client, series).delete().catch(throwNoSchedule(series));
  await setSchedule(client, series, (before) => before && { ...before, state: 'removed' });
}

/** Keeps what people have set of a schedule, so that it outlives Temporal's database. */
const setSchedule = (
  { releaseStore }: OpalineClient,
  series: string,
  change: (before: StoredSchedule | null) => StoredSchedule | null,
): Promise<void> =>
  changeMutable(releaseStore, RELEASE_KEYS.schedule(series), (before) => change(before as StoredSchedule | null));

function requireSchedule(series: Series): SeriesWithSchedule {
  const { schedule } = series;
  if (schedule) return { ...series, schedule };
  throw new OpalineError(
    'SERIES_INVALID',
    `${series.series} has no schedule; add \`schedule: { weekday: monday, time: "06:00" }\` to its file.`,
  );
}

const handleOf = (client: ScheduleClient, series: string): ScheduleHandle =>
  client.temporal.schedule.getHandle(scheduleId(series));

/** The schedule of a series in Temporal, or null. */
export const describeSchedule = (client: ScheduleClient, series: string): Promise<ScheduleDescription | null> =>
  handleOf(client, series)
    .describe()
    .catch(on(ScheduleNotFoundError, () => null));

const throwNoSchedule = (series: string) =>
  on(ScheduleNotFoundError, () => {
    throw wrongUse(`${series} has no schedule; \`opaline schedule list\` shows those there are.`);
  });
