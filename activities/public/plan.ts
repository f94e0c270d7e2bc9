import type { ReleasePlan, Run } from '../../contracts/stages.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { publishNotBefore } from '../calendar/zone.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';

/**
 * What the workflow needs to know of the series: the partitions are the product of its modes and the window's days,
 * never found in the data. Safe to run twice: it only reads a write-once object.
 *
 * @contract C4
 * @contract safe-to-retry
 */
export async function plan(context: PublicContext, run: Run): Promise<ReleasePlan> {
  const series = await readSeries(context.releaseStore, run);
  const days = windowDays(series, run.window);
  return {
    partitions: [...series.modes].sort().flatMap((mode) => days.map((day) => ({ mode, day }))),
    required: series.gate.required,
    expiresAfterDays: series.gate.expiresAfterDays,
    publishNotBefore: publishNotBefore(series, run.window),
  };
}
