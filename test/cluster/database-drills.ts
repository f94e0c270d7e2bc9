import { join } from 'node:path';
import { run } from '../../cli/process.fixture.ts';
import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import type { Cluster } from './cluster.ts';
import type { DrillBench } from './drill-bench.ts';
import { type Drill, seenIn } from './drills.ts';
import { DATABASE_NAMES } from './temporal-services.ts';

/** What Temporal knew of a release when its databases were lost, or dumped. */
const STATES = ['bin', 'privatize', 'gate', 'publish', 'published'] as const;
type State = (typeof STATES)[number];

/** A loss may take at most three commands (docs/runbooks.md). */
const MOST_COMMANDS = 3;

/** Both databases of Temporal are dropped, and new ones are empty. */
export const droppedDatabase: Drill = async (bench) => {
  const { postgres, temporal } = bench.cluster;
  for (const state of STATES) {
    const release = await inState(bench, state);
    await temporal.takeAway();
    for (const name of DATABASE_NAMES) await postgres.drop(name);
    await temporal.makeDatabases();
    await temporal.start();
    await broughtBack(bench, release, `dropped in ${state}`);
  }
};

/** Both databases are put back to a dump, after which the release went on and was published. */
export const restoredDatabase: Drill = async (bench) => {
  const { folder, postgres, temporal } = bench.cluster;
  const fileOf = (name: string) => join(folder, `${name}.sql`);
  for (const state of STATES) {
    const release = await inState(bench, state);
    for (const name of DATABASE_NAMES) await postgres.dump(name, fileOf(name));
    await bench.follow(release);
    await temporal.takeAway();
    for (const name of DATABASE_NAMES) await postgres.restore(name, fileOf(name));
    await temporal.start();
    await broughtBack(bench, release, `set back to ${state} after it was published`);
  }
};

/** Brings a release into a state; the rest of its life goes on by itself until Temporal is gone. */
async function inState(bench: DrillBench, state: State): Promise<Run> {
  const release = await bench.start();
  if (state === 'published') await bench.follow(release);
  else await seenIn(bench, release, state);
  return release;
}

/** What the people who run it do: they ask the doctor, and give the commands that it names. */
async function broughtBack(bench: DrillBench, release: Run, what: string): Promise<void> {
  const since = performance.now();
  await bench.allReady();
  const before = await ledgerOf(bench.cluster);
  const given: string[] = [];
  for (let asked = 0; asked < 2 * MOST_COMMANDS; asked++) {
    const next = (await commandsOf(bench.cluster)).find((command) => !given.includes(command));
    if (next === undefined) break;
    given.push(next);
    await opaline(bench.cluster, next.split(' ').slice(1));
  }
  const followed = await bench.follow(release);
  const after = await ledgerOf(bench.cluster);
  const isContinued = JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before);
  if (!isContinued) throw new Error(`${releasePath(release)}: entries of the ledger were changed`);
  if (given.length > MOST_COMMANDS) throw new Error(`${what}: ${given.length} commands: ${given.join('; ')}`);
  const commands = given.length === 0 ? 'no command' : given.join(', ');
  await bench.row("Temporal's databases", `${what}: ${commands}`, [followed], since);
}

async function ledgerOf({ client }: Cluster) {
  return (await readLedger(client.releaseStore, 'small-riders')).entries;
}

/** The commands that the doctor names, but for those that only say more. */
async function commandsOf(cluster: Cluster): Promise<string[]> {
  const { stdout } = await opaline(cluster, ['doctor', '--json']);
  const { findings } = JSON.parse(stdout) as { findings: { command: string }[] };
  return [...new Set(findings.map(({ command }) => command))].filter((command) =>
    /^opaline (resume|doctor --|temporal)/.test(command),
  );
}

const opaline = ({ deploymentFile }: Cluster, words: string[]) => run(words, { deployment: deploymentFile });
