import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { PRIVATE_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectBody, ObjectStore } from '../../contracts/object-store.ts';
import { readDrawn } from '../../custodian/custody/draw-record.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readBytesIfPresent, sha256 } from '../../services/stores/json-objects.ts';
import { numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, withMargins, writeSmallTrips } from '../support/small-series.ts';
import { storeMethods } from '../support/store-methods.ts';

/**
 * Whoever writes the release store, and waits for the private worker to stop: wherever it stops, a table or a receipt is
 * deleted, replaced or planted, and the release goes on with another source of randomness.
 */
const POPULATION = 'small-riders';
const partition = { part: 'bus', day: '2026-03-02' };

const ATTACKS = ['deleted', 'replaced', 'planted'] as const;
const TARGETS = ['table', 'receipt'] as const;

class Stopped extends Error {}

/** Stops the worker after `writes` writes of any store. */
function stopping(writes: number) {
  const counter = { left: writes };
  const wrap = (store: ObjectStore): ObjectStore => ({
    ...storeMethods(store),
    putIfAbsent: async (key: string, body: ObjectBody) => {
      if (counter.left <= 0) throw new Stopped();
      counter.left -= 1;
      return store.putIfAbsent(key, body);
    },
  });
  return { wrap, counter };
}

/** Reserves, ingests, bins and draws; null when the worker stopped on the way. */
async function drawn(release: ReleaseBench, seed: number, writes = Number.POSITIVE_INFINITY) {
  const { wrap, counter } = stopping(writes);
  const contexts = release.contexts({ random: seededSource(seed), newId: () => numberedId(seed), wrap });
  const { reserve, ingest, bin, privatize } = createPrivateActivities(contexts.private);
  const run = release.run();
  try {
    const { charge } = await reserve({ ...run, partitions: release.partitions });
    await ingest({ ...run, round: 0 });
    await bin({ ...run, round: 0, partitions: [partition] });
    return { digest: (await privatize({ ...run, round: 0, partitions: [partition], charge }))[0]!.digest, counter };
  } catch (error) {
    if (counter.left <= 0) return null;
    throw error;
  }
}

async function attack(release: ReleaseBench, kind: (typeof ATTACKS)[number], target: (typeof TARGETS)[number]) {
  const key =
    target === 'table'
      ? RELEASE_KEYS.privatized(release.run(), partition)
      : RELEASE_KEYS.receipt(release.run(), partition);
  const path = join(release.folder('release'), key);
  const isThere = (await release.store('release').head(key)) !== null;
  if (kind === 'planted' && !isThere) await release.store('release').putIfAbsent(key, Buffer.from('{"cells":[]}'));
  if (kind === 'replaced' && isThere) await writeFile(path, `${await readFile(path, 'utf8')} `);
  if (kind === 'deleted' && isThere) await rm(path);
  return path;
}

test.each(ATTACKS.flatMap((kind) => TARGETS.map((target) => [kind, target] as const)))(
  'C11: a %s %s, wherever the worker stops, leads to no second draw and to no second charge',
  async (kind, target) => {
    const setup = await loadSmallSeries(withMargins);
    let stops = 0;
    for (let writes = 1; ; writes += 1) {
      const release = await openSmallRelease(setup);
      try {
        await writeSmallTrips(release.folder('source'));
        const whole = await drawn(release, 1, writes);
        const table = () =>
          readBytesIfPresent(release.store('private'), PRIVATE_KEYS.privatized(release.run(), partition));
        const before = await table();
        const path = await attack(release, kind, target);
        const refused = await drawn(release, 2).then(
          () => null,
          (error: { code?: string }) => error.code,
        );
        // What others put there is not taken: it has to go, and then the release goes on.
        if (refused !== null) expect(refused).toBe('COPY_DIFFERS');
        if (refused !== null) await rm(path);
        const again = await drawn(release, 3);
        const after = await table();
        expect(again?.digest).toBe(sha256(readDrawn(after!).table));
        if (before) expect(after!.equals(before)).toBe(true);
        const { entries } = await readLedger(release.store('private'), POPULATION);
        expect(entries.map((entry) => entry.kind)).toEqual(['policy', 'reserve']);
        const records: string[] = [];
        for await (const { key } of release.store('private').list('draws/')) records.push(key);
        expect(records).toHaveLength(1);
        if (whole) break;
        stops += 1;
      } finally {
        await release.close();
      }
    }
    // Entries and their copies, the inventory, cells, record, table, its copy and its receipt.
    expect(stops).toBeGreaterThan(7);
  },
  600_000,
);
