import { existsSync } from 'node:fs';
import { loadSeriesFile } from '../client/series/series-file.ts';
import type { Console } from '../console/listening.ts';
import { startCustodianConsole } from '../console/private/custodian-server.ts';
import { PRIVATE_KEYS } from '../contracts/names.ts';
import { CLIENT_KINDS } from '../kinds/client-kinds.ts';
import { accountName, type ConsoleChoices, serveLink } from './commands/console-command.ts';
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
export async function serveCustodian({ subject = accountName(), port, series }: ConsoleChoices): Promise<Console> {
  const deployment = await custodianDeployment();
  const paths = series ?? (existsSync(SERIES_FILE) ? [SERIES_FILE] : []);
  const sources = Object.keys(deployment.sources);
  const files = new Map(paths.map((file) => [file, () => loadSeriesFile(file, CLIENT_KINDS, sources)]));
  const person = { subject, account: 'link of the terminal', roles: [] };
  const report = (id: string | null): void =>
    say(
      `Something unexpected happened. ${id ? `The private store keeps it: ${PRIVATE_KEYS.diagnostics(id)}` : 'The private store does not take it.'}\n`,
    );
  return serveLink('The console of a custodian', person, [port, PRIVATE_PORT], (at) =>
    startCustodianConsole({ deployment, context: contextsOf(deployment), files, subject, report, ...at }),
  );
}
