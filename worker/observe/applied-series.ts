import { appliedNames, readApplied } from '../../activities/stores/series-objects.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';

export type AppliedSeries = { name: string; series: Series };

/** All series of a release store, each as its newest applied file has it. */
export async function everyAppliedSeries(store: ObjectStore): Promise<AppliedSeries[]> {
  const applied: AppliedSeries[] = [];
  for (const name of await appliedNames(store)) {
    // A file that this build cannot read hides no other series from the monitors.
    const newest = await readApplied(store, name).catch(() => null);
    if (newest) applied.push({ name, series: newest.series });
  }
  return applied;
}
