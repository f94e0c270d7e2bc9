import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { OpalineClient } from '../../client/opaline-client.ts';
import type { Role } from '../../console/sessions.ts';
import type { ClientDeployment } from '../../contracts/deployment.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { DEMO_APPROVER } from '../../stack/demo-trust.ts';
import { clientDeployment } from '../client-deployment.ts';
import { command } from '../command.ts';
import { interruption } from '../interruption.ts';
import { say } from '../terminal.ts';

const ROLES = ['viewer', 'operator', 'approver'] as const satisfies readonly Role[];

type Options = { as?: Role; subject?: string; port?: string };

export const consoleCommand = (): Command =>
  command('console', 'serve the console of a deployment to browsers, until Ctrl-C')
    .option('--as <role>', 'what its one-time link lets people do (default: operator; of a demo, everything)', ROLES)
    .option('--subject <name>', 'whose link it is: of an approver, the name in the trust file')
    .option('--port <n>', 'port of this computer (default: a free one)')
    .example('opaline console --as approver --subject manager@example.org')
    .run(async (_, options) => {
      const interrupted = interruption();
      const served = await serveConsole(await clientDeployment(), options);
      try {
        say('Ctrl-C stops the console.\n');
        await interrupted.wait();
      } finally {
        await served.close();
      }
    });

/**
 * Starts the console of this computer and prints its link; a new one whenever one was used. It signs nothing by itself:
 * the key of a trial, which signs series files and orders, is not handed to it.
 */
export async function serveConsole(
  { signingKeyFile: _, ...deployment }: ClientDeployment,
  { as, subject, port }: Options = {},
): Promise<{ close(): Promise<void> }> {
  const { startConsole } = await import('../../console/server.ts');
  const client = await OpalineClient.open(deployment);
  try {
    const isDemo = newestVersion(await client.trust()).demo;
    const person = {
      subject: subject ?? (isDemo ? DEMO_APPROVER : userInfo().username),
      account: 'link of the terminal',
      // One person at a time is either, but in a demo, where one is everybody.
      roles: as ? [as] : isDemo ? ROLES : (['operator'] as const),
    };
    const served = await startConsole({
      client,
      deployment,
      port: port === undefined ? 0 : Number(port),
      report: (error) => say(`The console met something unexpected: ${error}\n`),
      onEntered: () => say(`The link was used. Another one: ${served.link(person)}\n`),
    });
    say(`The console, for one browser: ${served.link(person)}\n`);
    return {
      close: async () => {
        await served.close();
        await client.close();
      },
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
