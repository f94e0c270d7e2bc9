import { windowsThatRan } from '../activities/stores/release-executions.ts';
import { OpalineError } from '../contracts/errors.ts';
import type { ReleaseReference } from '../contracts/names.ts';
import { windowDays } from '../core/calendar/window.ts';
import { appliedSeries } from './applied-series.ts';
import type { OpalineClient } from './opaline-client.ts';
import { requireEnded } from './plan-run.ts';

/**
 * Starts the release of a window now, under the newest applied file and the id that the schedule would use: `started`
 * is false when it is there already. Throws USAGE for an unknown series and WINDOW_INVALID, also for a window that is not complete.
 */
export async function triggerWindow(
  client: OpalineClient,
  name: string,
  window: string,
  now: Date = new Date(),
): Promise<ReleaseReference & { started: boolean }> {
  const { series, digest } = await appliedSeries(client.releaseStore, name);
  windowDays(series, window);
  requireEnded(series, window, now);
  const release: ReleaseReference = { series: name, window, version: 1 };
  const ran = (await windowsThatRan(client.releaseStore, name)).has(window);
  const started = !ran && (await startOnce(client, release, digest));
  return { ...release, started };
}

async function startOnce(client: OpalineClient, release: ReleaseReference, seriesDigest: string): Promise<boolean> {
  try {
    await client.start({ ...release, seriesDigest, correction: null });
    return true;
  } catch (error) {
    if (error instanceof OpalineError && error.code === 'RELEASE_EXISTS') return false;
    throw error;
  }
}
