import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { createPublicActivities } from '../../activities/public/public-activities.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { type Partition, PRIVATE_KEYS, partitionPath, releasePath } from '../../contracts/names.ts';
import { appendToLedger, readLedger } from '../../services/ledger/ledger.ts';
import { differences, numberedId, ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import {
  type Edit,
  loadSmallSeries,
  openSmallRelease,
  SMALL_WINDOW,
  smallTrips,
  withMargins,
  writeTrips,
} from '../support/small-series.ts';
import { ledgerWriter } from '../support/test-custody.ts';
import { forgetful } from './broken-stores.fixture.ts';
import { type CrashPoint, DoomedProcess } from './crashing-store.fixture.ts';
import { emptyMemory, type Registry, releaseSteps, type Step } from './release-steps.fixture.ts';

/** One day of both modes: the writes of another day are the same. */
const oneDay: Edit = (yaml) => withMargins(yaml).replace('window: { days: 3,', 'window: { days: 1,');
const LATE: Partition = { part: 'ferry', day: SMALL_WINDOW };

/** How one step is carried out: once, twice, or by processes that stop at every write. Gives the last answer. */
type Manner = (step: Step, call: (process: DoomedProcess) => Promise<unknown>) => Promise<unknown>;
type Outcome = { objects: Map<string, string>; answers: unknown[]; kinds: string[] };
/** What makes the registry of a process: the real one, or a broken twin. */
type Make = (release: ReleaseBench, step: Step, process: DoomedProcess) => Promise<Registry>;

let setup: LoadedSeries;
let reference: Outcome;

const once: Manner = (_step, call) => call(new DoomedProcess(null));
const twice: Manner = async (_step, call) => {
  const first = await call(new DoomedProcess(null));
  expect(await call(new DoomedProcess(null))).toEqual(first);
  return first;
};

/** Before the first write, after it, before the second, …, until a process gets to the end. */
function stoppedAtEveryWrite(stops: string[]): Manner {
  return async (_step, call) => {
    for (let point: CrashPoint = 'before'; ; point = point === 'before' ? 'after' : 'before') {
      const process = new DoomedProcess(point);
      const answer = await call(process).catch((error: unknown) => {
        if (process.stoppedAt === null) throw error;
      });
      if (process.stoppedAt === null) return answer;
      stops.push(process.stoppedAt);
    }
  };
}

/**
 * Noise and identifiers are the same for every process until something is stored that they went into, and others from
 * then on: a process that draws or charges again afterwards cannot go unnoticed.
 */
const real: Make = async (release, step, process) => {
  const { entries } = await readLedger(release.store('private'), release.loaded.series.population);
  const place = release.partitions.map(partitionPath).indexOf(step.partition ? partitionPath(step.partition) : '');
  const drawn =
    step.partition && (await release.store('private').head(PRIVATE_KEYS.privatized(release.run(), step.partition)));
  const contexts = release.contexts({
    random: seededSource(drawn ? 1000 + place : place + 1),
    newId: () => numberedId(entries.filter(({ kind }) => kind === 'reserve').length),
    wrap: (store, name) => process.wrap(store, name),
  });
  return { ...createPrivateActivities(contexts.private), ...createPublicActivities(contexts.public) };
};

async function runRelease(manner: Manner, make: Make = real, lastSteps: Manner | null = null): Promise<Outcome> {
  const release = await openSmallRelease(setup);
  try {
    const write = ({ part, day }: Partition) => writeTrips(release.folder('source'), day, part, smallTrips(day, part));
    for (const one of release.partitions) if (one.part !== LATE.part) await write(one);
    const deliver = () => write(LATE);
    const steps = releaseSteps(release, LATE, deliver);
    const memory = emptyMemory();
    const carryOut = async (step: Step, how: Manner) =>
      how(step, async (process) => step.call(await make(release, step, process), memory));
    const answers: unknown[] = [];
    for (const step of steps) {
      await step.prepare?.();
      answers.push((await carryOut(step, manner)) ?? null);
      await release.loseScratch();
    }
    if (lastSteps) for (const step of steps) await carryOut(step, lastSteps);
    const { entries } = await readLedger(release.store('release'), setup.series.population);
    return { objects: await release.objects(), answers, kinds: entries.map(({ kind }) => kind) };
  } finally {
    await release.close();
  }
}

beforeAll(async () => {
  setup = await loadSmallSeries(oneDay);
  expect(setup.series.window.days).toBe(1);
  reference = await runRelease(once);
});
afterAll(() => expect(reference.kinds).toEqual(['policy', 'reserve', 'commit', 'reserve', 'withhold']));

function expectTheSame(outcome: Outcome): void {
  expect(differences(outcome.objects, reference.objects)).toEqual([]);
  expect(outcome.answers).toEqual(reference.answers);
  expect(outcome.kinds).toEqual(reference.kinds);
}

describe('every activity of both registries, in the order of a release', { timeout: 300_000 }, () => {
  test('the steps leave no activity out', async () => {
    const release = new ReleaseBench('nowhere', setup, SMALL_WINDOW);
    const named = new Set(releaseSteps(release, LATE, async () => undefined).map(({ activity }) => activity));
    const registered = Object.keys(
      await real(release, { activity: 'plan', call: async () => null }, new DoomedProcess(null)),
    );
    expect([...named].sort()).toEqual(registered.sort());
  });

  test('safe-to-retry: run twice, and all of them a third time after the end: the same bytes, the same charges', async () => {
    expectTheSame(await runRelease(twice, real, once));
  });

  test('C12 safe-to-retry: stopped before and after every write: the same bytes, the same charges', {
    tags: 'soak',
  }, async () => {
    const stops: string[] = [];
    const outcome = await runRelease(stoppedAtEveryWrite(stops), real);
    expectTheSame(outcome);
    // People put series files with their signatures, dictionaries and orders.
    const ofPeople = /^release\/(series|series-signatures|dictionaries|orders)\//;
    // Every object that a release writes was the place of a stop, on both sides of the write.
    const own = [...outcome.objects.keys()].filter((name) => !ofPeople.test(name));
    for (const point of ['before', 'after']) {
      expect(new Set(stops.filter((stop) => stop.startsWith(point)))).toEqual(
        new Set(own.map((name) => `${point} ${name}`)),
      );
    }
  });

  test('broken twins are caught: a table that is drawn again, a charge that is ended again', {
    tags: 'soak',
  }, async () => {
    const redraws: Make = async (release, step, process) => {
      const contexts = release.contexts({
        random: seededSource(process.serial),
        newId: () => numberedId(1),
        wrap: (store, name) => (name === 'private' ? forgetful(store, release.folder(name), 'privatized/') : store),
      });
      return { ...(await real(release, step, process)), ...createPrivateActivities(contexts.private) };
    };
    await expect(runRelease(twice, redraws)).rejects.toThrow();
    const endsAgain: Make = async (release, step, process) => ({
      ...(await real(release, step, process)),
      commit: async ({ charge, ...run }) =>
        void (await appendToLedger(ledgerWriter(release.store('private')), setup.series.population, () => ({
          kind: 'commit',
          charge,
          release: releasePath(run),
        }))),
    });
    expect((await runRelease(twice, endsAgain)).kinds).not.toEqual(reference.kinds);
  });
});
