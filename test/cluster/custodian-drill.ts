import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openClient } from '../../client/opaline-client.ts';
import { setUpTemporal } from '../../client/set-up-temporal.ts';
import { POLICY_POWERS } from '../../contracts/formats/policy.ts';
import { releasePath } from '../../contracts/names.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { testPolicy } from '../support/test-custody.ts';
import { widePopulation } from '../support/test-trust.ts';
import { writeWeeklySeries } from '../support/weekly-series.ts';
import { type Cluster, POPULATIONS } from './cluster.ts';
import { newCustody } from './custody.ts';
import type { DrillBench } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { isReady, prepareHost, SIDES, writeSecret } from './host.ts';
import { freePorts, networkOf } from './network.ts';
import { startObjectStores } from './object-stores.ts';
import { recordCluster, removeCluster } from './running-clusters.ts';

/** What the second custodian calls its own on the server of the first. */
const NAMESPACE = 'second';

/**
 * A second custodian comes to the Temporal server, with a namespace, an S3 server, keys and a policy of its own. Both
 * release; what the first one signed is then scheduled in the namespace of the second, with its series file in the store.
 */
export const twoCustodians: Drill = async (bench) => {
  const { cluster } = bench;
  const second = await secondCustodian(cluster);
  try {
    // Keys of the first one may have been rotated, and its series file signed.
    const other = bench.through(
      second,
      await writeWeeklySeries(join(cluster.folder, NAMESPACE, 'small'), { epsilon: '4' }),
    );
    const since = performance.now();
    const [own, theirs] = await Promise.all([bench, other].map(async (one) => one.follow(await one.start())));
    await bench.row('two custodians on one server', 'the release of the first', [own!], since);
    await other.row('two custodians on one server', 'the release of the second', [theirs!], since);
    await requireRefused(other.through({ client: second.misled }));
  } finally {
    await second.end();
  }
};

/** Throws an Error unless a release that the other custodian has signed stops at the charge, and leaves no entry. */
async function requireRefused(bench: DrillBench): Promise<void> {
  // The second has not signed this one.
  const { file } = await writeWeeklySeries(join(bench.cluster.folder, 'foreign'), { series: 'foreign', epsilon: '4' });
  const run = await bench.start(file);
  const status = await bench.reaches(run, ['failed', 'stalled', 'partitions-failed', 'waiting']);
  if (!JSON.stringify(status).includes('SERIES_UNSIGNED'))
    throw new Error(`a release of the other custodian is ${JSON.stringify(status)}`);
  const { entries } = await readLedger(bench.cluster.client.releaseStore, 'small-riders');
  if (JSON.stringify(entries).includes(releasePath(run)))
    throw new Error('a release of the other custodian was charged');
}

/** `misled`: a client of the second one's stores and namespace, which signs with the key of the first. */
async function secondCustodian(cluster: Cluster) {
  const { network, connection, custody: first } = cluster;
  const { address } = network;
  const folder = join(cluster.folder, NAMESPACE);
  await mkdir(join(folder, 'logs'), { recursive: true });
  await recordCluster(folder, networkOf(null));
  const policyKey = generateSigningKey();
  const populations = Object.fromEntries(
    Object.entries(POPULATIONS).map(([name, store]) => [name, widePopulation([store])]),
  );
  const keys = [{ name: 'theirs', key: policyKey.publicKey, may: [...POLICY_POWERS], revoked: false }];
  const custody = { ...newCustody(populations), policyKey, ...testPolicy({ demo: false, populations, keys }) };
  const temporal = { ...connection, namespace: NAMESPACE };
  await setUpTemporal(temporal, { checkOnly: false });
  const [port, ...ports] = await freePorts(address, 5);
  const server = cluster.authority.identity(address);
  const authorityFile = join(cluster.folder, 'authority.pem');
  const stores = await startObjectStores(folder, { address, port: port!, server, authorityFile, series: ['small'] });
  const sources = Object.values(POPULATIONS);
  const host = await prepareHost('b', { folder, network, stores, custody, authorityFile, sources, temporal, ports });
  const clientOf = async (name: string, key: string) => {
    const signingKeyFile = join(folder, name, 'policy.pem');
    await writeSecret(signingKeyFile, key);
    const trustFile = join(folder, name, 'trust.json');
    await writeSecret(trustFile, custody.trustFile);
    return openClient({
      temporal,
      trust: { file: trustFile, pin: custody.pin },
      signingKeyFile,
      releaseStore: stores.configuration('release', 'client'),
    });
  };
  await Promise.all(SIDES.map((side) => host.workers[side].start()));
  await Promise.all(SIDES.map((side) => isReady(host, side)));
  const client = await clientOf('client', policyKey.privateKey);
  const misled = await clientOf('misled', first.policyKey.privateKey);
  return {
    stores,
    client,
    misled,
    hosts: { a: host, b: host },
    async end() {
      await Promise.all([client.close(), misled.close(), ...SIDES.map((side) => host.workers[side].takeAway())]);
      await stores.part.takeAway();
      await removeCluster(folder, networkOf(null));
    },
  };
}
