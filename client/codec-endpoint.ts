import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { OpalineError } from '../contracts/errors.ts';
import { type EncryptedPayloads, payloadFromText, payloadText } from '../services/temporal/payload-codec.ts';

const MOST_BYTES = 16 * 1024 * 1024;

const requestSchema = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), z.string()).optional(), data: z.string().optional() }))
    .max(10_000),
});

/** Where a codec endpoint is reached: the port of 127.0.0.1, and the origin of the pages that may ask it. */
export type CodecEndpoint = { port: number; origin: string | null };

/**
 * Opens payloads for Temporal's own pages and command (`/decode`), on loopback alone: whoever reaches it reads what is
 * encrypted. It encrypts nothing, since nobody starts workflows by hand. Pages of other origins are refused, and so are
 * requests to another host name, by which a page elsewhere could reach it. Throws CONFIGURATION_INVALID.
 */
export async function serveCodec(codec: EncryptedPayloads, { port, origin }: CodecEndpoint): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { host } = request.headers;
    const { port: own } = server.address() as AddressInfo;
    const isHere = host === `127.0.0.1:${own}` || host === `localhost:${own}`;
    const isAllowed = request.headers.origin === undefined || request.headers.origin === origin;
    const [status, body] = isHere && isAllowed ? await answerTo(codec, request) : [403, { error: 'refused' }];
    response.writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(isAllowed && origin !== null
        ? {
            'access-control-allow-origin': origin,
            'access-control-allow-methods': 'POST',
            'access-control-allow-headers': 'content-type, x-namespace',
            vary: 'origin',
          }
        : {}),
    });
    response.end(body === null ? '' : `${JSON.stringify(body)}\n`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(() => {
    throw new OpalineError('CONFIGURATION_INVALID', `Port ${port} of 127.0.0.1 is taken; name another with --port.`);
  });
  return server;
}

async function answerTo(codec: EncryptedPayloads, request: IncomingMessage): Promise<[number, object | null]> {
  if (request.url !== '/decode') return [404, { error: 'only /decode is here' }];
  if (request.method === 'OPTIONS') return [204, null];
  if (request.method !== 'POST') return [405, { error: 'POST it' }];
  const read = requestSchema.safeParse(await bodyOf(request));
  if (!read.success) return [400, { error: 'a list `payloads` is expected' }];
  const payloads = await codec.decode(read.data.payloads.map(payloadFromText));
  return [200, { payloads: payloads.map(payloadText) }];
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? Number.NaN) > MOST_BYTES) return null;
  try {
    return JSON.parse(await text(bounded(request)));
  } catch {
    return null;
  }
}

async function* bounded(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > MOST_BYTES) throw new Error('too long');
    yield chunk as Uint8Array;
  }
}
