import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { S3StoreConfiguration } from '../../contracts/store-configuration.ts';
import { TestAuthority } from '../../test/support/certificates.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { type Credentials, type Gateway, startVersitygw } from '../../test/support/versitygw.ts';
import { openStore } from './open-store.ts';

const BUCKET = 'stores';
const folder = newFolder();
const bytes = Buffer.from('x');
let gateway: Gateway;
let users: Credentials[];
let put = 0;
const newKey = () => `object-${++put}`;

beforeAll(async () => {
  gateway = await startVersitygw();
  await gateway.createBucket(BUCKET);
});
afterAll(() => gateway?.stop());
beforeEach(async () => {
  users = [];
  for (const name of ['first', 'second']) {
    const user = await gateway.createUser(`${name}-${++put}`);
    for (const access of ['read', 'write'] as const) await gateway.grant(BUCKET, user, access);
    users.push(user);
  }
});

const without = (): S3StoreConfiguration => {
  const { credentials: _, ...configuration } = gateway.configuration(BUCKET);
  return configuration;
};

/** Puts a text where another one was, whole. */
function replace(name: string, text: string): { file: string } {
  const file = join(folder, name);
  writeFileSync(`${file}.part`, `${text}\n`);
  renameSync(`${file}.part`, file);
  return { file };
}

/** After it a key is read again. */
const SECOND_MS = 1_100;

const inFiles = ({ accessKeyId, secretAccessKey }: Credentials) => ({
  accessKeyId: replace('id', accessKeyId),
  secretAccessKey: replace('secret', secretAccessKey),
});

test('a key in files is the one of requests a second after they were replaced; one that is over may pass', async () => {
  const [first, second] = users as [Credentials, Credentials];
  const store = openStore({ ...without(), credentials: inFiles(first) });
  expect(await store.putIfAbsent(newKey(), bytes)).toBe('created');
  await gateway.removeUser(first);
  await expect(store.putIfAbsent(newKey(), bytes)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect(store.head(newKey())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  replace('secret', second.secretAccessKey);
  await delay(SECOND_MS);
  await expect(store.putIfAbsent(newKey(), bytes)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  replace('id', second.accessKeyId);
  await delay(SECOND_MS);
  expect(await store.putIfAbsent(newKey(), bytes)).toBe('created');
});

test('a key that is over right after it was replaced in files fails no request', async () => {
  const [first, second] = users as [Credentials, Credentials];
  const store = openStore({ ...without(), credentials: inFiles(first) });
  expect(await store.putIfAbsent(newKey(), bytes)).toBe('created');
  inFiles(second);
  await gateway.removeUser(first);
  expect(await store.putIfAbsent(newKey(), bytes)).toBe('created');
});

test('a secret that is not there is told by its field, and one of the environment is read', async () => {
  const [{ accessKeyId, secretAccessKey }] = users as [Credentials];
  const credentials = { accessKeyId, secretAccessKey: { env: 'OPALINE_TEST_S3_SECRET' } };
  const store = openStore({ ...without(), credentials });
  const error = await store.head('a').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'CONFIGURATION_INVALID', message: expect.stringContaining('secretAccessKey') });
  process.env.OPALINE_TEST_S3_SECRET = secretAccessKey;
  expect(await store.head('a')).toBeNull();
});

test('a store has a role of its own by a profile, and one without either that of its machine', async () => {
  const [first, second] = users as [Credentials, Credentials];
  const answer = (user: Credentials) => ({ AccessKeyId: user.accessKeyId, SecretAccessKey: user.secretAccessKey });
  const script = join(folder, 'credentials.json');
  writeFileSync(script, JSON.stringify({ Version: 1, ...answer(first) }));
  writeFileSync(join(folder, 'config'), `[profile private-worker]\ncredential_process = cat ${script}\n`);
  process.env.AWS_CONFIG_FILE = join(folder, 'config');
  process.env.AWS_SHARED_CREDENTIALS_FILE = join(folder, 'none');
  expect(await openStore({ ...without(), profile: 'private-worker' }).putIfAbsent(newKey(), bytes)).toBe('created');
  // What an instance, a container or a pod asks for the key of its role; here on this computer.
  let asked = 0;
  const machine = createServer((_, response) => {
    asked += 1;
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    response.end(JSON.stringify({ ...answer(second), Token: '', Expiration: soon }));
  }).listen(0, '127.0.0.1');
  await once(machine, 'listening');
  process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = `http://127.0.0.1:${(machine.address() as AddressInfo).port}/role`;
  expect(await openStore(without()).putIfAbsent(newKey(), bytes)).toBe('created');
  expect(asked).toBeGreaterThan(0);
  machine.close();
});

test('a server over TLS is believed by the authorities that the configuration names, and by no others', async () => {
  const [user] = users as [Credentials];
  const authority = new TestAuthority('own');
  const { certificate, key } = authority.identity('127.0.0.1');
  const port = Number(new URL(gateway.endpoint).port);
  const front = createTlsServer({ cert: certificate, key }, (socket) => {
    const inner = connect(port, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const one of [socket, inner]) one.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const endpoint = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const open = (caFile: string) => openStore({ ...without(), endpoint, credentials: user, caFile });
  const [own, other] = [authority, new TestAuthority('other')].map((one, place) => {
    const file = join(folder, `authority-${place}.pem`);
    writeFileSync(file, one.certificate);
    return file;
  }) as [string, string];
  expect(await open(own).putIfAbsent(newKey(), bytes)).toBe('created');
  await expect(open(other).putIfAbsent(newKey(), bytes)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('certificate is refused here; name its authorities in `caFile`'),
  });
  expect(() => open(join(folder, 'absent.pem'))).toThrow('caFile');
  front.close();
});
