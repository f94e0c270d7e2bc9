import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import {
  type ClientDeployment,
  clientDeploymentSchema,
  type TemporalConfiguration,
} from '../../contracts/deployment.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { Prometheus } from '../observe/prometheus.fixture.ts';
import { until } from '../observe/scrape.fixture.ts';
import { TestAuthority } from '../support/certificates.ts';
import { widePopulation } from '../support/test-trust.ts';
import { type Custody, newCustody } from './custody.ts';
import { type Host, isReady, prepareHost, SIDES, writeClientCertificate, writeSecret } from './host.ts';
import { freePorts, HOSTS, type HostName, type Network } from './network.ts';
import { type ObjectStores, startObjectStores } from './object-stores.ts';
import { Part } from './part.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { recordCluster, removeCluster } from './running-clusters.ts';
import { NAMESPACE, SERVER_NAME, type TemporalServices, temporalServices } from './temporal-services.ts';

/** Source stores of the cluster, each of the people of one population. */
export const POPULATIONS = { 'small-riders': 'trips', weekly: 'weekly', 'demo-riders': 'demo' } as const;

/** Series whose publications the world may read. */
const SERIES = ['small', 'weekly', 'wide', 'demo-taps'];

/** A running cluster. Everything of it is below one folder, and runs as processes of this machine. */
export type Cluster = {
  folder: string;
  network: Network;
  authority: TestAuthority;
  postgres: Postgres;
  stores: ObjectStores;
  temporal: TemporalServices;
  /** Another Temporal server, not started, over the databases whose names end so; and how a client connects to it. */
  anotherTemporal(suffix: string): Promise<{ temporal: TemporalServices; connection: TemporalConfiguration }>;
  connection: TemporalConfiguration;
  hosts: Readonly<Record<HostName, Host>>;
  prometheus: Prometheus;
  custody: Custody;
  client: OpalineClient;
  deployment: ClientDeployment;
  /** Path of the client's deployment file, for the command line. */
  deploymentFile: string;
  /** Seconds that each step of the start took. */
  seconds: Readonly<Record<string, number>>;
  /** Ends every process, and removes folder and networks. */
  end(): Promise<void>;
};

/**
 * Starts PostgreSQL, Temporal, an S3 server, two hosts with two workers each, and Prometheus, and waits until all of
 * them work. Whatever is missing of their programs is fetched first.
 */
export async function startCluster(folder: string, network: Network): Promise<Cluster> {
  const seconds: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const answer = await work();
    seconds[name] = Math.round((performance.now() - began) / 100) / 10;
    return answer;
  };
  const began = performance.now();
  const { address } = network;
  await mkdir(join(folder, 'logs'), { recursive: true, mode: 0o700 });
  await recordCluster(folder, network);
  const authority = new TestAuthority('Cluster authority');
  const authorityFile = join(folder, 'authority.pem');
  await writeSecret(authorityFile, authority.certificate);
  // For this process, and for commands that it starts.
  setDefaultCACertificates([...getCACertificates('default'), authority.certificate]);
  const authoritiesBefore = process.env.NODE_EXTRA_CA_CERTS;
  process.env.NODE_EXTRA_CA_CERTS = authorityFile;
  const [postgresPort, s3Port, frontend, prometheusPort, ...ports] = await freePorts(address, 12);
  const custody = newCustody(
    Object.fromEntries(Object.entries(POPULATIONS).map(([name, store]) => [name, widePopulation([store])])),
  );
  const connectionOf = (place: string, name: string) =>
    writeClientCertificate(join(folder, place), {
      address: `${address}:${frontend}`,
      serverName: SERVER_NAME,
      namespace: NAMESPACE,
      client: authority.identity(name),
      authority: authority.certificate,
    });
  const connection = await connectionOf('client', 'client');

  const certificates = { server: authority.identity(SERVER_NAME), authority: authority.certificate };
  const databases = async () => {
    const postgres = await timed('PostgreSQL', () => startPostgres(folder, address, postgresPort!));
    const temporal = await temporalServices(folder, postgres, connection, { ports, ...certificates });
    await timed('schema', () => temporal.makeDatabases());
    await timed('Temporal', () => temporal.start());
    return { postgres, temporal };
  };
  const server = authority.identity(address);
  const s3 = { address, port: s3Port!, server, authorityFile, series: SERIES };
  const [{ postgres, temporal }, stores] = await Promise.all([
    databases(),
    timed('S3', () => startObjectStores(folder, s3)),
  ]);

  const hosts = {} as Record<HostName, Host>;
  for (const name of HOSTS)
    hosts[name] = await prepareHost(name, {
      folder,
      network,
      stores,
      custody,
      authorityFile,
      sources: Object.values(POPULATIONS),
      temporal: await connectionOf(name, name),
      ports: await freePorts(address, 4),
    });
  const all = Object.values(hosts);
  await timed('workers', async () => {
    await Promise.all(all.flatMap((host) => SIDES.map((side) => host.workers[side].start())));
    await Promise.all(all.flatMap((host) => SIDES.map((side) => isReady(host, side))));
  });
  const metrics = (side: 'private' | 'public') => all.map((host) => host.observe[side].metrics);
  const prometheusAddress = `${address}:${prometheusPort}`;
  const prometheus = new Prometheus(prometheusAddress);
  const watcher = new Part(folder, {
    name: 'prometheus',
    words: await Prometheus.prepare(join(folder, 'prometheus'), prometheusAddress, {
      private: metrics('private'),
      public: metrics('public'),
    }),
    stopSignal: 'SIGKILL',
    ready: () => until(() => prometheus.isReady(), Boolean),
  });
  await timed('Prometheus', () => watcher.start());
  const deploymentFile = join(folder, 'client', 'client.json');
  const trustFile = join(folder, 'client', 'trust.json');
  const signingKeyFile = join(folder, 'client', 'policy.pem');
  await writeSecret(trustFile, custody.trustFile);
  await writeSecret(signingKeyFile, custody.policyKey.privateKey);
  await writeFile(
    deploymentFile,
    JSON.stringify({
      temporal: connection,
      trust: { file: trustFile, pin: custody.pin },
      signingKeyFile,
      releaseStore: stores.configuration('release', 'client'),
      publications: `${stores.endpoint}/publication`,
    }),
    { mode: 0o600 },
  );
  const deployment = await readDeployment(deploymentFile, clientDeploymentSchema);
  const client = await openClient(deployment);
  seconds.all = Math.round((performance.now() - began) / 100) / 10;
  const cluster: Cluster = {
    folder,
    network,
    authority,
    postgres,
    stores,
    temporal,
    connection,
    hosts,
    prometheus,
    custody,
    client,
    deployment,
    deploymentFile,
    seconds,
    async anotherTemporal(suffix) {
      const [port, ...others] = await freePorts(address, 8);
      const other = { ...connection, address: `${address}:${port}` };
      const settings = { ports: others, ...certificates, suffix };
      return { connection: other, temporal: await temporalServices(folder, postgres, other, settings) };
    },
    async end() {
      await cluster.client.close();
      // Another file of tests may follow in this process.
      if (authoritiesBefore === undefined) delete process.env.NODE_EXTRA_CA_CERTS;
      else process.env.NODE_EXTRA_CA_CERTS = authoritiesBefore;
      await Promise.all(all.flatMap((host) => SIDES.map((side) => host.workers[side].takeAway())));
      await temporal.takeAway();
      await Promise.all([stores.part, postgres.part, watcher].map((part) => part.takeAway()));
      await removeCluster(folder, network);
    },
  };
  return cluster;
}
