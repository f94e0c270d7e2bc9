import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { FILES, RELEASE_KEYS, releasePath, type Stage } from '../../contracts/names.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { PEOPLE_WEEK } from '../../examples/people/generate-people.ts';
import { privatizedTableSchema } from '../../kinds/taps/privatized-table.ts';
import { tapsSeries } from '../../kinds/taps/series.ts';
import { readPublicDomain } from '../../kinds/taps/taps-domain.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { readJson } from '../../services/stores/json-objects.ts';
import { folderDeployments, locateFiles } from '../../stack/embedded-files.ts';
import { type StageUse, watchStages } from '../../test/scale/stage-watch.fixture.ts';
import { readCellRows } from '../../test/support/cell-rows.ts';
import { privateContextBelow } from '../../test/support/folder-contexts.ts';
import { decideSmall } from '../../test/support/releases.ts';
import type { SmallSeries } from '../../test/support/small-series.ts';
import { rowsOfTable } from '../../test/support/table-of-rows.ts';
import { reaches, startTestStack, type TestStack } from '../../test/support/test-stack.ts';
import { processUse } from '../throughput/process-use.ts';
import { releaseOf } from '../utility/utility-designs.ts';
import type { Release } from '../utility/utility-measures.ts';
import { cityTrust } from './city-series.ts';

/** What a release of the city used until its publication was verified, and what of it is public or was counted. */
export type CityRelease = Awaited<ReturnType<typeof releaseCity>>;

/** States in which a release goes on by itself no more. */
const AT_REST = ['waiting', 'failed', 'partitions-failed', 'stalled', 'cancelled'];

/** Releases the city in a folder on a stack of its own, from its trips to a publication that `verify` accepts. */
export async function releaseCity(source: string, series: SmallSeries) {
  const file = await loadSeriesFile(series.file);
  const { store } = file.series.source;
  const deployments = (root: string) => folderDeployments(locateFiles(root), { [store]: source });
  const stack = await startTestStack(deployments, undefined, cityTrust(file.series));
  try {
    const run = await startRelease(stack.client, await planRun(stack.client, series.file, PEOPLE_WEEK, 1));
    const ask = () => stack.client.status(run);
    const { status, uses } = await watchStages(stack, ask, ({ state }) => AT_REST.includes(state));
    if (status.state !== 'waiting') throw new Error(`it did not reach its gate: ${JSON.stringify(status)}`);
    await decideSmall(stack.client, series, run, 'approve', status.attention);
    await reaches(stack.client, run, ['published'], 3600);
    const folder = join(stack.files.publication, releasePath(run));
    return {
      uses: new Map<Stage | 'verify', StageUse>([...uses, ['verify', await verify(folder, stack.files.trust)]]),
      certificate: JSON.parse(await readFile(join(folder, FILES.certificate), 'utf8')) as Certificate,
      statement: await readFile(join(folder, FILES.statement), 'utf8'),
      partitions: await partitionsOf(stack, file),
    };
  } finally {
    await stack.end();
  }
}

/** Each partition as it was counted, which nobody may see of real trips, and as it was published. */
async function partitionsOf(stack: TestStack, file: LoadedSeries) {
  const series = tapsSeries(file.series);
  const run = { series: series.series, window: PEOPLE_WEEK, version: 1, seriesDigest: file.digest };
  const releaseStore = new FolderStore(stack.files.store('release'));
  const privateStore = new FolderStore(stack.files.store('private'));
  const context = privateContextBelow(stack.root, { privateStore, releaseStore });
  const partitions: { exact: ExactPartition; release: Release }[] = [];
  for (const partition of windowPartitions(series, series.modes, PEOPLE_WEEK)) {
    const [counts, domain, table] = await Promise.all([
      readCellRows(context, run, 0, partition),
      readPublicDomain(releaseStore, series, partition),
      readJson(releaseStore, RELEASE_KEYS.privatized(run, partition), privatizedTableSchema),
    ]);
    partitions.push({ exact: { partition, counts, domain }, release: releaseOf(rowsOfTable(table)) });
  }
  return partitions;
}

/** Milliseconds between two looks at the verifier. */
const LOOK_MS = 50;

/** Verifies a publication as a reader does, in a process of its own. Throws Error when it does not hold. */
async function verify(folder: string, trust: string): Promise<StageUse> {
  const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
  const begin = performance.now();
  const child = spawn(process.execPath, [main, 'verify', folder, '--trust', trust], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  const use: StageUse = { seconds: 0, processorSeconds: 0, residentMiB: 0 };
  while (child.exitCode === null && child.signalCode === null) {
    const { cpuMs, residentMiB } = processUse(child.pid);
    use.processorSeconds = Math.max(use.processorSeconds, cpuMs / 1000);
    use.residentMiB = Math.max(use.residentMiB, residentMiB);
    await Promise.race([exit, delay(LOOK_MS)]);
  }
  use.seconds = (performance.now() - begin) / 1000;
  if (child.exitCode !== 0) throw new Error(`the publication does not verify: code ${child.exitCode}`);
  return use;
}
