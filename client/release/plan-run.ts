import { Temporal } from 'temporal-polyfill';
import { reserveDraft } from '../../activities/ledger/charge.ts';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { Run } from '../../contracts/stages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { clockMinutes } from '../../core/calendar/time-bins.ts';
import { lastDay, windowPartitions } from '../../core/calendar/window.ts';
import { overCap } from '../../core/ledger/budget.ts';
import type { ClientKind, Protection } from '../../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { applySeries } from '../series/apply-series.ts';
import { type LoadedSeries, loadSeriesFile } from '../series/series-file.ts';

/** What a run would make and cost, before anything is started, charged or drawn. */
export type RunPlan = {
  run: Run;
  loaded: LoadedSeries;
  summary: {
    release: string;
    partitions: number;
    /** What the release costs and what protects it. */
    certificate: Protection;
    inWords: string[];
    /** Why the ledger would refuse the charge, or null. */
    overCap: string | null;
  };
};

/**
 * Plans a run; changes nothing. `now` is the moment at which the window has to be complete. Throws SERIES_INVALID,
 * WINDOW_INVALID (also for a window that has not ended, lag days included) or CERTIFICATE_IMPOSSIBLE.
 */
export async function planRun(
  { releaseStore }: { releaseStore: ObjectStore },
  file: string,
  window: string,
  version: number,
  now: Date = new Date(),
  kinds: Readonly<Record<string, ClientKind>> = CLIENT_KINDS,
): Promise<RunPlan> {
  if (!Number.isInteger(version) || version < 1)
    throw new OpalineError('USAGE', 'A version is a whole number from 1 on.');
  const loaded = await loadSeriesFile(file, kinds);
  const { series, digest } = loaded;
  const run: Run = { series: series.series, window, version, seriesDigest: digest };
  const kind = kindOf(kinds, series);
  const partitions = windowPartitions(series, kind.parts(series), window);
  requireEnded(series, window, now);
  const { entries } = await readLedger(releaseStore, series.population);
  const release = releasePath(run);
  const own = entries.some((entry) => entry.kind === 'reserve' && entry.release === release);
  const draft = reserveDraft(series, release, '', partitions);
  return {
    run,
    loaded,
    summary: {
      release,
      partitions: partitions.length,
      certificate: kind.certificate(series),
      inWords: kind.inWords(series, loaded.dictionaries),
      overCap: own ? null : overCap(entries, draft),
    },
  };
}

/**
 * A window is complete when the clock of the series' zone shows the end of its last day, so many lag days later: data
 * that comes in after a draw could be published only with a new charge. Throws WINDOW_INVALID before that.
 */
export function requireEnded(series: Pick<Series, 'timeZone' | 'window' | 'day'>, window: string, now: Date): void {
  const complete = Temporal.PlainDate.from(addDays(lastDay(series, window), series.window.lagDays))
    .toPlainDateTime()
    .add({ minutes: clockMinutes(series.day.ends) });
  const clock = Temporal.Instant.from(now.toISOString()).toZonedDateTimeISO(series.timeZone).toPlainDateTime();
  if (Temporal.PlainDateTime.compare(clock, complete) >= 0) return;
  const moment = complete.toString({ smallestUnit: 'minute' }).replace('T', ' ');
  throw new OpalineError(
    'WINDOW_INVALID',
    `The window ${window} is complete at ${moment} (${series.timeZone}), lag days included; start its release then.`,
  );
}

/** Applies the series file and starts the release. Throws RELEASE_EXISTS. */
export async function startRelease(client: OpalineClient, { run, loaded }: RunPlan): Promise<Run> {
  await applySeries(client.releaseStore, loaded);
  await client.start({ ...run, correction: null });
  return run;
}
