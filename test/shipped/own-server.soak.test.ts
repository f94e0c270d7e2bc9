import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeMeasured } from '../../bench/measured-parts.ts';
import { WRITTEN_ONCE } from '../../client/stores/bucket-policies.ts';
import type { TemporalConfiguration } from '../../contracts/deployment.ts';
import { WORKING_PREFIXES } from '../../contracts/names.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { generateDemo } from '../../examples/demo/generate-demo.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { openStore } from '../../services/stores/open-store.ts';
import { serverOptions } from '../../services/temporal/connection.ts';
import { writeClientCertificate } from '../cluster/host.ts';
import { freePorts } from '../cluster/network.ts';
import { type Postgres, startPostgres } from '../cluster/postgres.ts';
import { DATABASE_NAMES, SERVER_NAME, type TemporalServices, temporalServices } from '../cluster/temporal-services.ts';
import { ROOT } from '../package/package.fixture.ts';
import { TestAuthority } from '../support/certificates.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { newFolder } from '../support/new-folder.ts';
import { type Gateway, startVersitygw } from '../support/versitygw.ts';
import { readProjectFile } from '../tidy/source-files.ts';
import { costLines, processorSeconds, type ReleaseUse } from './costs.ts';

const run = promisify(execFile);
const folder = newFolder();
const work = join(folder, 'work');
/** The blocks of the page, in its order. */
const blocks = [...readProjectFile('docs/own-server.md').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text!);

let postgres: Postgres;
let temporal: TemporalServices;
let gateway: Gateway;
let connection: TemporalConfiguration;
let proxy: FaultProxy;
let environment: NodeJS.ProcessEnv;
const workers: ChildProcess[] = [];
const requests = { writes: 0, reads: 0 };
/** Writes that a server would refuse that knows the condition of the policies. */
const unconditional: string[] = [];

/** As the conditions of the policies mean it: a PUT of an object, or the end of an upload in parts, that asks nothing. */
function isUnconditional(operation: string, target: string, ifNoneMatch?: string): boolean {
  const [, store, prefix] = /^\/city-(private|release)\/([^/]+)\//.exec(target) ?? [];
  if (!store || ifNoneMatch !== undefined || !/^(PUT|POST upload)$/.test(operation)) return false;
  return WRITTEN_ONCE[store as keyof typeof WRITTEN_ONCE].includes(prefix!);
}

beforeAll(async () => {
  const authority = new TestAuthority('Authority of the city');
  const [postgresPort, frontend, ...ports] = await freePorts('127.0.0.1', 10);
  for (const name of ['work', 'logs', 'client', 'bin']) await mkdir(join(folder, name), { recursive: true });
  gateway = await startVersitygw('1.8.0', { versions: true });
  proxy = await startFaultProxy(gateway.endpoint);
  proxy.arm((operation, target, headers) => {
    if (isUnconditional(operation, target, headers?.['if-none-match'])) unconditional.push(`${operation} ${target}`);
    requests[/^(GET|HEAD)/.test(operation) && !/list/i.test(operation) ? 'reads' : 'writes'] += 1;
    return null;
  });
  postgres = await startPostgres(folder, '127.0.0.1', postgresPort!);
  const address = `127.0.0.1:${frontend}`;
  connection = await writeClientCertificate(work, {
    address,
    serverName: SERVER_NAME,
    namespace: 'opaline',
    client: authority.identity('a host'),
    authority: authority.certificate,
  });
  const certificates = { server: authority.identity(SERVER_NAME), authority: authority.certificate };
  temporal = await temporalServices(folder, postgres, connection, { ports, ...certificates });
  const programs: Record<string, string> = {
    opaline: `${process.execPath} ${join(ROOT, 'cli/main.ts')}`,
    'temporal-sql-tool': (await provideTool('temporal-server 1.29.1')).sql,
    versitygw: await provideTool('versitygw 1.8.0'),
  };
  for (const [name, command] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\nexec ${command} "$@"\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }
  const { OPALINE_DEPLOYMENT: _, OPALINE_PRIVATE_DEPLOYMENT: __, ...own } = process.env;
  environment = {
    ...own,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    EXAMPLES: join(ROOT, 'examples'),
    POSTGRES: '127.0.0.1',
    PORT: String(postgresPort),
    SQL_PASSWORD: postgres.password,
    TEMPORAL: address,
    TEMPORAL_NAME: SERVER_NAME,
    S3: proxy.endpoint,
    ADMIN_ACCESS_KEY_ID: gateway.root.accessKeyId,
    ADMIN_SECRET_ACCESS_KEY: gateway.root.secretAccessKey,
  };
}, 900_000);

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await temporal?.takeAway();
  await postgres?.part.takeAway();
  await proxy?.stop();
  await gateway?.stop();
});

