import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestAuthority } from '../../test/support/certificates.ts';
import { type Answer, serveFolder } from '../../test/support/file-server.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { readPublicationAt, seriesAt } from './place.ts';
import { newPatience, webAddress } from './web-address.ts';
import { readWebFolder } from './web-files.ts';

const folder = newFolder();
let server: Awaited<ReturnType<typeof serveFolder>>;
let answers: Record<string, Answer> = {};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

beforeAll(async () => {
  await mkdir(join(folder, 'v1'));
  await writeFile(join(folder, 'secret.txt'), 'not of the publication');
  await writeFile(join(folder, 'v1', 'places ü.csv'), 'a');
  const names = ['places ü.csv', '../secret.txt', '..', '.', '%2e%2e%2fsecret.txt', 'a/b', 'gone.csv'];
  await writeFile(join(folder, 'v1', 'SHA256SUMS'), names.map((name) => `${digest('a')}  ${name}\n`).join(''));
  server = await serveFolder(folder, (path) => answers[path] ?? null);
});
afterAll(async () => {
  server.close();
});

test('the path of a folder is no address, and an address is https or of this computer', () => {
  for (const path of ['a/b', '/a', 'C:\\data', 'https', './https:/x']) expect(webAddress(path)).toBeNull();
  expect(webAddress('https://example.org/a/v1#top')?.href).toBe('https://example.org/a/v1/');
  for (const own of ['http://127.0.0.1:80/a', 'http://localhost/a', 'http://[::1]/a'])
    expect(webAddress(own)).not.toBeNull();
  for (const bad of [
    'http://example.org/a',
    'http://127.0.0.1.example.org/a',
    'ftp://example.org/a',
    'file:///etc',
    'https://ada:word@example.org/a',
    'https://example.org/a?b',
    'https://',
  ])
    expect(() => webAddress(bad)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('the files of the list are read, and no name leads out of the folder', async () => {
  const { files, others } = await readPublicationAt(`${server.address}/v1`);
  expect([...files.keys()]).toEqual(['SHA256SUMS', 'places ü.csv']);
  expect(files.get('places ü.csv')?.toString()).toBe('a');
  expect(others).toEqual([]);
  expect(server.asked.filter((path) => path.includes('secret'))).toEqual([]);
  expect(server.asked).toContain('/v1/RETRACTED.json');
});

test('a tombstone is read, an address that leads elsewhere and a server that fails are told', async () => {
  answers = { '/v1/RETRACTED.json': { status: 200, body: '{}' } };
  expect([...(await readPublicationAt(`${server.address}/v1/`)).files.keys()]).toContain('RETRACTED.json');
  answers = { '/v1/SHA256SUMS': { status: 301, headers: { location: `${server.address}/v2` } } };
  await expect(readPublicationAt(`${server.address}/v1`)).rejects.toMatchObject({ code: 'USAGE' });
  answers = { '/v1/SHA256SUMS': { status: 403 } };
  await expect(readPublicationAt(`${server.address}/v1`)).rejects.toMatchObject({ code: 'USAGE' });
  answers = { '/v1/places ü.csv': { status: 500 } };
  await expect(readPublicationAt(`${server.address}/v1`)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  answers = {};
  await expect(readPublicationAt('http://127.0.0.1:1/v1')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('a server whose certificate is of an authority that nobody here knows is not taken for one that is down', async () => {
  const { certificate, key } = new TestAuthority('own').identity('127.0.0.1');
  const front = createServer({ cert: certificate, key }, (_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  await expect(readPublicationAt(`https://127.0.0.1:${port}/v1`)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
  front.close();
});

test.each([
  ['has stopped', 60_000, newPatience(100)],
  ['sends a byte now and then', 10, newPatience(60_000, 300)],
])('a server that %s is not waited for', async (_, dripMs, patience) => {
  answers = { '/v1/places ü.csv': { status: 200, dripMs } };
  const reading = readWebFolder(new URL(`${server.address}/v1/`), patience);
  const first = Promise.race([reading, delay(5000, 'it is waited for')]);
  await expect(first).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  answers = {};
});

test('what has a head is a series', async () => {
  expect(await seriesAt(`${server.address}/v1`)).toBeNull();
  answers = { '/v1/head.json': { status: 200, body: '{}' } };
  expect(await seriesAt(`${server.address}/v1`)).toMatchObject({ head: Buffer.from('{}') });
  answers = {};
});
