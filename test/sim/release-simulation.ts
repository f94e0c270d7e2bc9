import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { createPublicActivities } from '../../activities/public/public-activities.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { ERRORS, OpalineError } from '../../contracts/errors.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import {
  FILES,
  type Partition,
  PRIVATE_KEYS,
  PUBLIC_KEYS,
  partitionPath,
  RELEASE_KEYS,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Draw, Hole, Run } from '../../contracts/stages.ts';
import { readDrawn, readDrawRecord } from '../../custodian/custody/draw-record.ts';
import { highWaterFile } from '../../custodian/custody/high-water.ts';
import { codeOfHole } from '../../custodian/custody/hole.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { readBytes, readBytesIfPresent, sha256 } from '../../services/stores/json-objects.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { privateCounts } from '../counts-kind/private-kind.ts';
import { publicCounts } from '../counts-kind/public-kind.ts';
import { countsFileSchema } from '../counts-kind/series.ts';
import { decisionOn, type Registry } from '../fault/release-steps.fixture.ts';
import { privateContextBelow, publicContextBelow } from '../support/folder-contexts.ts';
import { newFolder } from '../support/new-folder.ts';
import { loadedSeries, numberedId, STORES, type StoreName } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { storeMethods } from '../support/store-methods.ts';
import { ledgerKeys, POLICY_KEY } from '../support/test-custody.ts';
import { NoAnswer, Scheduler } from './scheduler.ts';

/** Two windows of one population, released at once: their charges race for the places of one ledger. */
const WINDOWS = ['2026-03-02', '2026-03-09'];
const POPULATION = 'gate-users';
/** Calls of activities that come once more when all is over. */
const LATE_CALLS = 4;
const MOST_TRIES = 200;

const amounts = { epsilon: '4', delta: '0' };
const caps = { block: { epsilon: '8', delta: '0' }, year: { epsilon: '400', delta: '0' } };
const file = countsFileSchema.parse({
  series: 'gates',
  kind: 'counts',
  population: POPULATION,
  timeZone: 'Australia/Sydney',
  values: ['north', 'south'],
  source: { store: POPULATION, pattern: 'gates/{date}.csv', format: 'csv', column: 'gate' },
  window: { days: 2, firstWeekday: 'monday' },
  privacy: { unit: 'tap', ...amounts, caps },
  publication: { title: 'Gates', licence: 'CC0-1.0' },
});
const LOADED = loadedSeries({ ...file, format: 'opaline-series/3', day: { starts: '00:00', ends: '24:00' } });

/** How a release ended, as its workflow knows it. */
type Ended = {
  run: Run;
  partitions: Partition[];
  charge: string;
  draws: Draw[];
  holes: Hole[];
  manifestDigest: string;
};
type Call = { [Name in keyof Registry]: { name: Name; input: Parameters<Registry[Name]>[0] } }[keyof Registry];

/** What may be wrong with the stores of all workers: a bug that is planted. */
export type Plant = (store: ObjectStore, name: StoreName) => ObjectStore;

/** A store that writes over what is there, below a prefix. */
export const overwriting =
  (storeName: StoreName, prefix: string): Plant =>
  (store, name) => ({
    ...storeMethods(store),
    putIfAbsent: async (key, body) => {
      if (name !== storeName || !key.startsWith(prefix) || !(body instanceof Uint8Array))
        return store.putIfAbsent(key, body);
      await store.swapPage(key, await store.readPage(key), body);
      return 'created';
    },
  });

/** Releases of the toy kind, by the registered activities of any number of workers, over stores in memory. */
class ReleaseSimulation {
  readonly scheduler: Scheduler;
  readonly violations: string[] = [];
  readonly #root = newFolder();
  readonly #seed: number;
  readonly #stores: Record<StoreName, ObjectStore>;
  readonly #ended: Ended[] = [];
  readonly #calls: Call[] = [];
  readonly #digests = new Map<string, string>();

