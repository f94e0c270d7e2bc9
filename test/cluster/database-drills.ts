import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Temporal } from 'temporal-polyfill';
import { openClient } from '../../client/opaline-client.ts';
import type { Run } from '../../contracts/stages.ts';
import { writeSmallSeries } from '../support/small-series.ts';
import type { DrillBench } from './drill-bench.ts';
import { type Drill, seenIn } from './drills.ts';
import { SIDES } from './host.ts';
import type { Part } from './part.ts';
import { give, ledgerOf, namedCommands, requireContinued } from './people.ts';
import { untilAnswered } from './postgres.ts';
import { DATABASE_NAMES } from './temporal-services.ts';

/** What Temporal knew of two releases when its databases were lost, or dumped: one that rests, and one that goes on. */
const STATES = [
  ['gate', 'bin'],
  ['published', 'privatize'],
  ['approved-waiting', 'publish'],
] as const;
type State = (typeof STATES)[number][number];

/** A loss may take at most three commands (docs/runbooks.md). */
const MOST_COMMANDS = 3;

/** Both databases of Temporal are dropped, and new ones are empty. */
export const droppedDatabase: Drill = async (bench) => {
  const { postgres, temporal } = bench.cluster;
  for (const states of STATES) {
    const releases = await inStates(bench, states);
    await temporal.takeAway();
    for (const name of DATABASE_NAMES) await postgres.drop(name);
    await temporal.makeDatabases();
    await temporal.start();
    await broughtBack(bench, releases, `dropped in ${states.join(' and ')}`);
  }
};

/** Both databases are put back to a dump, after which the releases went on and were published. */
export const restoredDatabase: Drill = async (bench) => {
  const { folder, postgres, temporal } = bench.cluster;
  const fileOf = (name: string) => join(folder, `${name}.sql`);
  for (const states of STATES) {
    const releases = await inStates(bench, states);
    for (const name of DATABASE_NAMES) await postgres.dump(name, fileOf(name));
    await Promise.all(releases.map((release) => bench.follow(release)));
    await temporal.takeAway();
    for (const name of DATABASE_NAMES) await postgres.restore(name, fileOf(name));
    await temporal.start();
    await broughtBack(bench, releases, `set back to ${states.join(' and ')} after both were published`);
  }
};

/** So long a new service of Temporal believes addresses that its databases name. */
const MEMBERS_MS = 30_000;

/**
 * The old databases come back beside the new ones. Host a works for the new server, host b for the old one, and people
 * decide at both: two workflows drive each release.
 */
export const splitBrain: Drill = async (bench) => {
  const { cluster } = bench;
  const { postgres, temporal, hosts } = cluster;
  const [first, second] = ['gate', 'privatize'] as const;
  const releases = await inStates(bench, [first, second]);
  const atB = (work: (part: Part) => Promise<void>) => Promise.all(SIDES.map((side) => work(hosts.b.workers[side])));
  await temporal.takeAway();
  await atB((part) => part.takeAway());
  for (const name of DATABASE_NAMES) {
    await untilAnswered(() => postgres.ask('postgres', `ALTER DATABASE ${name} RENAME TO ${name}_old`));
    // Temporal looks up the version of its tables by the name of the database.
    await postgres.ask(`${name}_old`, `UPDATE schema_version SET db_name = '${name}_old'`);
  }
  await temporal.makeDatabases();
  await temporal.start();
  const old = await cluster.anotherTemporal('_old');
  await delay(MEMBERS_MS);
  await old.temporal.start();
  await hosts.b.connect(old.connection.address);
  await atB((part) => part.start());
  await bench.allReady();
  const since = performance.now();
  const before = await ledgerOf(cluster);
  await give(cluster, ['resume', '--all']);
  const client = await openClient({ ...cluster.deployment, temporal: old.connection });
  const followed = await Promise.all(
    [bench, bench.through({ client })].map((one) => Promise.all(releases.map((release) => one.follow(release)))),
  );
  const ends = followed.flat().map(({ status }) => status.state);
  if (ends.some((state) => state !== 'published')) throw new Error(`the releases ended as ${ends.join()}`);
  await requireContinued(cluster, before, 'split brain');
  await bench.row("Temporal's old databases beside the new ones", `${first} and ${second}`, followed[0]!, since);
  await client.close();
  await atB((part) => part.takeAway());
  await old.temporal.takeAway();
  for (const name of DATABASE_NAMES) await postgres.drop(`${name}_old`);
  await hosts.b.connect(cluster.connection.address);
  await atB((part) => part.start());
};

