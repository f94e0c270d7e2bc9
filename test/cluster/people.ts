import { run } from '../../cli/process.fixture.ts';
import { EXIT } from '../../contracts/errors.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import type { Cluster } from './cluster.ts';

/** What the people who run a cluster do at a terminal. */

/** Gives a command, after which a release may wait for a person. Throws an Error with what it says when it fails. */
export async function give({ deploymentFile }: Cluster, words: readonly string[]): Promise<void> {
  const { code, stderr } = await run([...words], { deployment: deploymentFile });
  if (code !== EXIT.done && code !== EXIT.waiting) throw new Error(`opaline ${words.join(' ')}: ${stderr}`);
}

/** The commands that the doctor names, of those that begin so. */
export async function namedCommands({ deploymentFile }: Cluster, beginning: RegExp): Promise<string[]> {
  const { stdout } = await run(['doctor', '--json'], { deployment: deploymentFile });
  const { findings } = JSON.parse(stdout) as { findings: { command: string }[] };
  return [...new Set(findings.map(({ command }) => command))].filter((command) => beginning.test(command));
}

export const ledgerOf = async ({ client }: Cluster) => (await readLedger(client.releaseStore, 'small-riders')).entries;

/** The ledger is the one that was there before, and what came after it. Throws an Error otherwise. */
export async function requireContinued(
  cluster: Cluster,
  before: Awaited<ReturnType<typeof ledgerOf>>,
  what: string,
): Promise<void> {
  const after = await ledgerOf(cluster);
  if (JSON.stringify(after.slice(0, before.length)) !== JSON.stringify(before))
    throw new Error(`${what}: entries of the ledger were changed`);
}
