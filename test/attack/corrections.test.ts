import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { carry } from '../../activities/public/carry.ts';
import { derive } from '../../activities/public/derive.ts';
import { type Partition, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Correction, Draw } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import type { ReleaseBench } from '../support/release-bench.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { ordered } from '../support/test-custody.ts';

/** Whoever may start a correction starts one that was not ordered: of another version, or for another reason (C13). */
const [LATE, OTHER]: [Partition, Partition] = [
  { part: 'bus', day: '2026-03-02' },
  { part: 'ferry', day: '2026-03-04' },
];
const refused = { code: 'VERIFICATION_FAILED' };
const missing = { code: 'ORDER_MISSING' };

let release: ReleaseBench;
let contexts: ReturnType<ReleaseBench['contexts']>;
const worker = () => createPrivateActivities(contexts.private);
const carriedFor = ({ part, day }: Partition) =>
  release.partitions.filter((one) => one.part !== part || one.day !== day);

beforeEach(async () => {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
  contexts = release.contexts();
});

/** A correction of one partition, ordered and drawn; what derive is asked with. */
async function corrected(version: number, correction: Correction & { partitions: [Partition] }) {
  const run = release.run(version);
  const [partition] = correction.partitions;
  await ordered(contexts.public.releaseStore, run, correction);
  const carried = await carry(contexts.public, { ...run, correction, partitions: carriedFor(partition) });
  const { charge } = await worker().reserve({ ...run, correction, partitions: [partition] });
  await worker().ingest({ ...run, round: 0 });
  await worker().bin({ ...run, round: 0, partitions: [partition] });
  const drawn = await worker().privatize({ ...run, round: 0, partitions: [partition], charge });
  return { ...run, correction, charge, draws: [...carried, ...drawn] as Draw[], holes: [] };
}
const late = (of: number): Correction & { partitions: [Partition] } => ({
  of,
  partitions: [LATE],
  reason: 'object-late',
});

describe('C13 C16: a correction is the one that was ordered', () => {
  test('another version, another reason, or none is not charged; what is ordered stands in the ledger', async () => {
    await release.through('privatize', contexts.private);
    const run = release.run(3);
    await ordered(contexts.public.releaseStore, run, late(2));
    const reserve = (correction: Pick<Correction, 'of' | 'reason'> | null) =>
      worker().reserve({ ...run, partitions: [LATE], correction });
    await expect(reserve({ ...late(1) })).rejects.toMatchObject(missing);
    await expect(reserve({ of: 2, reason: 'input-in-doubt' })).rejects.toMatchObject(missing);
    await expect(reserve(null)).rejects.toMatchObject(missing);
    const { charge } = await reserve({ of: 2, reason: 'object-late' });
    const { entries } = await readLedger(release.store('release'), 'small-riders');
    expect(entries.at(-1)).toMatchObject({ kind: 'reserve', charge, correction: late(2) });
  });

  test('derive takes no other version or reason than the ledger names, and no other partitions', async () => {
    await release.through('privatize', contexts.private);
    const input = await corrected(2, late(1));
    for (const change of [{ reason: 'input-in-doubt' as const }, { of: 2 }, { partitions: [LATE, OTHER] }])
      await expect(
        derive(contexts.public, { ...input, correction: { ...input.correction, ...change } }),
      ).rejects.toMatchObject(refused);
    await expect(derive(contexts.public, { ...input, correction: null })).rejects.toMatchObject(refused);
    await derive(contexts.public, input);
  });

  test('only what the corrected version shows is carried over: drawn by it, or carried by it itself', async () => {
    await release.through('privatize', contexts.private);
    await corrected(2, late(1));
    const correction: Correction & { partitions: [Partition] } = { of: 2, partitions: [OTHER], reason: 'object-late' };
    const input = await corrected(3, correction);
    // Broken twin: as it is, it is taken, and what version 2 carried over is that of version 1.
    await derive(contexts.public, input);
    // The partition that version 2 drew again, as version 1 had it, with its receipt.
    for (const key of [RELEASE_KEYS.privatized, RELEASE_KEYS.receipt]) {
      const path = join(release.folder('release'), key(release.run(3), LATE));
      await rm(path);
      await writeFile(path, await readBytes(release.store('release'), key(release.run(1), LATE)));
    }
    await expect(derive(contexts.public, input)).rejects.toMatchObject(refused);
  });
});