/** Runs a block as a person pastes it; what it printed. A worker is left running once it says that it is ready. */
async function follow(block: string): Promise<string> {
  const isWorker = block.includes('opaline worker');
  const script = isWorker ? block.replace('opaline worker', 'exec opaline worker') : block;
  const child = spawn('bash', ['-ec', script], { cwd: work, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ready = Promise.withResolvers<void>();
  for (const channel of [child.stdout, child.stderr])
    channel.on('data', (text) => {
      said += text;
      if (said.includes('worker is ready')) ready.resolve();
    });
  const ended = once(child, 'close');
  if (isWorker) workers.push(child);
  await (isWorker ? Promise.race([ready.promise, ended]) : ended);
  expect({ block, said, code: child.exitCode }).toMatchObject({ code: isWorker ? null : 0 });
  return said;
}

/** What the supplier does, by the key of the page: the first week of the demo. */
async function deliver(): Promise<void> {
  const secretAccessKey = await readFile(join(work, 'keys/s3-supplier'), 'utf8');
  const source = openStore(gateway.configuration('city-source', { accessKeyId: 'supplier', secretAccessKey }));
  await generateDemo(join(folder, 'demo'));
  for (let day = 0; day < 7; day++) {
    const date = join('trips', addDays('2026-03-02', day));
    for (const name of await readdir(join(folder, 'demo', date)))
      await source.putIfAbsent(`${date}/${name}`, await readFile(join(folder, 'demo', date, name)));
  }
}

/** What was used until now. */
async function used(): Promise<ReleaseUse> {
  const sizeOf = async (bucket: string, isCounted: (key: string) => boolean = () => true): Promise<number> => {
    let sum = 0;
    for await (const { key, size } of openStore(gateway.configuration(`city-${bucket}`)).list(''))
      if (isCounted(key)) sum += size;
    return sum;
  };
  const databases = DATABASE_NAMES.map((name) => postgres.ask(name, 'SELECT pg_database_size(current_database())'));
  return {
    partitions: 28,
    privateSeconds: await processorSeconds(workers[0]!.pid!),
    publicSeconds: await processorSeconds(workers[1]!.pid!),
    ...requests,
    privateBytes: await sizeOf('private'),
    purgedBytes: await sizeOf('private', (key) => WORKING_PREFIXES.some((prefix) => key.startsWith(`${prefix}/`))),
    releaseBytes: await sizeOf('release'),
    publicationBytes: await sizeOf('publication'),
    databaseBytes: (await Promise.all(databases)).reduce((sum, size) => sum + Number(size), 0),
  };
}

/** What was used between two looks. */
const between = (before: ReleaseUse, after: ReleaseUse): ReleaseUse => ({
  ...(Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof ReleaseUse]]),
  ) as ReleaseUse),
  partitions: after.partitions,
});

test('the page leads from nothing to a published week, and to a second host', async () => {
  const said: string[] = [];
  for (const block of blocks) {
    if (block.includes('temporal setup')) await temporal.start();
    if (!block.includes('opaline run')) {
      said.push(await follow(block));
      continue;
    }
    await deliver();
    expect(isUnconditional('PUT', '/city-private/ledger/a/1.json ')).toBe(true);
    const before = await used();
    said.push(await follow(block));
    const use = between(before, await used());
    expect(Math.min(...Object.values(use))).toBeGreaterThan(0);
    const command = 'npm run soak -- test/shipped/own-server.soak.test.ts';
    writeMeasured('own-server', { costs: costLines(use) }, { command });
  }
  expect(unconditional).toEqual([]);
  expect((await stat(join(work, 'keys'))).mode & 0o077).toBe(0);
  const all = said.join('\n');
  expect(all).toContain('city-private: made; its policy is set. This server does not know how');
  expect(all).toContain('Done: the namespace city was made.');
  expect(all.match(/Nothing is wrong\./g)).toHaveLength(2);
  expect(all).toMatch(/^Verified/m);
  expect(all.split('\n').filter((line) => /^\s*✗|Error|UNEXPECTED|"level":[56]0/.test(line))).toEqual([]);
}, 600_000);

test('a command of Temporal that doctor prints connects with the certificates of the deployment, and without them nobody', async () => {
  const city = { ...connection, namespace: 'city' };
  const words = `workflow describe ${serverOptions(city)} --workflow-id release/demo-taps/2026-03-02/v1`.split(' ');
  const { stdout } = await run(await provideTool('temporal-cli'), words);
  expect(stdout).toContain('COMPLETED');
  const bare = serverOptions({ ...city, tls: undefined }).split(' ');
  await expect(run(await provideTool('temporal-cli'), ['workflow', 'list', ...bare])).rejects.toThrow();
});