  constructor(seed: number, plant: Plant) {
    this.#seed = seed;
    this.scheduler = new Scheduler(seed);
    const stores = STORES.map((name) => [name, plant(new MemoryStore(), name)] as const);
    this.#stores = Object.fromEntries(stores) as Record<StoreName, ObjectStore>;
    this.#stores.private = this.#watched(this.#stores.private);
  }

  async run(): Promise<void> {
    const { scheduler } = this;
    await applySeries({ releaseStore: this.#stores.release, signingKey: POLICY_KEY.privateKey }, LOADED);
    await scheduler.drive(Promise.all(WINDOWS.map((window) => this.#release(window))).then(() => undefined));
    for (let late = 0; late < LATE_CALLS; late += 1) this.#start(scheduler.pick(this.#calls), 'given-up');
    await scheduler.drive(Promise.resolve());
    this.violations.push(...scheduler.mistakes);
    await this.#check();
  }

  /** Looks at every table that is written to the private store: it is charged by then, and is never another one. */
  #watched(store: ObjectStore): ObjectStore {
    return {
      ...storeMethods(store),
      putIfAbsent: async (key, body) => {
        const outcome = await store.putIfAbsent(key, body);
        if (!key.startsWith('privatized/')) return outcome;
        const { entries } = await walkLedger(store, POPULATION, ledgerKeys);
        if (!entries.some((entry) => entry.kind === 'reserve' && key.startsWith(`privatized/${entry.release}/`)))
          this.violations.push(`${key} was drawn before its charge`);
        const stored = await readBytes(store, key);
        const isHole = stored.toString('utf8', 0, 1) === '{'; // a signed statement, where a draw begins with its build
        this.#see(key, sha256(isHole ? stored : readDrawn(stored).table));
        return outcome;
      },
    };
  }

  #see(key: string, digest: string): void {
    if ((this.#digests.get(key) ?? digest) !== digest) this.violations.push(`${key} is a second draw`);
    this.#digests.set(key, digest);
  }

  #start(call: Call, state: 'at-work' | 'given-up' = 'at-work'): Promise<unknown> {
    const work = (wrap: Plant, { serial }: { serial: number }) => {
      const { source, private: privateStore, release, publication } = this.#stores;
      let ids = 0;
      const own = {
        releaseStore: wrap(release, 'release'),
        scratch: join(this.#root, 'scratch', String(serial)),
        newId: () => numberedId(serial * 100 + ids++),
      };
      const registry = {
        ...createPrivateActivities(
          privateContextBelow(this.#root, {
            ...own,
            sourceStore: () => wrap(source, 'source'),
            privateStore: wrap(privateStore, 'private'),
            random: seededSource((this.#seed * 10_007 + serial) >>> 0),
            kinds: { counts: privateCounts },
            highWater: highWaterFile(join(this.#root, `state-${serial % 2}.json`)), // of two workers
          }),
        ),
        ...createPublicActivities(
          publicContextBelow(this.#root, {
            ...own,
            publicationStore: wrap(publication, 'publication'),
            kinds: { counts: publicCounts },
          }),
        ),
      };
      return (registry[call.name] as (input: unknown) => Promise<unknown>)(call.input);
    };
    const answer = this.scheduler.start(call.name, work as never, state);
    if (call.name === 'privatize')
      answer.then(
        (draws) => {
          for (const { partition, digest } of draws as Draw[])
            this.#see(PRIVATE_KEYS.privatized(call.input, partition), digest);
        },
        () => undefined,
      );
    return answer;
  }

  /** Has an activity carried out as Temporal does: again and again, until an attempt answers. */
  async #call<Name extends keyof Registry>(
    name: Name,
    input: Parameters<Registry[Name]>[0],
  ): Promise<Awaited<ReturnType<Registry[Name]>>> {
    const call = { name, input } as Call;
    this.#calls.push(call);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      try {
        return (await this.#start(call)) as Awaited<ReturnType<Registry[Name]>>;
      } catch (error) {
        const isAgain = error instanceof NoAnswer || (error instanceof OpalineError && ERRORS[error.code].retryable);
        if (!isAgain) throw error;
      }
    }
    throw new Error(`${name} was tried ${MOST_TRIES} times`);
  }

  /** One release in the order of its workflow; the object of a day may come late, or never. */
  async #release(window: string): Promise<void> {
    const run: Run = { series: 'gates', window, version: 1, seriesDigest: LOADED.digest };
    const { partitions } = await this.#call('plan', { ...run, correction: null, execution: window });
    const late = this.scheduler.pick([...partitions, null]);
    for (const partition of partitions) if (partition !== late) await this.#deliver(partition);
    await this.#call('ingest', { ...run, round: 0 });
    const { charge } = await this.#call('reserve', { ...run, partitions });
    const inTime = partitions.filter((partition) => partition !== late);
    await this.#call('bin', { ...run, round: 0, partitions: inTime });
    const draw = async (partition: Partition, round: number) =>
      (await this.#call('privatize', { ...run, round, partitions: [partition], charge }))[0]!;
    const draws = await Promise.all(inTime.map((partition) => draw(partition, 0)));
    const made = late ? await this.#makeLate(run, late, () => draw(late, 1)) : { draws: [], holes: [] };
    const staged = { ...run, correction: null, charge, draws: [...draws, ...made.draws], holes: made.holes };
    await Promise.all([this.#call('shadow', run), this.#call('derive', staged)]);
    const audit = await this.#call('audit', staged);
    const people = { run: () => run, store: () => this.#stores.release, loaded: LOADED };
    const decision = await this.#call('decide', await decisionOn(people, audit, 'approve'));
    if (!decision.accepted) throw new Error(decision.message);
    const { manifestDigest } = audit;
    const publishedAt = '2026-11-22T00:00:00.000Z';
    const { statement } = await this.#call('publish', {
      ...run,
      manifestDigest,
      decisions: [decision.digest],
      publishedAt,
    });
    await this.#call('commit', { ...run, charge, statement });
    await this.#call('updatePages', run);
    this.#ended.push({ run, partitions, charge, draws: staged.draws, holes: made.holes, manifestDigest });
  }

  async #deliver({ day }: Partition): Promise<void> {
    await this.#stores.source.putIfAbsent(`gates/${day}.csv`, Buffer.from('gate,card\nnorth,1\nsouth,2\nnorth,3\n'));
  }

  /** People retry a partition or abandon it; they may have asked for its hole before and heard nothing. */
  async #makeLate(run: Run, partition: Partition, draw: () => Promise<Draw>): Promise<Pick<Ended, 'draws' | 'holes'>> {
    const partitions = [partition];
    const { scheduler } = this;
    if (scheduler.chance(1 / 2)) this.#start({ name: 'abandon', input: { ...run, partitions } }, 'given-up');
    if (scheduler.chance(2 / 3)) {
      await this.#deliver(partition);
      try {
        await this.#call('reingest', { ...run, round: 1, partitions });
        await this.#call('bin', { ...run, round: 1, partitions });
        return { draws: [await draw()], holes: [] };
      } catch (error) {
        // It is a hole by now.
        if (!(error instanceof OpalineError && error.code === 'NEEDS_CORRECTION')) throw error;
      }
    }
    return { draws: [], holes: await this.#call('abandon', { ...run, partitions }) };
  }

  async #check(): Promise<void> {
    const say = (isSo: boolean, sentence: string) => isSo || this.violations.push(sentence);
    const { private: privateStore, release, publication } = this.#stores;
    const ledger = await walkLedger(privateStore, POPULATION, ledgerKeys).catch(() => null);
    const copy = await walkLedger(release, POPULATION, ledgerKeys).catch(() => null);
    say(ledger !== null && ledger.tip === copy?.tip, 'the ledger, or its copy, is no valid chain');
    for (const { run, partitions, charge, draws, holes, manifestDigest } of this.#ended) {
      const path = releasePath(run);
      const own = ledger?.entries.filter((entry) => 'release' in entry && entry.release === path) ?? [];
      say(own.map(({ kind }) => kind).join() === 'reserve,commit', `${path} has other entries than reserve and commit`);
      const [reserve] = own;
      const blocks = reserve?.kind === 'reserve' ? reserve.blocks : [];
      say(reserve?.kind === 'reserve' && reserve.charge === charge, `${path} goes by another charge`);
      say(blocks.map(partitionPath).join() === partitions.map(partitionPath).join(), `${path} is charged otherwise`);
      for (const partition of partitions) {
        const name = `${path} ${partitionPath(partition)}`;
        const is = (one: Partition) => partitionPath(one) === partitionPath(partition);
        const bytes = await readBytes(privateStore, PRIVATE_KEYS.privatized(run, partition));
        const isHole = codeOfHole(bytes, run, partition) !== null;
        const draw = draws.find((one) => is(one.partition));
        say(isHole === holes.some(is) && isHole === !draw, `${name} is not exactly one of draw and hole`);
        const released = await readBytesIfPresent(release, RELEASE_KEYS.privatized(run, partition));
        if (!draw) say(released === null, `${name} is a hole, and a table is in the release store`);
        if (!draw) continue;
        const { table } = readDrawn(bytes);
        say(sha256(table) === draw.digest && released?.equals(table) === true, `${name} has two draws`);
        const record = readDrawRecord(await readBytes(privateStore, PRIVATE_KEYS.draw(run, partition)));
        say(record.charge === charge, `${name} was drawn under another charge`);
      }
      const manifestBytes = await readBytes(publication, PUBLIC_KEYS.file(run, FILES.manifest));
      say(
        sha256(manifestBytes) === manifestDigest,
        `${path} is published under another manifest than the approved one`,
      );
      await this.#checkFiles(run, manifestSchema.parse(JSON.parse(manifestBytes.toString('utf8'))));
    }
    say(this.#scratch().length === 0, `scratch is left of ${this.#scratch()}`);
  }

  async #checkFiles(run: Run, { files }: Manifest): Promise<void> {
    const store = this.#stores.publication;
    const listed = new Map(files.map(({ name, sha256: digest }) => [PUBLIC_KEYS.file(run, name), digest]));
    const others = [FILES.manifest, FILES.attestation, FILES.checksums].map((name) => PUBLIC_KEYS.file(run, name));
    const stored: string[] = [];
    for await (const { key } of store.list(`${releasePath(run)}/`)) {
      stored.push(key);
      const isApproved = listed.get(key) === sha256(await readBytes(store, key));
      if (!isApproved && !others.includes(key)) this.violations.push(`${key} is not what was approved`);
    }
    if (stored.join() !== [...listed.keys(), ...others].sort().join())
      this.violations.push(`${releasePath(run)} is not published with all of its files`);
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /**
   * What attempts have left in their scratch folders, beside the copies of source objects, which are a cache. That of a
   * crashed one is swept when its worker starts again.
   */
  #scratch(): string[] {
    const root = join(this.#root, 'scratch');
    const crashed = this.scheduler.crashedSerials();
    const own = (existsSync(root) ? readdirSync(root) : []).filter((serial) => !crashed.has(Number(serial)));
    return own.flatMap((serial) => readdirSync(join(root, serial)).filter((name) => name !== 'objects'));
  }
}

const honest: Plant = (store) => store;

/** One run: what is wrong after it, best nothing; and what happened, a line for each call of a store. */
export async function simulate(
  seed: number,
  plant: Plant = honest,
): Promise<{ violations: string[]; trace: readonly string[] }> {
  const simulation = new ReleaseSimulation(seed, plant);
  await simulation.run().catch((error: unknown) => simulation.violations.push(`it ended with ${error}`));
  simulation.close();
  return { violations: simulation.violations, trace: simulation.scheduler.trace };
}
