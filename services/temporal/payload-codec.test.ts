import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { expect, test } from 'vitest';
import { payloadEncryption, payloadFromText, payloadText, readCodec } from './payload-codec.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const codecOf = (...keys: [string, Buffer][]): PayloadCodec => payloadEncryption(new Map(keys));
const sealed = async (codec: PayloadCodec, value: unknown): Promise<Payload> => {
  const [payload] = await codec.encode([defaultPayloadConverter.toPayload(value)!]);
  return payload!;
};
const opened = async (codec: PayloadCodec, payload: Payload): Promise<unknown> => {
  const [one] = await codec.decode([payload]);
  return defaultPayloadConverter.fromPayload(one!);
};

const VALUE = { series: 'demo-taps', partitions: [{ part: 'bus', day: '2026-03-02' }] };

test('what is encrypted says nothing, and its key opens it', async () => {
  const codec = codecOf(['a', first]);
  const payload = await sealed(codec, VALUE);
  const shown = Buffer.concat([payload.data as Buffer, ...Object.values(payload.metadata ?? {}).map(Buffer.from)]);
  for (const word of ['demo-taps', 'bus', 'json/plain']) expect(shown.includes(word)).toBe(false);
  expect(await opened(codec, payload)).toEqual(VALUE);
  expect((await sealed(codec, VALUE)).data).not.toEqual(payload.data);
});

test('a new key first: payloads of the old one are opened as long as it is there', async () => {
  const old = await sealed(codecOf(['a', first]), VALUE);
  const both = codecOf(['b', second], ['a', first]);
  expect(await opened(both, old)).toEqual(VALUE);
  expect(await opened(codecOf(['b', second]), await sealed(both, VALUE))).toEqual(VALUE);
});

test('what it cannot open comes out as it went in: junk ends no worker', async () => {
  const codec = codecOf(['a', first]);
  const honest = await sealed(codec, VALUE);
  const turned = Buffer.from(honest.data as Buffer);
  turned[turned.length - 1]! ^= 1;
  const junk: Payload[] = [
    { ...honest, data: turned },
    { ...honest, data: Buffer.alloc(3) },
    { ...honest, data: null },
    { ...honest, metadata: { ...honest.metadata, 'encryption-key': Buffer.from('b') } },
    { metadata: {}, data: Buffer.from('x') },
    defaultPayloadConverter.toPayload(VALUE)!,
  ];
  expect(await codec.decode(junk)).toEqual(junk);
  // The name of the key is authenticated: the same key under another name does not open it.
  const renamed = { ...honest, metadata: { ...honest.metadata, 'encryption-key': Buffer.from('c') } };
  expect(await codecOf(['c', first]).decode([renamed])).toEqual([renamed]);
});

test('the JSON form holds every byte', () => {
  const payload = { metadata: { encoding: Buffer.from([0, 255]) }, data: Buffer.from([1, 2, 3]) };
  expect(payloadFromText(payloadText(payload))).toEqual(payload);
});

test('a key is 32 bytes in base64, in its file or the environment', async () => {
  process.env.CODEC_KEY_OF_TEST = first.toString('base64');
  const keys = [{ name: 'a', secret: { env: 'CODEC_KEY_OF_TEST' } }];
  expect(await opened(codecOf(['a', first]), await sealed(await readCodec({ keys }), VALUE))).toEqual(VALUE);
  process.env.CODEC_KEY_OF_TEST = first.subarray(1).toString('base64');
  await expect(readCodec({ keys })).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    message: expect.not.stringContaining(process.env.CODEC_KEY_OF_TEST),
  });
  delete process.env.CODEC_KEY_OF_TEST;
});
