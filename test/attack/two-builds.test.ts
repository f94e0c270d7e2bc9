import { beforeAll, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { shadow } from '../../activities/private/shadow.ts';
import { audit } from '../../activities/public/audit.ts';
import { derive } from '../../activities/public/derive.ts';
import { receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { type Partition, PRIVATE_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Draw, Run } from '../../contracts/stages.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { tapsSeries } from '../../kinds/taps/series.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, readBytes } from '../../services/stores/json-objects.ts';
import type { ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { storeMethods } from '../support/store-methods.ts';
import { PRIVATE_BUILD } from '../support/test-custody.ts';
import { testShadow } from '../support/test-release.ts';

/** Builds change in the middle of a release: whoever draws is tried first, is named, and costs nothing more (C15). */
const BUILDS = { old: PRIVATE_BUILD, next: 'b2'.repeat(32) } as const;
type Build = keyof typeof BUILDS;

let release: ReleaseBench;
let run: Run;
let charge: string;

/** Shadow runs of a series are drawn once for all tests: the activity finds their tallies, and signs them. */
const tallies = async (context: PrivateContext, of: Run) => {
  const made = jsonBytes(testShadow(tapsSeries(release.loaded.series)));
  await context.privateStore.putIfAbsent(PRIVATE_KEYS.shadow(of, context.build), made);
  await shadow(context, of);
};

function worker(build: Build, change: Partial<PrivateContext> = {}) {
  const own = { ...release.contexts({ random: seededSource(1) }).private, build: BUILDS[build], ...change };
  const context: PrivateContext = { ...own, ensureShadow: (of) => tallies(context, of) };
  return createPrivateActivities(context);
}

async function counted(): Promise<void> {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
  run = release.run();
  const { reserve, ingest, bin } = worker('old');
  ({ charge } = await reserve({ ...run, partitions: release.partitions }));
  await ingest({ ...run, round: 0 });
  await bin({ ...run, round: 0, partitions: release.partitions });
}

const draw = async (build: Build, partition: Partition, change?: Partial<PrivateContext>): Promise<Draw> =>
  (await worker(build, change).privatize({ ...run, round: 0, partitions: [partition], charge }))[0]!;

async function builtBy(partition: Partition): Promise<string> {
  const bytes = await readBytes(release.store('release'), RELEASE_KEYS.receipt(run, partition));
  const receipt = readDocument(JSON.parse(bytes.toString()), receiptSchema, 'receipt');
  return 'build' in receipt ? receipt.build : 'none';
}

describe('C15: a promotion, and a roll-back, in the middle of a release', () => {
  const PARTITIONS = 6;

  for (let place = 0; place < PARTITIONS; place++)
    test(`after ${place} draws: one charge, each draw named by its build, and the audit tries both`, {
      tags: place % 3 === 0 ? [] : ['soak'],
    }, async () => {
      await counted();
      // The next build makes one draw between those of the old one, and each asks again for what the other drew.
      const builds = release.partitions.map((_, index): Build => (index === place ? 'next' : 'old'));
      const draws: Draw[] = [];
      for (const [index, partition] of release.partitions.entries()) draws.push(await draw(builds[index]!, partition));
      for (const [index, partition] of release.partitions.entries())
        expect(await draw(builds[index] === 'old' ? 'next' : 'old', partition)).toEqual(draws[index]);
      for (const [index, partition] of release.partitions.entries())
        expect(await builtBy(partition)).toBe(BUILDS[builds[index]!]);
      const { public: context } = release.contexts();
      const input = { ...run, correction: null, charge, draws, holes: [] };
      await derive(context, input);
      expect(await audit(context, input)).toMatchObject({ verdict: expect.stringMatching('pass|attention') });
      const { entries } = await readLedger(release.store('private'), 'small-riders');
      expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve']);
    });
});

describe('C11 C15: a build that stops', () => {
  let partition: Partition;
  beforeAll(async () => {
    await counted();
    partition = release.partitions[0]!;
  });

  test('before its receipt is there: the next build signs that the old one drew', async () => {
    const { releaseStore } = release.contexts().private;
    const stops = {
      ...storeMethods(releaseStore),
      putIfAbsent: async (key: string, body: Buffer) => {
        if (key === RELEASE_KEYS.privatized(run, partition)) throw new Error('killed');
        return releaseStore.putIfAbsent(key, body);
      },
    };
    await expect(draw('old', partition, { releaseStore: stops as never })).rejects.toThrow('killed');
    await draw('next', partition);
    expect(await builtBy(partition)).toBe(BUILDS.old);
  });

  test('and was never tried: it draws nothing, and leaves no record of a draw', async () => {
    const another = release.partitions[1]!;
    const context = { ...release.contexts().private, ensureShadow: () => Promise.reject(new Error('not tried')) };
    const { privatize } = createPrivateActivities(context);
    await expect(privatize({ ...run, round: 0, partitions: [another], charge })).rejects.toThrow('not tried');
    expect(await context.privateStore.head(PRIVATE_KEYS.draw(run, another))).toBeNull();
  });
});
