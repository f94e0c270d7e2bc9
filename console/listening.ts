import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { OpalineError } from '../contracts/errors.ts';
import type { Person } from './sessions.ts';

/** Bytes of the head of a request, and milliseconds that it may take. */
const HEAD = { maxHeaderSize: 8 * 1024, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 };
const MOST_CONNECTIONS = 500;

/** What listens, and how it ends. */
export type Listening = { port: number; close(): Promise<void> };

/** A console that is up. */
export type Console = Pick<Listening, 'close'> & {
  origin: string;
  /** An address that opens one session of this person, once. */
  link(person: Person): string;
};

/** Where a console listens. */
export type ListenPlace = {
  hosts: readonly [string, ...string[]];
  port: number;
  tls?: { certFile: string; keyFile: string };
};

type Answer = (request: Request) => Response | Promise<Response>;

/**
 * Listens at the first host, and at the others as far as the computer has them, all at one port. `appAt`: what answers,
 * once the port is known. Throws SETUP_FAILED when the port is taken.
 */
export async function listenAt(
  { hosts: [first, ...others], port: wanted, tls }: ListenPlace,
  appAt: (port: number) => { fetch: Answer },
): Promise<Listening> {
  let fetch: Answer = () => new Response(null, { status: 503 });
  const secure = tls && { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) };
  const listen = async (host: string, at: number): Promise<ServerType> => {
    const handler = { fetch: (request: Request) => fetch(request) };
    const server = secure
      ? createAdaptorServer({ ...handler, createServer: createSecureServer, serverOptions: { ...HEAD, ...secure } })
      : createAdaptorServer({ ...handler, createServer, serverOptions: HEAD });
    if ('maxConnections' in server) server.maxConnections = MOST_CONNECTIONS;
    server.listen(at, host);
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new OpalineError('SETUP_FAILED', `Another program listens at port ${at} of ${host}; name another port.`);
    });
    return server;
  };
  const servers = [await listen(first, wanted)];
  const { port } = servers[0]!.address() as AddressInfo;
  for (const host of others)
    try {
      servers.push(await listen(host, port));
    } catch (error) {
      // A computer without IPv6 has one loopback address.
      if (error instanceof OpalineError) throw error;
    }
  ({ fetch } = appAt(port));
  return {
    port,
    close: async () => {
      for (const server of servers) {
        const end = once(server, 'close');
        server.close();
        if ('closeAllConnections' in server) server.closeAllConnections();
        await end;
      }
    },
  };
}
