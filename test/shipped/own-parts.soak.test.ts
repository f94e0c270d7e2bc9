import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { setUpTemporal } from '../../client/set-up-temporal.ts';
import { storeSetupSchema } from '../../client/stores/bucket-policies.ts';
import { setUpStores } from '../../client/stores/set-up-stores.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { freePorts } from '../cluster/network.ts';
import { type Postgres, startPostgres, takesConnections, untilAnswered } from '../cluster/postgres.ts';
import { newFolder } from '../support/new-folder.ts';
import { readProjectFile } from '../tidy/source-files.ts';

const folder = newFolder();
const place = join(folder, 'authority');
const NAME = 'temporal.city.example';
const blocksOf = (text: string): string[] => [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
/** The part of the page, and what the other page has of databases and users. */
const page = readProjectFile('docs/cluster.md').split('### With certificates, for a trial\n')[1]!.split('\n## ')[0]!;
const [certificates, temporal, versitygw] = blocksOf(page) as [string, string, string];
const ownServer = blocksOf(readProjectFile('docs/own-server.md'));
const [databases, users] = ['temporal-sql-tool', 'create-user'].map(
  (word) => ownServer.find((one) => one.includes(word))!,
) as [string, string];
const settings = /^```yaml\n([\s\S]*?)^```/m.exec(page)![1]!;

const running: ChildProcess[] = [];
let postgres: Postgres;
let ports: number[];
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  ports = await freePorts('127.0.0.1', 10);
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'logs'));
  const programs = await provideTool('temporal-server 1.29.1');
  await symlink(programs.server, join(folder, 'bin', 'temporal-server'));
  await symlink(programs.sql, join(folder, 'bin', 'temporal-sql-tool'));
  await symlink(await provideTool('versitygw 1.8.0'), join(folder, 'bin', 'versitygw'));
  postgres = await startPostgres(folder, '127.0.0.1', ports[0]!);
  environment = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    TEMPORAL_NAME: NAME,
    S3: `https://localhost:${ports[1]}`,
    POSTGRES: '127.0.0.1',
    PORT: String(ports[0]),
    SQL_PASSWORD: postgres.password,
    ROOT_ACCESS_KEY_ID: 'root',
    ROOT_SECRET_ACCESS_KEY: 'of-this-test',
    ADMIN_ACCESS_KEY_ID: 'root',
    ADMIN_SECRET_ACCESS_KEY: 'of-this-test',
    SSL_CERT_FILE: join(place, 'temporal-authority.pem'),
  };
}, 600_000);
afterAll(async () => {
  for (const { pid } of running) process.kill(-pid!, 'SIGKILL');
  await postgres?.part.takeAway();
});

/** A block as a person pastes it, in a group of processes of its own. */
const started = (block: string): ChildProcess =>
  spawn('bash', ['-ec', block], { cwd: folder, env: environment, stdio: 'ignore', detached: true });

async function follow(block: string): Promise<void> {
  const [code] = await once(started(block), 'close');
  expect([block, code]).toEqual([block, 0]);
}

test('the commands of the page start both servers, and only the authority and a certificate of its own open them', async () => {
  await follow(certificates);
  await follow(databases);
  const whole = parse(readProjectFile('infra/compose/temporal.yaml'), { merge: true });
  for (const { sql } of Object.values<{ sql: object }>(whole.persistence.datastores))
    Object.assign(sql, { connectAddr: `127.0.0.1:${ports[0]}`, user: postgres.user, password: postgres.password });
  Object.assign(whole.global, parse(settings.replaceAll('FOLDER', place).replaceAll('TEMPORAL_NAME', NAME)));
  Object.values<{ rpc: object }>(whole.services).forEach(({ rpc }, at) => {
    Object.assign(rpc, { grpcPort: ports[2 + at], membershipPort: ports[6 + at] });
  });
  whole.clusterMetadata.clusterInformation.active.rpcAddress = `127.0.0.1:${ports[2]}`;
  whole.dynamicConfigClient.filepath = join(place, 'dynamic.yaml');
  await writeFile(join(place, 'dynamic.yaml'), '{}\n');
  await writeFile(join(place, 'temporal.yaml'), stringify(whole));
  running.push(started(temporal), started(versitygw));

  const connection = { address: `127.0.0.1:${ports[2]}`, namespace: 'city' };
  const caFile = join(place, 'temporal-authority.pem');
  const own = { certFile: join(place, 'temporal.pem'), keyFile: join(place, 'temporal-key.pem') };
  const tls = { caFile, serverName: NAME };
  const { isThere, missing } = await untilAnswered(() =>
    setUpTemporal({ ...connection, tls: { ...tls, ...own } }, { checkOnly: false }),
  );
  expect([isThere, missing]).toEqual([true, []]);
  for (const refused of [{ tls }, { tls: { ...own, serverName: NAME } }, {}])
    await expect(setUpTemporal({ ...connection, ...refused }, { checkOnly: true })).rejects.toMatchObject({
      code: 'SERVER_UNAVAILABLE',
    });

  const named = { private: 'private', public: 'public', client: 'client', custodian: 'custodian' };
  await mkdir(join(folder, 'keys'));
  await takesConnections('127.0.0.1', ports[1]!);
  await follow(users);
  const server = { endpoint: environment.S3, region: 'us-east-1', forcePathStyle: true };
  const credentials = { accessKeyId: 'root', secretAccessKey: 'of-this-test' };
  const buckets = { private: 'of-private', release: 'of-release', publication: 'of-publication' };
  const setUp = (more: object) =>
    setUpStores(storeSetupSchema.parse({ server: { ...server, credentials, ...more }, buckets, users: named }));
  await expect(setUp({})).rejects.toThrow('its certificate is refused here');
  expect((await setUp({ caFile })).map(({ isNew, versions }) => [isNew, versions])).toEqual([
    [true, true],
    [true, true],
    [true, false],
  ]);
}, 300_000);
