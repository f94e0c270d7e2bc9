import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { OpalineClient } from '../client/opaline-client.ts';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { consoleApp } from './app.ts';
import { consoleData } from './data.ts';
import type { Login } from './login.ts';
import { type Person, Sessions } from './sessions.ts';
import type { ConsoleSettings } from './tools.ts';

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

export type ConsoleOptions = {
  client: OpalineClient;
  /** What `doctor` goes by. */
  deployment: ClientDeployment;
  /** Absent: on this computer alone, at a free port of it. */
  listen?: { host: string; port: number; origin: string; tls?: { certFile: string; keyFile: string } };
  /** A port of this computer, in place of a free one. */
  port?: number;
  now?: () => number;
  /** By which provider people log in; absent: by links of the terminal alone. */
  login?: Login;
} & Partial<Pick<ConsoleSettings, 'report' | 'onEntered'>>;

/** Name of the cookie of a session; its prefix keeps other hosts, paths and plain HTTP away from it. */
const COOKIE = '__Host-opaline';

/**
 * Starts a console. Without `listen` it is reached as `localhost`, the name under which browsers of this computer take
 * passkeys, by both of its addresses: nobody else can answer at one of them.
 */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const { client, deployment, listen, now = Date.now } = options;
  const sessions = new Sessions(now);
  let fetch: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const tls = listen?.tls && {
    cert: await readFile(listen.tls.certFile),
    key: await readFile(listen.tls.keyFile),
  };
  const serverOf = (): ServerType => {
    const handed = { fetch: (request: Request) => fetch(request) };
    const made = tls
      ? createAdaptorServer({ ...handed, createServer: createSecureServer, serverOptions: { ...HEAD, ...tls } })
      : createAdaptorServer({ ...handed, createServer, serverOptions: HEAD });
    if ('maxConnections' in made) made.maxConnections = MOST_CONNECTIONS;
    return made;
  };
  const first = serverOf();
  await listening(first, listen?.host ?? '127.0.0.1', listen?.port ?? options.port ?? 0);
  const servers = [first];
  const { port } = first.address() as AddressInfo;
  if (!listen) {
    const second = serverOf();
    // A computer without IPv6 has one loopback address.
    const isThere = await listening(second, '::1', port).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') throw taken(port);
        return false;
      },
    );
    if (isThere) servers.push(second);
  }
  const origin = listen?.origin ?? `http://localhost:${port}`;
  const { report = () => undefined, onEntered = () => undefined, login = null } = options;
  const data = consoleData(client, deployment);
  const hasLogin = login !== null;
  const app = consoleApp({ data, sessions, origin, cookie: COOKIE, now, report, onEntered, hasLogin }, login);
  fetch = (request) => app.fetch(request);
  return {
    origin,
    link: (person) => `${origin}/enter/${sessions.link(person)}`,
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
