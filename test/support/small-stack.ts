import { join } from 'node:path';
import { FolderStore } from '../../services/stores/folder-store.ts';
import type { Deployments } from '../../stack/embedded-files.ts';
import type { Places } from './release-checks.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from './small-series.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

/** A test stack, and the small series, whose file and source objects are there. No release is started. */
export type SmallStack = { stack: TestStack; series: SmallSeries };

/** Starts one. `changes` are those of the series file; `deployments` are instead of the usual ones. */
export async function startSmallStack({
  changes,
  deployments,
}: {
  changes?: Record<string, string>;
  deployments?: (root: string) => Deployments;
} = {}): Promise<SmallStack> {
  const stack = await startTestStack(deployments);
  const series = await writeSmallSeries(join(stack.root, 'small'), changes);
  await writeSmallTrips(stack.source);
  return { stack, series };
}

/** Where the releases of the small series leave what can be checked, on a stack with the usual stores. */
export const smallPlaces = ({ client, files }: TestStack): Places => ({
  release: client.releaseStore,
  publication: new FolderStore(files.publication),
  population: 'small-riders',
});
