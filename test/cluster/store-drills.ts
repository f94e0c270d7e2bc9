import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../../cli/process.fixture.ts';
import { releasePath } from '../../contracts/names.ts';
import type { DrillBench } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { HOSTS } from './network.ts';
import { give, ledgerOf, namedCommands, requireContinued } from './people.ts';
import { untilAnswered } from './postgres.ts';

const execute = promisify(execFile);

/** A store is lost or set back; what brings releases back are the commands of docs/runbooks.md. */
export const lostStores: Drill = async (bench) => {
  await lostPublications(bench);
  await privateStoreSetBack(bench);
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

/** The private store is put back to a backup, after which one release was published and one came to its gate. */
async function privateStoreSetBack(bench: DrillBench): Promise<void> {
  const { cluster } = bench;
  const { stores, hosts } = cluster;
  const [folder, backup] = [stores.folder('private'), join(cluster.folder, 'private-backup')];
  await bench.follow(await bench.start());
  // What the server keeps of an object beside its bytes is in attributes of the file.
  await execute('cp', ['-a', folder, backup]);
  await bench.follow(await bench.start());
  const gate = await bench.start();
  await bench.reaches(gate, ['waiting']);
  const before = await ledgerOf(cluster);
  await stores.part.takeAway();
  await rm(folder, { recursive: true });
  await execute('cp', ['-a', backup, folder]);
  await stores.part.start();
  const since = performance.now();
  const next = await bench.start();
  await bench.reaches(next, ['stalled', 'partitions-failed']);
  const order = join(cluster.folder, 'client', 'takeover.order.json');
  const signed = ['--policy', hosts.a.files.policy, '--key', join(cluster.folder, 'client', 'policy.pem')];
  await give(cluster, ['ledger', 'takeover', 'small-riders', ...signed, '--out', order]);
  await give(cluster, ['order', 'put', order]);
  for (const name of HOSTS) {
    await hosts[name].workers.private.takeAway();
    await hosts[name].workers.private.start();
  }
  await give(cluster, ['retry', releasePath(next)]);
  const followed = await Promise.all([gate, next].map((release) => bench.follow(release)));
  await requireContinued(cluster, before, 'a private store that was set back');
  const commands = 'opaline ledger takeover, opaline order put, workers restarted, opaline retry';
  await bench.row('the private store', `set back to before two charges: ${commands}`, followed, since);
}
