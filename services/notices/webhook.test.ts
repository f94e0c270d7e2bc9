import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../test/support/webhook-receiver.ts';
import { postSigned } from './webhook.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(() => {
  receiver.status = 200;
  receiver.got.length = 0;
});
afterAll(() => receiver?.close());

const NOW = new Date('2026-03-10T06:00:00.500Z');
const send = (path = '/') =>
  postSigned({ url: `${receiver.url}${path}`, secret: async () => 'a secret' }, '{"a":"ü"}', NOW);

test('the body comes as it is, and its signature is that of time and body', async () => {
  await send('/notices');
  const [{ path, headers, body }] = receiver.got as [(typeof receiver.got)[number]];
  expect([path, body, headers['content-type']]).toEqual(['/notices', '{"a":"ü"}', 'application/json']);
  expect(headers['opaline-time']).toBe('1773122400');
  const expected = createHmac('sha256', 'a secret').update('1773122400.{"a":"ü"}', 'utf8').digest('hex');
  expect(headers['opaline-signature']).toBe(`sha256=${expected}`);
  // Broken twins: another time, or another secret, has another signature.
  await postSigned({ url: receiver.url, secret: async () => 'a secret' }, '{"a":"ü"}', new Date(NOW.getTime() + 1000));
  await postSigned({ url: receiver.url, secret: async () => 'another' }, '{"a":"ü"}', NOW);
  expect(new Set(receiver.got.map((one) => one.headers['opaline-signature'])).size).toBe(3);
});

test('a refusal, a redirect and a receiver that is away are failures, and what they say is not repeated', async () => {
  for (const status of [302, 403, 500]) {
    receiver.status = status;
    const failure = await send().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'NOTICE_FAILED' });
    expect(String(failure)).not.toContain('SAYS THE RECEIVER');
  }
  expect(receiver.got).toHaveLength(3);
  const away = await startReceiver();
  await away.close();
  await expect(postSigned({ url: away.url, secret: async () => 's' }, '{}', NOW)).rejects.toMatchObject({
    code: 'NOTICE_FAILED',
  });
});
