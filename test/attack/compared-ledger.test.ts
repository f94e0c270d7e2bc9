import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { compareLedger } from '../../custodian/custody/compared-ledger.ts';
import { settleLedgers } from '../../custodian/custody/population-ledger.ts';
import { numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { ordered } from '../support/test-custody.ts';

/** Whoever wrote the stores behind the back of the private worker, and what its custodian sees of it. */
const POPULATION = 'small-riders';
let release: ReleaseBench;

beforeEach(async () => {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
});

const context = () => release.contexts({ random: seededSource(1), newId: () => numberedId(1) }).private;
const reserve = () => createPrivateActivities(context()).reserve({ ...release.run(), partitions: release.partitions });

describe('C12: the ledger compared with its copies, on the custodian side', () => {
  const compared = () => compareLedger(context(), POPULATION);
  const at = (store: 'private' | 'release', sequence: number) =>
    join(release.folder(store), RELEASE_KEYS.ledgerEntry(POPULATION, sequence));
  const edited = async (path: string) =>
    writeFile(path, (await readFile(path, 'utf8')).replace('"payload":"e', '"payload":"f'));

  test('nothing is found where nothing was done, and nothing is changed by the look', async () => {
    await reserve();
    const before = await release.objects();
    expect(await compared()).toEqual([]);
    expect(await release.objects()).toEqual(before);
  });

  test('a copy that is missing, and one that was edited in the middle', async () => {
    await reserve();
    await rm(at('release', 2));
    expect(await compared()).toEqual([expect.stringContaining('Entry 2 of the ledger of small-riders has no copy')]);
    await writeFile(at('release', 2), await readFile(at('private', 2)));
    await edited(at('release', 1));
    expect(await compared()).toEqual([expect.stringContaining('The copy of entry 1')]);
  });

  test('an entry of its own that was edited, and one that was cut', async () => {
    await reserve();
    const whole = await readFile(at('private', 1));
    await edited(at('private', 1));
    expect(await compared()).toEqual([expect.stringMatching(/^The private store: Entry 1 .* it was damaged/)]);
    await writeFile(at('private', 1), whole);
    await rm(at('private', 2));
    expect(await compared()).toEqual([expect.stringContaining('is 1 entries behind its copies')]);
  });

  test('both stores that were set back, and a copy that goes on in another way', async () => {
    await reserve();
    for (const store of ['private', 'release'] as const) await rm(at(store, 2));
    expect(await compared()).toEqual([expect.stringContaining('does not hold entry 2, which this worker has seen')]);
    await writeFile(at('release', 2), await readFile(at('release', 1)));
    expect(await compared()).toEqual([expect.stringContaining('that is no entry of this ledger')]);
  });
});

test('C12: a release store that was set back under a worker has every copy again by its look, also before a later one', async () => {
  let ids = 0;
  const worker = release.contexts({ random: seededSource(1), newId: () => numberedId(++ids) }).private;
  const { partitions } = release;
  const charge = (version: number) => createPrivateActivities(worker).reserve({ ...release.run(version), partitions });
  for (const version of [2, 3]) await ordered(release.store('release'), release.run(version));
  await charge(1);
  await charge(2);
  const keys = [1, 2, 3].map((sequence) => RELEASE_KEYS.ledgerEntry(POPULATION, sequence));
  const missing = async () => {
    const facts = await Promise.all(keys.map((key) => release.store('release').head(key)));
    return keys.filter((_, at) => facts[at] === null);
  };
  for (const then of [async () => {}, () => charge(3)]) {
    await Promise.all(keys.slice(1).map((key) => rm(join(release.folder('release'), key))));
    await then();
    expect(await missing(), 'a twin at which nobody has looked').toEqual(keys.slice(1));
    expect(await settleLedgers(worker)).toEqual([]);
    expect(await missing()).toEqual([]);
  }
});
