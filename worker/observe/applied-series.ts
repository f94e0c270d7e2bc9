import { readApplied } from '../../activities/stores/series-objects.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';

export type AppliedSeries = { name: string; series: Series };

/** All series of a release store, each as its newest applied file has it. */
export async function appliedSeries(store: ObjectStore): Promise<AppliedSeries[]> {
  const names = new Set<string>();
  for await (const { key } of store.list(RELEASE_KEYS.allSeries)) names.add(key.split('/')[1]!);
  const applied: AppliedSeries[] = [];
  for (const name of names) {
    // Its own file is put before the pointer to it: a series between the two is there at the next look.
    const newest = await readApplied(store, name).catch(() => null);
    if (newest) applied.push({ name, series: newest.series });
  }
  return applied;
}
