import { afterAll, beforeAll, expect, test } from 'vitest';
import type { S3Store } from '../../services/stores/s3-store.ts';
import { type Gateway, startVersitygw } from '../support/versitygw.ts';
import { hostBucket } from './hosted-bucket.fixture.ts';

/** The files of infra/hosting, on a real S3 server. */
const BUCKET = 'publication';

let gateway: Gateway;
let store: S3Store;
beforeAll(async () => {
  gateway = await startVersitygw();
  await gateway.createBucket(BUCKET);
  ({ store } = await hostBucket(gateway, BUCKET, 'demo-taps'));
  await store.putIfAbsent('demo-taps/2026-03-02/v1/time.csv', Buffer.from('a,b\r\n1,2\r\n'));
  await store.swapPage('demo-taps/index.html', null, Buffer.from('<p>page</p>'));
});
afterAll(() => gateway?.stop());

const fetched = (key: string, init: RequestInit = {}) => fetch(`${gateway.endpoint}/${BUCKET}/${key}`, init);

test('the world reads pages and files with their media types; pages are asked for anew each time, files are kept', async () => {
  const page = await fetched('demo-taps/index.html');
  expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ]);
  const file = await fetched('demo-taps/2026-03-02/v1/time.csv', { headers: { range: 'bytes=0-2' } });
  expect([file.status, await file.text(), file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual(
    [206, 'a,b', 'text/csv; charset=utf-8', 'max-age=31536000, immutable'],
  );
});

test('what is not of a named series is not public, and there is no list of the bucket', async () => {
  await store.putIfAbsent('other/2026-03-02/v1/time.csv', Buffer.from('a'));
  expect((await store.head('other/2026-03-02/v1/time.csv'))?.size).toBe(1);
  expect((await fetched('other/2026-03-02/v1/time.csv')).status).toBe(403);
  expect((await fetched('')).status).toBe(403);
});

test.each(['PUT', 'DELETE'])('the world may not %s', async (method) => {
  const answer = await fetched('demo-taps/index.html', { method, ...(method === 'PUT' ? { body: 'x' } : {}) });
  expect(answer.status).toBe(403);
  expect(await (await fetched('demo-taps/index.html')).text()).toBe('<p>page</p>');
});

test('a page of another site may read parts of a file, as DuckDB in a browser does', async () => {
  const headers = {
    origin: 'https://reader.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'range',
  };
  const asked = await fetched('demo-taps/2026-03-02/v1/time.csv', { method: 'OPTIONS', headers });
  expect(asked.ok).toBe(true);
  const answer = await fetched('demo-taps/2026-03-02/v1/time.csv', {
    headers: { origin: 'https://reader.example', range: 'bytes=0-2' },
  });
  expect(answer.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/reader\.example)$/);
  expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('content-range');
});
