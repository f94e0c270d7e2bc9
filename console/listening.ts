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

/** A console that is up. */
export type Console = {
  origin: string;
  /** An address that opens one session of this person, once. */
  link(person: Person): string;
  close(): Promise<void>;
};

/** Where a console listens. */
export type ListenPlace = { hosts: readonly string[]; port: number; tls?: { certFile: string; keyFile: string } };

type Answer = (request: Request) => Response | Promise<Response>;

/**
 * Listens at the first host, and at the others as far as the computer has them, all at one port. `appAt`: what answers,
 * once the port is known.
 */
export async function listenAt(
  { hosts, port: wanted, tls }: ListenPlace,
  appAt: (port: number) => { fetch: Answer },
): Promise<Pick<Console, 'close'>> {
  let fetch: Answer = () => new Response(null, { status: 503 });
  const secure = tls && { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) };
  const serverOf = (): ServerType => {
    const handed = { fetch: (request: Request) => fetch(request) };
    const made = secure
      ? createAdaptorServer({ ...handed, createServer: createSecureServer, serverOptions: { ...HEAD, ...secure } })
      : createAdaptorServer({ ...handed, createServer, serverOptions: HEAD });
    if ('maxConnections' in made) made.maxConnections = MOST_CONNECTIONS;
    return made;
  };
  const first = serverOf();
  await listening(first, hosts[0]!, wanted);
  const servers = [first];
  const { port } = first.address() as AddressInfo;
  for (const host of hosts.slice(1)) {
    const next = serverOf();
    // A computer without IPv6 has one loopback address.
    const isThere = await listening(next, host, port).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') throw taken(port);
        return false;
      },
    );
    if (isThere) servers.push(next);
  }
  const app = appAt(port);
  fetch = (request) => app.fetch(request);
  return {
    close: async () => {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              if ('closeAllConnections' in server) server.closeAllConnections();
            }),
        ),
      );
    },
  };
}

const listening = (server: ServerType, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

const taken = (port: number): OpalineError =>
  new OpalineError('SETUP_FAILED', `Another program listens at port ${port} of localhost; start the console again.`);
