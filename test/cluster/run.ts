import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openClient } from '../../client/opaline-client.ts';
import { COMPILED } from '../../infra/provision/compile-cache.mjs';
import { codeDigest, hasChanged, headCommit, readEvidence, writeEvidence } from '../support/evidence.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { DrillBench, isUnharmed } from './drill-bench.ts';
import { DRILLS, LONG } from './drills.ts';
import { clusterPage, type DrillEvidence, type DrillRows } from './evidence-page.ts';
import { layNetwork } from './network.ts';
import { endCluster, listClusters } from './running-clusters.ts';

/**
 * `npm run cluster` carries out the usual drills and writes their rows, with `-- long` those of full times and sizes;
 * names of drills after it: those alone. The rows of others stay. `-- up` starts a cluster and leaves it running,
 * `-- down` ends every one of this checkout.
 */
process.env.NODE_COMPILE_CACHE ??= COMPILED; // as in vitest.config.ts

const HERE = fileURLToPath(import.meta.url);

/** The code that a drill tries. */
const MEASURES = 'activities client contracts core counts custodian kinds services worker workflows'.split(' ');

/** The drills of a run without names. */
const USUAL = Object.keys(DRILLS).filter((name) => !LONG.includes(name));

const minutesSince = (began: number) => Math.round((performance.now() - began) / 6000) / 10;

const newClusterFolder = () => mkdtemp(join(tmpdir(), 'opaline-cluster-'));

/** A cluster that ends in order when this process is asked to end. */
async function ownCluster(folder: string): Promise<Cluster> {
  const cluster = await startCluster(folder, await layNetwork());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cluster.end().finally(() => process.exit(130)));
  return cluster;
}

function describe({ folder, network, hosts, stores, deploymentFile, seconds, postgres }: Cluster): string {
  return `The cluster is up after ${seconds.all} s (${Object.entries(seconds)
    .map(([part, time]) => `${part} ${time} s`)
    .join(', ')}).
Hosts: ${network.number === null ? 'both on loopback' : 'a network of its own each'}; ${Object.values(hosts)
    .map(({ name, files }) => `${name} in ${files.root}`)
    .join(', ')}
PostgreSQL ${postgres.version}; S3 at ${stores.endpoint}; logs in ${folder}/logs
To use it:
  export OPALINE_DEPLOYMENT=${deploymentFile} NODE_EXTRA_CA_CERTS=${folder}/authority.pem
  npm run opaline -- doctor
npm run cluster -- down ends it.
`;
}

/** Starts a process that keeps a cluster, and waits until it is up. */
async function up(): Promise<void> {
  const folder = await newClusterFolder();
  const log = openSync(join(folder, 'cluster.log'), 'a', 0o600);
  const keeper = spawn(process.execPath, [HERE, 'keep', folder], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  const text = await new Promise<string | null>((resolve) => {
    keeper.once('message', (said) => resolve(String(said)));
    keeper.once('exit', () => resolve(null));
  });
  if (text === null) throw new Error(`The cluster did not start; see ${folder}/cluster.log`);
  process.stdout.write(text);
  keeper.disconnect();
  keeper.unref();
}

async function keep(folder: string): Promise<void> {
  const cluster = await ownCluster(folder);
  process.send?.(describe(cluster));
  for (;;) await delay(3_600_000);
}

async function down(): Promise<void> {
  const clusters = await listClusters();
  for (const cluster of clusters) await endCluster(cluster);
  console.log(
    clusters.length === 0
      ? 'No cluster of this checkout is running.'
      : `Ended: ${clusters.map(({ folder }) => folder).join(', ')}`,
  );
}

/** Carries out drills on a new cluster. The rows of each are kept when it is over. */
async function drill(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in DRILLS));
  if (unknown.length > 0) throw new Error(`no drill ${unknown.join()}; there are ${Object.keys(DRILLS).join(', ')}`);
  const cluster = await ownCluster(await newClusterFolder());
  console.log(describe(cluster));
  const nothing = (): DrillRows => ({ commit: headCommit(), code: codeDigest(MEASURES), rows: [], sizes: [] });
  let drilled = nothing();
  const whole = performance.now();
  try {
    const bench = await DrillBench.open(cluster, (row) => {
      if ('what' in row) drilled.sizes.push(row);
      else drilled.rows.push(row);
      console.log(
        Object.entries(row)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
      );
    });
    for (const name of names as (keyof typeof DRILLS)[]) {
      drilled = nothing();
      const began = performance.now();
      // Whoever has read a longer ledger takes one that was set back for broken.
      await cluster.client.close();
      cluster.client = await openClient(cluster.deployment);
      await DRILLS[name](bench);
      drilled.minutes = minutesSince(began);
      if (drilled.rows.some((row) => !isUnharmed(row))) process.exitCode = 1;
      await keepRows(cluster, name, drilled);
      console.log(`${name}: ${drilled.minutes} minutes, ${minutesSince(whole)} in all`);
    }
  } catch (error) {
    await cp(join(cluster.folder, 'logs'), join(tmpdir(), 'opaline-cluster-logs'), { recursive: true });
    throw error;
  } finally {
    await cluster.end();
  }
}

/** Writes the rows of a drill beside those of the others, and the page. */
async function keepRows({ postgres, network }: Cluster, name: string, drilled: DrillRows): Promise<void> {
  const others = (readEvidence('cluster')?.rows as DrillEvidence | undefined)?.drills ?? {};
  const drills = Object.fromEntries(
    Object.keys(DRILLS).flatMap((one) => {
      const rows = one === name ? drilled : others[one];
      return rows ? [[one, rows]] : [];
    }),
  );
  const versions = { Temporal: '1.29.1', PostgreSQL: postgres.version, versitygw: '1.8.0' };
  const { commit, code } = Object.values(drills).find((one) => one.code !== drilled.code) ?? drilled;
  const evidence = writeEvidence('cluster', {
    command: 'npm run cluster',
    measures: MEASURES,
    commit,
    code,
    rows: { versions, networks: network.number !== null, drills } satisfies DrillEvidence,
  });
  await writeFile(new URL('../../docs/cluster.md', import.meta.url), clusterPage(evidence, hasChanged(evidence)));
}

const [command, ...others] = process.argv.slice(2);
if (command === 'up') await up();
else if (command === 'keep') await keep(others[0]!);
else if (command === 'down') await down();
else if (command === 'long') await drill(LONG);
else await drill(command === undefined ? USUAL : process.argv.slice(2));
process.exit();
