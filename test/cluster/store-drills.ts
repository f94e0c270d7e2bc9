import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../../cli/process.fixture.ts';
import { OpalineClient } from '../../client/opaline-client.ts';
import { releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { DrillBench } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { SIDES } from './host.ts';
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

/** Puts a store back to a backup, after which one release was published and one came to its gate. */
async function setBack(bench: DrillBench, bucket: Bucket) {
  const { stores, folder } = bench.cluster;
  const [objects, backup] = [stores.folder(bucket), join(folder, `${bucket}-backup`)];
  await bench.follow(await bench.start());
  // What the server keeps of an object beside its bytes is in attributes of the file.
  await execute('cp', ['-a', objects, backup]);
  await bench.follow(await bench.start());
  const gate = await bench.start();
  await bench.reaches(gate, ['waiting']);
  const before = await ledgerOf(bench.cluster);
  await stores.part.takeAway();
  await rm(objects, { recursive: true });
  await execute('cp', ['-a', backup, objects]);
  await stores.part.start();
  return { since: performance.now(), gate, before };
}

/** The private store is put back: a key of the policy orders that the ledger goes on from the copies. */
async function privateStoreSetBack(bench: DrillBench): Promise<void> {
  const { cluster } = bench;
  const { since, gate, before } = await setBack(bench, 'private');
  const next = await bench.start();
  await bench.reaches(next, ['stalled', 'partitions-failed']);
  const order = join(cluster.folder, 'client', 'takeover.order.json');
  const signed = ['--policy', cluster.hosts.a.files.policy, '--key', join(cluster.folder, 'client', 'policy.pem')];
  await give(cluster, ['ledger', 'takeover', 'small-riders', ...signed, '--out', order]);
  await give(cluster, ['order', 'put', order]);
  for (const { workers } of Object.values(cluster.hosts)) {
    await workers.private.takeAway();
    await workers.private.start();
  }
  await give(cluster, ['retry', releasePath(next)]);
  const followed = await Promise.all([gate, next].map((release) => bench.follow(release)));
  await requireContinued(cluster, before, 'a private store that was set back');
  const commands = 'opaline ledger takeover, opaline order put, workers restarted, opaline retry';
  await bench.row('the private store', `set back to before two charges: ${commands}`, followed, since);
}

/**
 * The release store is put back likewise: the private worker writes the copies of ledger and draws again. A release at
 * its gate has lost what was staged, so that nobody can sign; it is resumed.
 */
async function releaseStoreSetBack(bench: DrillBench): Promise<void> {
  const { since, gate, before } = await setBack(bench, 'release');
  const { hosts, deployment } = bench.cluster;
  const workers = HOSTS.flatMap((name) => SIDES.map((side) => hosts[name].workers[side]));
  await Promise.all(workers.map((worker) => worker.takeAway()));
  await Promise.all(workers.map((worker) => worker.start()));
  // Whoever has read a longer ledger takes this one for broken.
  const client = await OpalineClient.open(deployment);
  const anew = bench.through({ client });
  await client.temporal.workflow.getHandle(releaseWorkflowId(gate)).terminate('what was staged is lost');
  await give(anew.cluster, ['resume', releasePath(gate)]);
  const next = await anew.start();
  const followed = await Promise.all([gate, next].map((release) => anew.follow(release)));
  await requireContinued(anew.cluster, before, 'a release store that was set back');
  const commands = 'workers restarted, temporal workflow terminate, opaline resume';
  await anew.row('the release store', `set back to before two charges: ${commands}`, followed, since);
  await client.close();
}