/** The newest version of the server that is built here, and the one that a cluster starts with. */
const [NEWEST, USUAL] = ['1.32.1', '1.29.1'] as const;

/** All services are stopped, the tables are upgraded, and those of the newest version go on with what is open. */
export const newestServer: Drill = async (bench) => {
  const { cluster } = bench;
  const { temporal, client } = cluster;
  const versionOf = async () => (await client.temporal.workflowService.getSystemInfo({})).serverVersion;
  const open = [await bench.start(), await bench.start()];
  await Promise.all(open.map((release) => bench.reaches(release, ['waiting'])));
  open.push(await embargoed(bench), await inState(bench, 'privatize'));
  const before = await ledgerOf(cluster);
  const old = await versionOf();
  await temporal.takeAway();
  await temporal.upgrade(NEWEST);
  await temporal.start();
  const found = `${old} ${await untilAnswered(versionOf)}`;
  if (found !== `${USUAL} ${NEWEST}`) throw new Error(`the servers were ${found}`);
  const since = performance.now();
  open.push(await untilAnswered(() => bench.start()));
  const followed = await Promise.all(open.map((release) => bench.follow(release)));
  await requireContinued(cluster, before, 'an upgrade of the server');
  const states = 'two at the gate, one approved, one under way, one started after it';
  await bench.row(
    "Temporal's server",
    `upgraded from ${USUAL} to ${NEWEST} with its tables: ${states}`,
    followed,
    since,
  );
};

/** Two releases in two states. */
async function inStates(bench: DrillBench, [first, second]: readonly [State, State]): Promise<Run[]> {
  return [await inState(bench, first), await inState(bench, second)];
}

/** Brings a release into a state; the rest of its life goes on by itself until Temporal is gone. */
async function inState(bench: DrillBench, state: State): Promise<Run> {
  if (state === 'approved-waiting') return embargoed(bench);
  const release = await bench.start();
  if (state === 'published') await bench.follow(release);
  else await seenIn(bench, release, state);
  return release;
}

/** Seconds until the embargo ends: longer than it takes until Temporal is gone, on a busy machine too. */
const EMBARGO_SECONDS = 240;

/** A release of a series of its own, which waits for its time of publication. */
async function embargoed(bench: DrillBench): Promise<Run> {
  const end = Temporal.Now.zonedDateTimeISO('UTC').add({ seconds: EMBARGO_SECONDS });
  const minute = end.round({ smallestUnit: 'minute', roundingMode: 'ceil' });
  const lastDay = Temporal.PlainDate.from(bench.nextWindow).add({ days: 2 });
  const at = `at: { daysAfterWindow: ${lastDay.until(minute.toPlainDate()).days}, time: "${minute.toPlainTime().toString({ smallestUnit: 'minute' })}" }`;
  const name = `embargoed-${minute.epochMilliseconds}`;
  const changes = { series: name, epsilon: '4', yearEpsilon: '5000' };
  const inUtc = (yaml: string) => yaml.replace('timeZone: Australia/Sydney', 'timeZone: UTC');
  const series = await writeSmallSeries(join(bench.cluster.folder, name), changes, (yaml) => `${inUtc(yaml)}  ${at}\n`);
  const release = await bench.start(series.file);
  await bench.approve(release);
  await bench.reaches(release, ['approved-waiting']);
  return release;
}

/** What the doctor names beside commands that only say more. */
const REPAIRS = /^opaline (resume|doctor --|temporal)/;

/** What the people who run it do: they ask the doctor, and give the commands that it names. */
async function broughtBack(bench: DrillBench, releases: readonly Run[], what: string): Promise<void> {
  const since = performance.now();
  await bench.allReady();
  const before = await ledgerOf(bench.cluster);
  const given: string[] = [];
  for (let asked = 0; asked < 2 * MOST_COMMANDS; asked++) {
    const next = (await namedCommands(bench.cluster, REPAIRS)).find((command) => !given.includes(command));
    if (next === undefined) break;
    given.push(next);
    await give(bench.cluster, next.split(' ').slice(1));
  }
  const followed = await Promise.all(releases.map((release) => bench.follow(release)));
  await requireContinued(bench.cluster, before, what);
  if (given.length > MOST_COMMANDS) throw new Error(`${what}: ${given.length} commands: ${given.join('; ')}`);
  const commands = given.length === 0 ? 'no command' : given.join(', ');
  await bench.row("Temporal's databases", `${what}: ${commands}`, followed, since);
}
