import { nullOn } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { requireEnded } from '../../services/calendar/window-end.ts';
import { recordStarter, windowsThatRan } from '../../services/stores/release-executions.ts';
import { planWindows } from '../ledger/ledger-plan.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { requireApplied } from '../series/applied-series.ts';

/** What a trigger would start and cost, before anything is started, charged or drawn. */
export type TriggerPlan = Awaited<ReturnType<typeof planTrigger>>;

/**
 * Plans the release of a window now, under the newest applied file and the id that the schedule would use. Throws USAGE
 * for an unknown series and WINDOW_INVALID, also for a window that is not complete.
 */
export async function planTrigger(client: OpalineClient, name: string, window: string, now: Date = new Date()) {
  const { series, digest } = await requireApplied(client.releaseStore, name);
  windowDays(series, window);
  requireEnded(series, window, now);
  return {
    release: { series: name, window, version: 1 },
    seriesDigest: digest,
    /** Has the window run before? Then nothing is started. */
    isThere: (await windowsThatRan(client.releaseStore, name)).has(window),
    ledger: await planWindows(client, series, [window]),
  };
}

/**
 * Starts what was planned, and records who does where that is known; `started` is false when somebody, or the schedule,
 * has started it before.
 */
export async function triggerWindow(
  client: OpalineClient,
  { release, seriesDigest, isThere }: TriggerPlan,
  startedBy: string | null = null,
): Promise<ReleaseReference & { started: boolean }> {
  if (isThere) return { ...release, started: false };
  if (startedBy !== null) await recordStarter(client.releaseStore, release, startedBy);
  const start = client.start({ ...release, seriesDigest, correction: null }).then(() => true);
  return { ...release, started: (await start.catch(nullOn('RELEASE_EXISTS'))) ?? false };
}
