import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import type { Console } from '../../console/listening.ts';
import type { startConsole as StartConsole } from '../../console/server.ts';
import { type Person, ROLES, type Role } from '../../console/sessions.ts';
import { type ClientDeployment, type ConsoleDeployment, consoleDeploymentSchema } from '../../contracts/deployment.ts';
import { EXIT, wrongUse } from '../../contracts/errors.ts';
import { plainText } from '../../core/text/plain-text.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { DEMO_APPROVER } from '../../stack/demo-trust.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { clientDeployment } from '../client-deployment.ts';
import { command } from '../command.ts';
import { interruption } from '../interruption.ts';
import { say } from '../terminal.ts';

/** Where a console of this computer is, so that passkeys of one start are those of the next. */
const PORT = 4180;

export type ConsoleChoices = { as?: Role; subject?: string; port?: string; series?: string[] };

export const consoleCommand = (): Command =>
  command('console', 'serve the console of a deployment to browsers, until Ctrl-C')
    .argument('[file]', 'its deployment file, with a log-in; without one it is for this computer alone')
    .option('--private', "the custodian's pages, of raw data: beside the private worker, for this computer alone")
    .option('--series <file...>', 'with --private: series files to preview beside those that were applied')
    .option('--as <role>', 'what its one-time link lets people do (default: operator; of a demo, everything)', ROLES)
    .option('--subject <name>', 'whose link it is: of an approver, the name in the trust file')
    .option('--port <n>', `port of this computer (default: ${PORT}, or a free one; passkeys are of one port)`)
    .example('opaline console --as approver --subject manager@example.org')
    .run(async ({ file }, options) => {
      if (file !== undefined && (options.as ?? options.subject ?? options.port ?? options.private) !== undefined)
        throw wrongUse(
          'Who comes in, and where, is in the deployment file; leave --as, --subject, --port and --private out.',
        );
      if (options.private === true && options.as !== undefined)
        throw wrongUse('Whoever opens --private is a custodian, and has no other role; leave --as out.');
      if (options.private !== true && options.series !== undefined)
        throw wrongUse('Series files are previewed by custodians; add --private.');
      const signal = interruption();
      const server =
        options.private === true
          ? await (await import('../custodian-console.ts')).serveCustodian(options)
          : file === undefined
            ? await serveConsole(await clientDeployment(), options)
            : await serveDeployment(await readDeployment(file, consoleDeploymentSchema));
      try {
        say('Ctrl-C stops the console.\n');
        await signal.wait();
        process.exitCode = EXIT.interrupted;
      } finally {
        await server.close();
      }
    });

/**
 * Starts the console of this computer and prints its link; a new one whenever one was used. It signs nothing by itself:
 * the key of a trial, which signs series files and orders, is not handed to it.
 */
export async function serveConsole(
  { signingKeyFile: _, ...deployment }: ClientDeployment,
  { as, subject, port }: ConsoleChoices = {},
): Promise<{ close(): Promise<void> }> {
  return serveWith(deployment, async (client, startConsole) => {
    const isDemo = newestVersion(await client.trust()).demo;
    const person = {
      subject: subject ?? (isDemo ? DEMO_APPROVER : accountName()),
      account: 'link of the terminal',
      // One person at a time is either, but in a demo, where one is everybody.
      roles: as ? [as] : isDemo ? ROLES : (['operator'] as const),
    };
    return serveLink('The console', person, [port, PORT], (at) => startConsole({ client, deployment, report, ...at }));
  });
}

/** Of whoever runs this; a container may run it by a number alone. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

/** Starts a console by its deployment file: people log in with their provider. */
async function serveDeployment(file: ConsoleDeployment): Promise<{ close(): Promise<void> }> {
  const { listen, origin, tls, behindProxy: _, login, ...deployment } = file;
  const port = Number(listen.slice(listen.lastIndexOf(':') + 1));
  const host = listen.slice(0, listen.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return serveWith(deployment, async (client, startConsole) => {
    const server = await startConsole({
      client,
      deployment,
      report,
      listen: { host, port, origin, ...(tls && { tls }) },
      login: { provider: login, origin, now: Date.now },
    });
    say(`The console is at ${server.origin}, and listens at ${listen}.\n`);
    return server;
  });
}

/**
 * Starts at the port that is asked for; without one at the usual port, or at a free one. Prints a link for a person, and
 * a new one whenever one was used.
 */
export async function serveLink(
  what: string,
  person: Person,
  [choice, usual]: readonly [choice: string | undefined, usual: number],
  start: (at: { port: number; onEntered: () => void }) => Promise<Console>,
): Promise<Console> {
  let server: Console;
  const onEntered = (): void => say(`The link was used. Another one: ${server.link(person)}\n`);
  const startAt = (port: number) => start({ port, onEntered });
  server = await (choice === undefined
    ? startAt(usual).catch(() => startAt(0))
    : startAt(readWholeNumber('--port', choice)));
  say(`${what}, for one browser: ${server.link(person)}\n`);
  return server;
}

/** What `serve` starts, with a client of its own that is closed after it, or when it does not start. */
async function serveWith(
  deployment: ClientDeployment,
  serve: (client: OpalineClient, startConsole: typeof StartConsole) => Promise<Console>,
): Promise<{ close(): Promise<void> }> {
  const { startConsole } = await import('../../console/server.ts');
  const client = await openClient(deployment);
  try {
    const server = await serve(client, startConsole);
    return {
      close: async () => {
        await server.close();
        await client.close();
      },
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

const report = (error: unknown): void => say(`The console met something unexpected: ${plainText(String(error))}\n`);
