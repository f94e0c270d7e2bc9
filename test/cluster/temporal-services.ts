import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setUpTemporal } from '../../client/set-up-temporal.ts';
import type { TemporalConfiguration } from '../../contracts/deployment.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import type { Identity } from '../support/certificates.ts';
import { Part } from './part.ts';
import { type Postgres, takesConnections, untilAnswered } from './postgres.ts';

export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
export type ServiceName = (typeof SERVICES)[number];

export const NAMESPACE = 'opaline';

/** Temporal's two databases, and the names of their tables' versions in its schema tool. */
const DATABASES = { temporal: 'postgresql/v12/temporal', temporal_visibility: 'postgresql/v12/visibility' };
export type DatabaseName = keyof typeof DATABASES;
export const DATABASE_NAMES = Object.keys(DATABASES) as DatabaseName[];

/** Name in the certificate of the frontend. */
export const SERVER_NAME = 'temporal.cluster.example';

const run = promisify(execFile);

/** Temporal as a cluster runs it: four services, each a process, over PostgreSQL, with client certificates required. */
export type TemporalServices = {
  parts: Readonly<Record<ServiceName, Part>>;
  /** Starts all services, and makes namespace and search attributes where they are not there. */
  start(): Promise<void>;
  /** Kills all services. */
  takeAway(): Promise<void>;
  /** Makes both databases, empty. */
  makeDatabases(): Promise<void>;
  /** Upgrades the tables to those of another version, whose programs are started from then on. */
  upgrade(version: '1.32.1'): Promise<void>;
};

/**
 * `temporal`: how a client of the cluster connects. `server`: the certificate of the frontend. `suffix`: of its folder
 * and its databases, when it is not the only one of the cluster.
 */
export async function temporalServices(
  folder: string,
  postgres: Postgres,
  temporal: TemporalConfiguration,
  {
    ports,
    server,
    authority,
    suffix = '',
  }: { ports: readonly number[]; server: Identity; authority: string; suffix?: string },
): Promise<TemporalServices> {
  let programs = await provideTool('temporal-server 1.29.1');
  const configuration = join(folder, `temporal${suffix}`);
  const at = (name: string) => join(configuration, name);
  await mkdir(configuration, { mode: 0o700 });
  const frontend = Number(temporal.address.split(':')[1]);
  await writeFile(at('server.pem'), server.certificate);
  await writeFile(at('server-key.pem'), server.key, { mode: 0o600 });
  await writeFile(at('authority.pem'), authority);
  await writeFile(at('dynamic.yaml'), '{}\n');
  const settings = settingsOf({ at, postgres, temporal, ports: [frontend, ...ports], suffix });
  await writeFile(at('cluster.yaml'), JSON.stringify(settings, null, 2), { mode: 0o600 });
  const parts = Object.fromEntries(
    SERVICES.map((service, place) => [
      service,
      new Part(folder, {
        name: `temporal${suffix}-${service}`,
        get words() {
          const root = ['--root', configuration, '--config', '.', '--env', 'cluster', '--allow-no-auth'];
          return [programs.server, ...root, 'start', '--service', service];
        },
        // It hands over what it has in order, which takes half a minute; what a cluster has to bear is the other way.
        stopSignal: 'SIGKILL',
        // The worker service has no calls to answer: the others talk to it about who is there.
        ready: () =>
          takesConnections(
            postgres.host,
            [frontend, ...ports][service === 'worker' ? SERVICES.length + place : place]!,
          ),
      }),
    ]),
  ) as Record<ServiceName, Part>;
  const all = Object.values(parts);
  return {
    parts,
    async start() {
      // On new databases each writes who the cluster is, and one that another was quicker than ends.
      await parts.history.start();
      await Promise.all(all.filter((part) => part !== parts.history).map((part) => part.start()));
      await untilAnswered(() => setUpTemporal(temporal, { checkOnly: false }));
    },
    takeAway: async () => void (await Promise.all(all.map((part) => part.takeAway()))),
    makeDatabases: async () =>
      void (await Promise.all(
        DATABASE_NAMES.map((name) => changeDatabase(programs.sql, postgres, name, [...EMPTY, newest(name)])),
      )),
    async upgrade(version) {
      programs = await provideTool(`temporal-server ${version}`);
      for (const name of DATABASE_NAMES) await changeDatabase(programs.sql, postgres, name, [newest(name)]);
    },
  };
}

function settingsOf({
  at,
  postgres,
  temporal,
  ports,
  suffix,
}: {
  at: (name: string) => string;
  postgres: Postgres;
  temporal: TemporalConfiguration;
  ports: readonly number[];
  suffix: string;
}) {
  const { host, port, user, password } = postgres;
  const store = (name: DatabaseName) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName: `${name}${suffix}`,
      connectAddr: `${host}:${port}`,
      connectProtocol: 'tcp',
      user,
      password,
      maxConns: 10,
      maxIdleConns: 10,
      maxConnLifetime: '1h',
    },
  });
  const client = { serverName: temporal.tls?.serverName, rootCaFiles: [at('authority.pem')] };
  const [certFile, keyFile] = [at('server.pem'), at('server-key.pem')];
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: store('temporal'), visibility: store('temporal_visibility') },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: host },
      tls: {
        frontend: {
          server: { certFile, keyFile, requireClientAuth: true, clientCaFiles: [at('authority.pem')] },
          client,
        },
        systemWorker: { certFile, keyFile, client },
      },
    },
    services: Object.fromEntries(
      SERVICES.map((service, place) => [
        service,
        { rpc: { grpcPort: ports[place], membershipPort: ports[SERVICES.length + place], bindOnIP: host } },
      ]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: temporal.address },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: at('dynamic.yaml'), pollInterval: '5s' },
  };
}

/** The commands of Temporal's documentation: a database, the tables of version 0.0, and every change since. */
const EMPTY = [['create'], ['setup-schema', '-v', '0.0']];
const newest = (name: DatabaseName): string[] => ['update-schema', '--schema-name', DATABASES[name]];

async function changeDatabase(
  sql: string,
  { host, port, user, password }: Postgres,
  name: DatabaseName,
  commands: readonly string[][],
): Promise<void> {
  const place = ['--plugin', 'postgres12', '--ep', host, '-p', String(port), '-u', user, '--db', name];
  for (const words of commands)
    await run(sql, [...place, ...words], { env: { ...process.env, SQL_PASSWORD: password } });
}
