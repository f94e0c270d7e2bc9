import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payloadEncryption, payloadFromText, payloadText } from '../services/temporal/payload-codec.ts';
import { serveCodec } from './codec-endpoint.ts';
import type { Listening } from './listening.ts';

const ORIGIN = 'https://temporal.example.org';
const codec = payloadEncryption(new Map([['a', randomBytes(32)]]));
let served: Listening;
beforeAll(async () => {
  served = await serveCodec(codec, { port: 0, origin: ORIGIN });
});
afterAll(() => served.close());

type Answer = { status: number | undefined; body: unknown; allowed: string | undefined };
const ask = (body: string, headers: Record<string, string> = {}, path = '/decode', method = 'POST'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: served.port, path, method, headers }, async (response) =>
      resolve({
        status: response.statusCode,
        body: await json(response).catch(() => null),
        allowed: response.headers['access-control-allow-origin'],
      }),
    );
    sent.on('error', reject);
    sent.end(body);
  });

async function sealedText(): Promise<string> {
  const payloads = await codec.encode([defaultPayloadConverter.toPayload('a release')!]);
  return JSON.stringify({ payloads: payloads.map(payloadText) });
}

test('pages of its origin, and commands without one, read what is encrypted', async () => {
  for (const headers of [{}, { origin: ORIGIN }] as { origin?: string }[]) {
    const { status, body, allowed } = await ask(await sealedText(), headers);
    expect({ status, allowed }).toEqual({ status: 200, allowed: headers.origin });
    const [payload] = (body as { payloads: Parameters<typeof payloadFromText>[0][] }).payloads;
    expect(defaultPayloadConverter.fromPayload(payloadFromText(payload!))).toBe('a release');
  }
  expect(await ask('', { origin: ORIGIN }, '/decode', 'OPTIONS')).toMatchObject({ status: 204, allowed: ORIGIN });
});

test('nobody else does: another origin, another host name that leads here, another path', async () => {
  const body = await sealedText();
  expect(await ask(body, { origin: 'https://elsewhere.example' })).toMatchObject({ status: 403, allowed: undefined });
  expect(await ask(body, { host: `elsewhere.example:${served.port}` })).toMatchObject({ status: 403 });
  expect(await ask(body, {}, '/encode')).toMatchObject({ status: 404 });
  expect(await ask('', {}, '/decode', 'GET')).toMatchObject({ status: 404 });
});

test('what is no list of payloads, or too long, is refused in words', async () => {
  for (const body of ['', '{', '{"payloads":1}']) expect(await ask(body)).toMatchObject({ status: 400 });
  const long = { payloads: [{ data: 'x'.repeat(17 * 1024 * 1024) }] };
  const answer = await ask(JSON.stringify(long)).catch((error: NodeJS.ErrnoException) => error.code);
  expect(typeof answer === 'string' ? answer : answer?.status).toSatisfy((one) =>
    [413, 'EPIPE', 'ECONNRESET'].includes(one),
  );
});

test('a port that another program has is named', async () => {
  await expect(serveCodec(codec, { port: served.port, origin: null })).rejects.toMatchObject({
    code: 'SETUP_FAILED',
    message: `Another program listens at port ${served.port} of 127.0.0.1; name another port.`,
  });
});
