import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../../cli/process.fixture.ts';
import { openClient } from '../../client/opaline-client.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import type { Cluster } from './cluster.ts';
import type { DrillBench } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { SIDES, type Side } from './host.ts';
import { HOSTS } from './network.ts';
import type { Bucket } from './object-stores.ts';
import { give, ledgerOf, namedCommands, requireContinued } from './people.ts';
import { untilAnswered } from './postgres.ts';

const execute = promisify(execFile);

/** A store is lost or set back; what brings releases back are the commands of docs/runbooks.md. */
export const lostStores: Drill = async (bench) => {
  await lostPublications(bench);
  await privateStoreSetBack(bench);
  await releaseStoreSetBack(bench);
  await bothStoresSetBack(bench);
};

/** Every published file is gone. */
async function lostPublications(bench: DrillBench): Promise<void> {
  const { cluster } = bench;
  const releases = [await bench.start(), await bench.start()];
  await Promise.all(releases.map((release) => bench.follow(release)));
  const folder = cluster.stores.folder('publication');
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  const since = performance.now();
  for (const command of await namedCommands(cluster, /^opaline retry/))
    await give(cluster, command.split(' ').slice(1));
  await Promise.all(
    releases.map((release) =>
      untilAnswered(async () => {
        const address = `${cluster.stores.endpoint}/publication/${releasePath(release)}`;
        const { code, stdout } = await run([
          'verify',
          address,
          '--trust',
          join(cluster.folder, 'client', 'trust.json'),
        ]);
        if (code !== 0) throw new Error(stdout);
      }, 300),
    ),
  );
  const followed = await Promise.all(releases.map((release) => bench.follow(release)));
  await bench.row('the publication store', 'lost: opaline retry, for each release', followed, since);
}

/** Puts stores back to a backup, after which one release was published and one came to its gate. */
async function setBack(bench: DrillBench, buckets: readonly Bucket[]) {
  const { stores, folder } = bench.cluster;
  const places = buckets.map((bucket) => ({
    objects: stores.folder(bucket),
    backup: join(folder, `${bucket}-${buckets.length}`),
  }));
  await bench.follow(await bench.start());
  const kept = await ledgerOf(bench.cluster);
  // What the server keeps of an object beside its bytes is in attributes of the file.
  for (const { objects, backup } of places) await execute('cp', ['-a', objects, backup]);
  await bench.follow(await bench.start());
  const gate = await bench.start();
  await bench.reaches(gate, ['waiting']);
  const before = await ledgerOf(bench.cluster);
  await untilAnswered(() => requireSameMarks(bench.cluster, before.length), 120);
  await stores.part.takeAway();
  for (const { objects, backup } of places) {
    await rm(objects, { recursive: true });
    await execute('cp', ['-a', backup, objects]);
  }
  await stores.part.start();
  return { since: performance.now(), gate, before, kept };
}

/** Both hosts have seen the end of the ledger. Throws an Error otherwise. */
async function requireSameMarks({ hosts }: Cluster, sequence: number): Promise<void> {
  for (const { files } of Object.values(hosts)) {
    const { ledgers } = JSON.parse(await readFile(files.state, 'utf8'));
    if (ledgers['small-riders']?.sequence !== sequence) throw new Error(`${files.state} has not entry ${sequence}`);
  }
}

/** A key of the policy orders that the ledger goes on from what is there, and releases go on after it. */
async function takeOver({ cluster }: DrillBench, release: Run, more: readonly string[] = []): Promise<void> {
  const order = join(cluster.folder, 'client', `takeover${more.length}.order.json`);
  const signed = ['--policy', cluster.hosts.a.files.policy, '--key', join(cluster.folder, 'client', 'policy.pem')];
  await give(cluster, ['ledger', 'takeover', 'small-riders', ...signed, ...more, '--out', order]);
  await give(cluster, ['order', 'put', order]);
  await restartWorkers(cluster, ['private']);
  await give(cluster, ['retry', releasePath(release)]);
}

