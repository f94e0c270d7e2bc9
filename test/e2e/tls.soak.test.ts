import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { openClient } from '../../client/opaline-client.ts';
import { clientDeploymentSchema, publicDeploymentSchema } from '../../contracts/deployment.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { startProcess } from '../../stack/child-process.ts';
import { provideDemoTrust } from '../../stack/demo-trust.ts';
import { folderDeployments, locateFiles, writeDeployments } from '../../stack/embedded-files.ts';
import { startTemporalServer, type TemporalServer } from '../../stack/temporal-server.ts';
import { type Identity, TestAuthority } from '../support/certificates.ts';
import { newFolder } from '../support/new-folder.ts';
import { startSmall } from '../support/releases.ts';
import { writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';
import { ROOT } from '../tidy/source-files.ts';

/** Name in the server's certificate; the connection goes to a loopback address. */
const NAME = 'temporal.example.org';
const API_KEY = 'a-key-that-must-not-be-shown';

const root = newFolder();
let temporal: TemporalServer;
let front: Server;
const authority = new TestAuthority('Test authority');
const server = authority.identity(NAME);
const stops: (() => unknown)[] = [];

const address = (listener: { address(): AddressInfo | string | null }): string => {
  const at = listener.address();
  if (typeof at !== 'object' || at === null) throw new Error('not listening');
  return `127.0.0.1:${at.port}`;
};

/** Ends TLS, with client certificates required, in front of a server that has none; gRPC asks for `h2`. */
async function tlsFront(behind: string): Promise<Server> {
  const terms = { requestCert: true, rejectUnauthorized: true, ca: authority.certificate, ALPNProtocols: ['h2'] };
  const listener = createServer({ cert: server.certificate, key: server.key, ...terms }, (inside) => {
    const [host, port] = behind.split(':');
    const outside: Socket = connect(Number(port), host);
    for (const socket of [inside, outside]) socket.on('error', () => [inside, outside].map((one) => one.destroy()));
    inside.pipe(outside).pipe(inside);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return listener;
}

async function written(name: string, text: string): Promise<string> {
  const path = join(root, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

/** Configuration of a connection with a client certificate. */
async function tlsOf(name: string, client: Identity, ca = authority.certificate) {
  return {
    caFile: await written(`${name}-ca.pem`, ca),
    certFile: await written(`${name}.pem`, client.certificate),
    keyFile: await written(`${name}-key.pem`, client.key),
    serverName: NAME,
  };
}

/** The deployment of a process of an embedded stack, with another connection. */
async function deploymentOf(side: 'private' | 'public' | 'client', connection: object): Promise<object> {
  const usual = JSON.parse(await readFile(locateFiles(root).deployment(side), 'utf8'));
  return { ...usual, temporal: connection };
}

const clientOf = async (connection: object) => clientDeploymentSchema.parse(await deploymentOf('client', connection));

beforeAll(async () => {
  const cli = await provideTool('temporal-cli');
  temporal = await startTemporalServer({
    cli,
    database: join(root, 'temporal.db'),
    logFile: join(root, 'temporal.log'),
    ui: false,
  });
  front = await tlsFront(temporal.address);
  const files = locateFiles(root);
  await provideDemoTrust(files, TEST_TRUST);
  await writeDeployments(files, folderDeployments(files, { trips: join(files.sources, 'trips') }), temporal.address);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  front?.close();
  await temporal?.process.stop();
});

test('both workers, the client and the command line work over TLS with client certificates', async () => {
  const source = join(root, 'stores', 'sources', 'trips');
  await writeSmallTrips(source);
  const tls = await tlsOf('worker', authority.identity('worker'));
  const secret = { file: await written('codec.key', randomBytes(32).toString('base64')) };
  const connection = { address: address(front), tls, codec: { keys: [{ name: 'first', secret }] } };
  for (const side of ['private', 'public', 'client'] as const)
    await written(`${side}.json`, JSON.stringify(await deploymentOf(side, connection)));
  for (const side of ['private', 'public'] as const) {
    const words = [join(ROOT, 'worker', `${side}.ts`), join(root, `${side}.json`)];
    const worker = await startProcess(process.execPath, words, join(root, `${side}.log`));
    stops.push(() => worker.stop());
    expect(await worker.ready(), await readFile(join(root, `${side}.log`), 'utf8')).toBe(true);
  }
  const client = await openClient(await clientOf(connection));
  stops.push(() => client.close());
  const release = await startSmall(client, await writeSmallSeries(join(root, 'small')));
  expect((await reaches(client, release, ['waiting'], 120)).verdict).toBe('pass');
  const setup = await run(['temporal', 'setup'], { cwd: root, deployment: join(root, 'client.json') });
  expect(setup).toMatchObject({ code: 0, stderr: '' });
  const doctor = await run(['doctor'], { cwd: root, deployment: join(root, 'client.json') });
  expect(doctor).toMatchObject({ code: 0, stderr: '' });
  expect(doctor.stdout).toMatch(/^Nothing is wrong\.\n/);
  // Temporal holds references and states alone, and with a codec not even these.
  const own = await Connection.connect({ address: temporal.address });
  stops.push(() => own.close());
  const history = await new Client({ connection: own }).workflow.getHandle(releaseWorkflowId(release)).fetchHistory();
  const { events } = JSON.parse(historyToJSON(history)) as { events: object[] };
  const encodings = [...JSON.stringify(events).matchAll(/"encoding":"([^"]+)"/g)].map(([, one]) => atob(one!));
  const inputs = encodings.filter((one) => one !== 'json/plain');
  expect(new Set(inputs)).toEqual(new Set(['binary/encrypted']));
  expect(inputs.length).toBeGreaterThan(20);
  // What is left in clear is what Temporal searches by.
  expect(JSON.stringify(events).replaceAll(/"searchAttributes":\{.*?\}\}\}/g, '')).not.toContain(btoa('json/plain'));
}, 240_000);

test('a foreign authority, a missing client certificate and no TLS at all are refused, with one sentence', async () => {
  const other = new TestAuthority('Another authority');
  const own = await tlsOf('own', authority.identity('client'));
  const wrong = [
    { address: address(front), tls: await tlsOf('foreign', authority.identity('client'), other.certificate) },
    { address: address(front), tls: await tlsOf('stranger', other.identity('client')) },
    { address: address(front), tls: { caFile: own.caFile, serverName: NAME } },
    { address: address(front) },
  ];
  await Promise.all(
    wrong.map(async (one) => {
      const open = openClient(await clientOf(one));
      await expect(open).rejects.toMatchObject({ code: 'SERVER_UNAVAILABLE' });
    }),
  );
});

test('files that cannot be used are named by field and path, and what they hold is never shown', async () => {
  const own = await tlsOf('shown', authority.identity('client'));
  const key = await readFile(own.keyFile, 'utf8');
  const noPem = await written('no-pem.txt', API_KEY);
  const cases = [
    { tls: { ...own, keyFile: noPem }, says: 'no-pem.txt (temporal.tls.keyFile) is no PEM file.' },
    { tls: { ...own, caFile: join(root, 'none.pem') }, says: 'none.pem (temporal.tls.caFile) cannot be read.' },
    {
      tls: own,
      apiKey: { file: await written('keys.txt', `${API_KEY}\n${API_KEY}\n`) },
      says: 'temporal.apiKey has to be one key and nothing else.',
    },
    { tls: { ...own, certFile: undefined }, says: 'certFile and keyFile go together' },
    { apiKey: { file: noPem }, says: 'an API key is sent over TLS only' },
  ];
  let shown = '';
  for (const [place, { says, ...connection }] of cases.entries()) {
    const wrong = { address: address(front), ...connection };
    const file = await written(`wrong-${place}.json`, JSON.stringify(await deploymentOf('public', wrong)));
    const text = JSON.stringify(await deploymentOf('client', wrong));
    const client = await written(`wrong-client-${place}.json`, text);
    const ending = await run(['status'], { cwd: root, deployment: client });
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    shown += ending.stderr;
    if (place > 0) continue; // one for all: the worker reads the same configuration
    const log = join(root, 'wrong.log');
    await (await startProcess(process.execPath, [join(ROOT, 'worker', 'public.ts'), file], log)).whenEnded;
    expect(await readFile(log, 'utf8')).toContain(says);
    shown += await readFile(log, 'utf8');
  }
  expect(shown).not.toContain(API_KEY);
  expect(shown).not.toContain(key.split('\n')[1]);
});

test('an API key is sent as a bearer token, by workers and clients', async () => {
  const seen: (string | undefined)[] = [];
  const listener = createSecureServer({ cert: server.certificate, key: server.key });
  listener.on('stream', (stream, headers) => {
    seen.push(headers.authorization);
    const unauthenticated = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' };
    stream.respond(unauthenticated, { endStream: true });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  stops.push(() => listener.close());
  const connection = {
    address: address(listener),
    tls: { caFile: await written('bearer-ca.pem', authority.certificate), serverName: NAME },
    apiKey: { file: await written('bearer.txt', `${API_KEY}\n`) },
  };
  const open = openClient(await clientOf(connection));
  await expect(open).rejects.toMatchObject({ code: 'SERVER_UNAVAILABLE' });
  const byClient = seen.length;
  const deployment = publicDeploymentSchema.parse(await deploymentOf('public', connection));
  const log = join(root, 'bearer.log');
  const words = [join(ROOT, 'worker', 'public.ts'), await written('bearer.json', JSON.stringify(deployment))];
  await (await startProcess(process.execPath, words, log)).whenEnded;
  expect(byClient).toBeGreaterThan(0);
  expect(seen.length).toBeGreaterThan(byClient);
  expect(new Set(seen)).toEqual(new Set([`Bearer ${API_KEY}`]));
  expect(await readFile(log, 'utf8')).not.toContain(API_KEY);
});
