import { z } from 'zod';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Run } from '../../contracts/stages.ts';
import type { Deciders } from '../signing/approver.ts';
import { readSeries } from '../stores/series-objects.ts';

const appliedSchema = z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/) });

/** Who may decide now: the newest applied series file says so; the release's own when none was applied. */
export async function newestDeciders(
  releaseStore: ObjectStore,
  { series, seriesDigest: own }: Pick<Run, 'series' | 'seriesDigest'>,
): Promise<{ deciders: Deciders; seriesDigest: string }> {
  const applied = await releaseStore.readMutable(RELEASE_KEYS.appliedSeries(series));
  const seriesDigest = applied ? appliedSchema.parse(applied.value).digest : own;
  return { deciders: await readSeries(releaseStore, { series, seriesDigest }), seriesDigest };
}
