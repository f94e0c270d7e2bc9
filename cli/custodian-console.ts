import { existsSync } from 'node:fs';
import { loadSeriesFile } from '../client/series/series-file.ts';
import type { Console } from '../console/listening.ts';
import { startCustodianConsole } from '../console/private/server.ts';
import { PRIVATE_KEYS } from '../contracts/names.ts';
import { CLIENT_KINDS } from '../kinds/client-kinds.ts';
import { accountName, type ConsoleChoices, startedAt } from './commands/console-command.ts';
import { contextsOf, custodianDeployment } from './private-deployment.ts';
import { say } from './terminal.ts';

/** Where it is on this computer. */
const PRIVATE_PORT = 4181;

/** The series file of a project folder, which a custodian previews before it is applied. */
const SERIES_FILE = 'series.yaml';

/**
 * Starts the console of a custodian. The link is of somebody who is no approver: whoever decides what is published sees
 * no raw data (C16). Throws SUBJECT_IS_CUSTODIAN.
 */
export async function serveCustodian({
  subject = accountName(),
  port,
  series,
}: ConsoleChoices): Promise<{ close(): Promise<void> }> {
  const deployment = await custodianDeployment();
  const named = series ?? (existsSync(SERIES_FILE) ? [SERIES_FILE] : []);
  const sources = Object.keys(deployment.sources);
  const files = new Map(named.map((file) => [file, () => loadSeriesFile(file, CLIENT_KINDS, sources)]));
  const person = { subject, account: 'link of the terminal', roles: [] };
  let served: Console;
  const start = (at: number) =>
    startCustodianConsole({
      ...{ deployment, context: contextsOf(deployment), files, port: at, subject },
      onEntered: () => say(`The link was used. Another one: ${served.link(person)}\n`),
      report: (id) =>
        say(
          `Something unexpected happened. ${id ? `The private store keeps it: ${PRIVATE_KEYS.diagnostics(id)}` : 'The private store does not take it.'}\n`,
        ),
    });
  served = await startedAt(start, port, PRIVATE_PORT);
  say(`The console of a custodian, for one browser: ${served.link(person)}\n`);
  return served;
}
