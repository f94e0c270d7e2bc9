import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { TemporalConfiguration } from '../../contracts/deployment.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { readSecret } from '../secrets.ts';

const ENCODING = 'binary/encrypted';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A payload as JSON has it: all bytes in base64. Pages of Temporal send and take this form too. */
export type PayloadText = { metadata?: Record<string, string>; data?: string };

/**
 * Encrypts what Temporal stores, under the first key of the configuration; opens what any of its keys encrypted. It
 * hides, and proves nothing: Temporal is not believed anyway (C11a), and a payload that was never encrypted passes.
 * Never throws for what it cannot open: a worker would repeat such a task for ever, so it comes out as it went in. The
 * keys are of 32 bytes, by name, the one that encrypts first.
 */
export function payloadEncryption(keys: ReadonlyMap<string, Buffer>): PayloadCodec {
  const seal = (payload: Payload): Payload => {
    const [first] = keys;
    if (!first) return payload;
    const [name, key] = first;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
    const inside = Buffer.concat([cipher.update(JSON.stringify(payloadText(payload))), cipher.final()]);
    return {
      metadata: { encoding: Buffer.from(ENCODING), 'encryption-key': Buffer.from(name) },
      data: Buffer.concat([nonce, cipher.getAuthTag(), inside]),
    };
  };
  const open = ({ metadata, data }: Payload): Payload | null => {
    if (textOf(metadata?.encoding) !== ENCODING || !data) return null;
    const name = textOf(metadata?.['encryption-key']);
    const key = keys.get(name);
    const bytes = Buffer.from(data);
    if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    const inside = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    const cipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return payloadFromText(JSON.parse(Buffer.concat([cipher.update(inside), cipher.final()]).toString()));
    } catch {
      return null;
    }
  };
  return {
    encode: async (payloads) => payloads.map(seal),
    decode: async (payloads) => payloads.map((payload) => open(payload) ?? payload),
  };
}

const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString();

/** The JSON form of a payload. */
export const payloadText = ({ metadata, data }: Payload): PayloadText => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
  ),
  data: Buffer.from(data ?? []).toString('base64'),
});

/** A payload of its JSON form. */
export const payloadFromText = ({ metadata, data }: PayloadText): Payload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
  ),
  data: Buffer.from(data ?? '', 'base64'),
});

/**
 * What workers and clients give Temporal's SDK to encrypt and open payloads by. Throws CONFIGURATION_INVALID for a key
 * that is not there, or is not 32 bytes in base64.
 */
export async function dataConverterOf({ codec }: Pick<TemporalConfiguration, 'codec'>) {
  return { payloadCodecs: codec ? [await readCodec(codec)] : [] };
}

/** The codec of a configuration. Throws CONFIGURATION_INVALID. */
export async function readCodec(codec: NonNullable<TemporalConfiguration['codec']>): Promise<PayloadCodec> {
  const entries = codec.keys.map(async ({ name, secret }): Promise<[string, Buffer]> => {
    const field = `temporal.codec, key ${name}`;
    const key = Buffer.from(await readSecret(secret, field), 'base64');
    if (key.length === KEY_BYTES) return [name, key];
    throw new OpalineError(
      'CONFIGURATION_INVALID',
      `The secret of ${field}, has to be 32 bytes in base64; \`openssl rand -base64 32\` makes one.`,
    );
  });
  return payloadEncryption(new Map(await Promise.all(entries)));
}