async function restartWorkers({ hosts }: Cluster, sides: readonly Side[]): Promise<void> {
  const workers = HOSTS.flatMap((name) => sides.map((side) => hosts[name].workers[side]));
  await Promise.all(workers.map((worker) => worker.takeAway()));
  await Promise.all(workers.map((worker) => worker.start()));
}

const ORDERED = 'opaline ledger takeover, opaline order put, workers restarted, opaline retry';

/** The private store is put back: a key of the policy orders that the ledger goes on from the copies. */
async function privateStoreSetBack(bench: DrillBench): Promise<void> {
  const { since, gate, before } = await setBack(bench, ['private']);
  const next = await bench.start();
  await bench.reaches(next, ['stalled', 'partitions-failed']);
  await takeOver(bench, next);
  const followed = await Promise.all([gate, next].map((release) => bench.follow(release)));
  await requireContinued(bench.cluster, before, 'a private store that was set back');
  await bench.row('the private store', `set back to before two charges: ${ORDERED}`, followed, since);
}

/**
 * The release store is put back likewise: the private workers write the copies of the ledger again by themselves, and
 * those of draws when a release is resumed. One at its gate has lost what was staged, so that nobody can sign; the doctor
 * names the command that ends it.
 */
async function releaseStoreSetBack(bench: DrillBench): Promise<void> {
  const { cluster } = bench;
  const { since, gate, before } = await setBack(bench, ['release']);
  await untilAnswered(() => requireContinued(cluster, before, 'copies of the ledger'), 120);
  await endLost(bench, gate);
  await give(cluster, ['resume', releasePath(gate)]);
  const next = await bench.start();
  const followed = await Promise.all([gate, next].map((release) => bench.follow(release)));
  await requireContinued(cluster, before, 'a release store that was set back');
  const commands = 'temporal workflow terminate, opaline resume';
  await bench.row('the release store', `set back to before two charges: ${commands}`, followed, since);
}

/** Ends a release that waits at its gate without staged files, as the doctor says. */
async function endLost({ cluster }: DrillBench, release: Run): Promise<void> {
  const id = releaseWorkflowId(release);
  const named = await namedCommands(cluster, /^temporal workflow terminate/);
  if (!named.some((command) => command.endsWith(`--workflow-id ${id}`)))
    throw new Error(`the doctor does not name the end of ${id}`);
  await cluster.client.temporal.workflow.getHandle(id).terminate('what was staged is lost');
}

/**
 * Both are put back together. The workers' marks name an entry that no store has, and a key of the policy gives it up:
 * two charges and their draws are lost, by which people lower the caps. The window that was at its gate is released under
 * its next version.
 */
async function bothStoresSetBack(bench: DrillBench): Promise<void> {
  const { since, gate, kept, before } = await setBack(bench, ['private', 'release']);
  await endLost(bench, gate);
  // Whoever has read a longer ledger takes this one for broken.
  await restartWorkers(bench.cluster, SIDES);
  const client = await openClient(bench.cluster.deployment);
  const anew = bench.through({ client });
  const { cluster, series } = anew;
  const next = await anew.start();
  const { stall } = await anew.reaches(next, ['stalled']);
  if (stall?.code !== 'LEDGER_BEHIND') throw new Error(`the state files noticed nothing: ${stall?.code}`);
  await takeOver(anew, next, ['--state', cluster.hosts.a.files.state]);
  const again = { ...gate, version: 2 };
  const order = join(cluster.folder, 'client', 'version.order.json');
  const key = join(cluster.folder, 'client', 'policy.pem');
  await give(cluster, ['order', 'version', releasePath(again), '--key', key, '--out', order]);
  await give(cluster, ['order', 'put', order]);
  const second = await startRelease(client, await planRun(client, series.file, gate.window, again.version));
  const followed = await Promise.all([next, second].map((release) => anew.follow(release)));
  await requireContinued(cluster, kept, 'both stores that were set back');
  const reserves = before.slice(kept.length).filter(({ kind }) => kind === 'reserve').length;
  const commands = `temporal workflow terminate, ${ORDERED.replace('takeover', 'takeover --state')}, opaline order version`;
  const event = `set back together to before two charges: ${commands}`;
  await anew.row('the private and the release store', event, followed, since, reserves);
  await client.close();
}
