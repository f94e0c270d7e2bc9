import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { TemporalConfiguration } from '../../contracts/deployment.ts';
import { type EmbeddedFiles, locateFiles } from '../../stack/embedded-files.ts';
import type { Identity } from '../support/certificates.ts';
import { writeKey } from '../support/two-sided-gateway.ts';
import type { Custody } from './custody.ts';
import type { HostName, Network } from './network.ts';
import type { Bucket, ObjectStores } from './object-stores.ts';
import { Part } from './part.ts';
import { untilAnswered } from './postgres.ts';

export const SIDES = ['private', 'public'] as const;
export type Side = (typeof SIDES)[number];

/** One host: a private and a public worker with files, scratch and state of their own. */
export type Host = {
  name: HostName;
  files: EmbeddedFiles;
  workers: Readonly<Record<Side, Part>>;
  /** Where each worker serves metrics and health. */
  observe: Readonly<Record<Side, { metrics: string; health: string }>>;
  /** Writes what the custody says now into this host's trust file, policy and keys, and the newest keys of S3. */
  receive(custody: Custody): Promise<void>;
  /** Writes another address of Temporal into the files of its workers, which read it when they start. */
  connect(address: string): Promise<void>;
};

export type HostSetup = {
  folder: string;
  network: Network;
  stores: ObjectStores;
  sources: readonly string[];
  temporal: TemporalConfiguration;
  custody: Custody;
  /** Two free ports for each worker. */
  ports: readonly number[];
  /** File with the authority of the S3 server's certificate. */
  authorityFile: string;
};

/** Writes the files of a host; nothing runs on it yet. */
export async function prepareHost(name: HostName, setup: HostSetup): Promise<Host> {
  const { folder, network, stores, sources, temporal, custody, ports, authorityFile } = setup;
  const files = locateFiles(`${folder}/${name}`);
  for (const path of [
    files.keys,
    dirname(files.deployment('private')),
    files.scratch('private'),
    files.scratch('public'),
  ])
    await mkdir(path, { recursive: true, mode: 0o700 });
  const address = network.addressOf(name);
  const [a, b, c, d] = ports.map((port) => `${address}:${port}`);
  const observe = { private: { metrics: a!, health: b! }, public: { metrics: c!, health: d! } };
  const keysOf = (side: Side) => join(files.keys, `s3-${side}`);
  /** With the keys in files, which a worker reads again when they change. */
  const storeOf = (side: Side, bucket: Bucket, prefix?: string) => ({
    ...stores.configuration(bucket, side, prefix),
    credentials: {
      accessKeyId: { file: `${keysOf(side)}.id` },
      secretAccessKey: { file: `${keysOf(side)}.secret` },
    },
  });
  const deployments = {
    private: {
      policyFile: files.policy,
      keyFile: files.key('ledger'),
      stateFile: files.state,
      observe: observe.private,
      sources: Object.fromEntries(sources.map((source) => [source, storeOf('private', 'source', source)])),
      privateStore: storeOf('private', 'private'),
      releaseStore: storeOf('private', 'release'),
      scratch: files.scratch('private'),
    },
    public: {
      keyFile: files.key('publisher'),
      observe: observe.public,
      releaseStore: storeOf('public', 'release'),
      publicationStore: storeOf('public', 'publication'),
      scratch: files.scratch('public'),
    },
  };
  const connect = async (address: string) => {
    const shared = { temporal: { ...temporal, address }, trust: { file: files.trust, pin: custody.pin } };
    for (const side of SIDES)
      await writeSecret(files.deployment(side), JSON.stringify({ ...shared, ...deployments[side] }));
  };
  const worker = (side: Side): Part => {
    const program = fileURLToPath(new URL(`../../worker/${side}.ts`, import.meta.url));
    return new Part(folder, {
      name: `${name}-${side}`,
      words: network.on(name, [process.execPath, program, files.deployment(side)]),
      environment: { NODE_EXTRA_CA_CERTS: authorityFile },
      ready: (child) => child.ready(),
    });
  };
  const receive = async (given: Custody) => {
    await writeSecret(files.trust, given.trustFile);
    await writeSecret(files.policy, stringify(given.policy, { aliasDuplicateObjects: false }));
    await writeSecret(files.key('ledger'), given.ledgerKey.privateKey);
    await writeSecret(files.key('publisher'), given.publisherKey.privateKey);
    for (const side of SIDES) writeKey(keysOf(side), stores.key(side));
  };
  await connect(temporal.address);
  await receive(custody);
  const workers = { private: worker('private'), public: worker('public') };
  return { name, files, workers, observe, receive, connect };
}

/** Waits until a worker says that it can work. */
export const isReady = (host: Host, side: Side): Promise<void> =>
  untilAnswered(async () => {
    const answer = await fetch(`http://${host.observe[side].health}/readyz`);
    if (!answer.ok) throw new Error(`the ${side} worker of host ${host.name} is not ready: ${await answer.text()}`);
  });

/** Writes the files with which a process connects to Temporal, and gives their configuration. */
export async function writeClientCertificate(
  folder: string,
  {
    address,
    serverName,
    namespace,
    client,
    authority,
  }: { address: string; serverName: string; namespace: string; client: Identity; authority: string },
): Promise<TemporalConfiguration> {
  const tls = {
    caFile: `${folder}/temporal-authority.pem`,
    certFile: `${folder}/temporal.pem`,
    keyFile: `${folder}/temporal-key.pem`,
  };
  await writeSecret(tls.caFile, authority);
  await writeSecret(tls.certFile, client.certificate);
  await writeSecret(tls.keyFile, client.key);
  return { address, namespace, tls: { ...tls, serverName } };
}

/** Writes a file for its owner alone; it appears whole, as workers read some of them again. */
export async function writeSecret(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.part`, text, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
