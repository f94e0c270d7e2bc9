import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Network, networkOf } from './network.ts';
import { beginningOf, runningProcesses } from './part.ts';

/** One file for each cluster of this checkout that was started and not ended. */
const LIST = fileURLToPath(new URL('../../node_modules/.cache/opaline/clusters', import.meta.url));

/** A cluster, its networks, and the process that started it and starts its parts again. */
type RunningCluster = { folder: string; network: number | null; pid: number; began: string | null };

const fileOf = (folder: string): string => join(LIST, `${basename(folder)}.json`);

export async function recordCluster(folder: string, { number }: Network): Promise<void> {
  const { pid } = process;
  const entry: RunningCluster = { folder, network: number, pid, began: beginningOf(pid) };
  await mkdir(LIST, { recursive: true });
  await writeFile(fileOf(folder), JSON.stringify(entry));
}

/** Ends what still runs of a cluster, whoever started it, and removes its networks and its folder. */
export async function removeCluster(folder: string, network: Network): Promise<void> {
  for (const { pid } of runningProcesses(folder)) process.kill(pid, 'SIGKILL');
  await network.remove();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await rm(fileOf(folder), { force: true });
}

export async function listClusters(): Promise<RunningCluster[]> {
  const names = await readdir(LIST).catch(() => []);
  return Promise.all(
    names.map(async (name): Promise<RunningCluster> => JSON.parse(await readFile(join(LIST, name), 'utf8'))),
  );
}

/** How long the process that started a cluster may take to end it. */
const END_MS = 30_000;

/** Ends a cluster by its process ids, first the process that would start the others again. */
export async function endCluster({ folder, network, pid, began }: RunningCluster): Promise<void> {
  const runs = () => began !== null && beginningOf(pid) === began;
  if (runs()) process.kill(pid, 'SIGTERM');
  for (let waited = 0; runs() && waited < END_MS; waited += 100) await delay(100);
  if (runs()) process.kill(pid, 'SIGKILL');
  await removeCluster(folder, networkOf(network));
}
