import { keepConsoleRecord } from '../client/console-records.ts';
import type { OpalineClient } from '../client/opaline-client.ts';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { consoleApp } from './app.ts';
import { consoleData } from './data.ts';
import { PUBLIC_SITE } from './frame.ts';
import { type Console, type ListenPlace, listenAt } from './listening.ts';
import type { Login } from './login.ts';
import { Sessions } from './sessions.ts';
import type { ConsoleSettings } from './tools.ts';

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
  const { report = () => undefined, onEntered = () => undefined, login = null } = options;
  const sessions = new Sessions(now);
  const data = consoleData(client, deployment);
  const originAt = (port: number) => listen?.origin ?? `http://localhost:${port}`;
  const place: ListenPlace = listen
    ? { hosts: [listen.host], port: listen.port, ...(listen.tls && { tls: listen.tls }) }
    : { hosts: ['127.0.0.1', '::1'], port: options.port ?? 0 };
  const { port, close } = await listenAt(place, (own) =>
    consoleApp(data, login, {
      sessions,
      site: PUBLIC_SITE,
      origin: originAt(own),
      cookie: COOKIE,
      now,
      report,
      onEntered,
      hasLogin: login !== null,
      keep: (record) => keepConsoleRecord(client.releaseStore, record),
      forget: data.forget,
    }),
  );
  const origin = originAt(port);
  return { origin, link: (person) => `${origin}/enter/${sessions.link(person)}`, close };
}
