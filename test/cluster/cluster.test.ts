import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { openClient } from '../../client/opaline-client.ts';
import { releasePath } from '../../contracts/names.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { scratchLeftovers } from '../support/release-checks.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { networkOf } from './network.ts';
import type { Bucket, User } from './object-stores.ts';
import { deliverDemo, publishAtGate, startWindow } from './windows.ts';

/**
 * One window on a cluster of this machine: Temporal's four services over PostgreSQL with client certificates, an S3
 * server over TLS, and two hosts. Its drills are `npm run cluster`. The machine's networks stay as they are.
 */
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster(await mkdtemp(join(tmpdir(), 'opaline-cluster-')), networkOf(null));
}, 900_000);
afterAll(() => cluster?.end());

test('a window of the demo is published on the cluster, and whoever verifies it from the bucket finds nothing', async () => {
  const { series, window } = await deliverDemo(cluster);
  const release = await startWindow(cluster, series, window);
  await publishAtGate(cluster, series, release);
  const address = `${cluster.stores.endpoint}/publication/${releasePath(release)}`;
  const verified = await run(['verify', address, '--trust', join(cluster.folder, 'client', 'trust.json')]);
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  const { entries } = await readLedger(cluster.client.releaseStore, 'demo-riders');
  expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'commit']);
  for (const { files } of Object.values(cluster.hosts))
    for (const side of ['private', 'public'] as const)
      await expect.poll(() => scratchLeftovers(files.scratch(side)), { timeout: 30_000 }).toEqual([]);
  const doctor = await run(['doctor'], { deployment: cluster.deploymentFile });
  expect(doctor).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing is wrong\.\n/) });
}, 300_000);

test('a namespace that Temporal does not have is named, with the command that makes it', async () => {
  const connection = { ...cluster.connection, namespace: 'elsewhere' };
  const client = await openClient({ ...cluster.deployment, temporal: connection });
  const release = { series: 'demo-taps', window: '2026-03-02', version: 1 };
  const refusal = { code: 'SERVER_UNAVAILABLE', message: expect.stringContaining('no namespace elsewhere') };
  await expect(client.status(release)).rejects.toMatchObject(refusal);
  await client.close();
});

test('Temporal takes nobody without a certificate of its authority', async () => {
  const { caFile, serverName } = cluster.connection.tls!;
  const open = openClient({
    ...cluster.deployment,
    temporal: { ...cluster.connection, tls: { caFile, serverName } },
  });
  await expect(open).rejects.toMatchObject({ code: 'SERVER_UNAVAILABLE' });
});

test.each([
  ['public', 'list', 'source'],
  ['public', 'list', 'private'],
  ['client', 'list', 'private'],
  ['client', 'list', 'source'],
  ['custodian', 'list', 'source'],
  ['supplier', 'list', 'private'],
  ['private', 'write', 'source'],
  ['private', 'write', 'publication'],
  ['client', 'write', 'publication'],
  ['custodian', 'write', 'release'],
] as const)('the user %s may not %s the bucket %s', async (user: User, what: string, bucket: Bucket) => {
  const store = cluster.stores.store(bucket, user);
  const listed = async () => {
    for await (const { key } of store.list('')) return key;
    return null;
  };
  const tried = what === 'list' ? listed() : store.putIfAbsent('planted', Buffer.from('x'));
  await expect(tried).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
});
