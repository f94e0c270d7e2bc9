import { describe, expect, test } from 'vitest';
import { audit } from '../../../../activities/public/audit.ts';
import { carry } from '../../../../activities/public/carry.ts';
import { derive } from '../../../../activities/public/derive.ts';
import { partitionPath, RELEASE_KEYS } from '../../../../contracts/names.ts';
import type { AuditInput } from '../../../../contracts/stages.ts';
import { sha256 } from '../../../../services/stores/json-objects.ts';
import { type TestRelease, testRelease, testSeries } from '../../../../test/support/test-release.ts';
import { readKnowledge } from './knowledge.ts';

let release: TestRelease;

const LATE = { part: 'bus', day: '2026-03-03' };

/** A second version that redraws one partition, or all (the tables are the same, as if the same noise came twice). */
async function secondVersion(correction: AuditInput['correction']): Promise<AuditInput> {
  const { context, run, input } = release;
  const next = { ...run, version: 2 };
  const partitions = input.draws.map(({ partition }) => partition);
  const draws = await carry(context, {
    ...next,
    correction: { of: 1, partitions: [], reason: 'input-in-doubt' },
    partitions,
  });
  return { ...input, ...next, draws, correction };
}

async function first(series = testSeries()): Promise<void> {
  release = await testRelease(series);
  await derive(release.context, release.input);
  await audit(release.context, release.input);
}

describe('what the audit knows of a release', () => {
  test('nothing of a series that declares nothing, and of a first version', async () => {
    release = await testRelease();
    const knowledge = await readKnowledge(release.context, release.input, release.series);
    expect(knowledge).toMatchObject({ services: [], timetable: [], earlier: [], ledger: { chances: 2 } });
    expect(knowledge.solve).toBeNull();
  });

  test('the solver of linear programs, where there are two kinds of noisy totals to solve', async () => {
    const split = { cells: '7', time: '1/2', location: '1/2' };
    release = await testRelease(testSeries({ privacy: { ...testSeries().privacy, split } }));
    const { solve } = await readKnowledge(release.context, release.input, release.series);
    expect(solve!('Minimize\n obj: x\nSubject To\n c: x >= 3\nEnd')).toMatchObject({ ObjectiveValue: 3 });
  });

  test('services and the timetable that the series declares, and the charges of the ledger', async () => {
    const timetable = Buffer.from('mode,location,tap,time,services,stops\nferry,Manly,on,07:15,1,1\n', 'utf8');
    const equalTruth = [{ mode: 'ferry', from: 'Manly', to: 'UNKNOWN', minutes: 15 }];
    release = await testRelease(testSeries({ audit: { equalTruth, timetable: sha256(timetable) } }));
    const { context, input, series } = release;
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(sha256(timetable)), timetable);
    const knowledge = await readKnowledge(context, input, series);
    expect(knowledge.services).toEqual(equalTruth);
    expect(knowledge.timetable).toHaveLength(1);
    expect(knowledge.ledger).toMatchObject({ chances: 2, deltaCap: 2e-6 });
    expect(knowledge.ledger!.charges.get('bus/2026-03-03')).toBe(1);
    await derive(context, input);
    // One lone ferry feeds a published cell.
    expect(await audit(context, input)).toMatchObject({ verdict: 'attention', attention: ['timetable-extremes'] });
  });

  test('C13: earlier versions, with the partitions that a correction declares as carried over', async () => {
    await first();
    const corrected = await secondVersion({ of: 1, partitions: [LATE], reason: 'object-late' });
    const { earlier } = await readKnowledge(release.context, corrected, release.series);
    expect(earlier.map(({ version }) => version)).toEqual([1]);
    expect(earlier[0]!.cells.count.length).toBeGreaterThan(0);
    const carried = ['bus/2026-03-02', 'ferry/2026-03-02', 'ferry/2026-03-03'];
    expect([...earlier[0]!.sameDraw].sort()).toEqual(carried);
    expect(carried.filter((partition) => earlier[0]!.otherTables.has(partition))).toEqual([]);
    // Broken twin: the digest shows that a table differs from that of the version before.
    const [one, ...others] = corrected.draws;
    const swapped = { ...corrected, draws: [{ ...one!, digest: sha256('another') }, ...others] };
    const knowledge = await readKnowledge(release.context, swapped, release.series);
    expect([...knowledge.earlier[0]!.otherTables]).toContain(partitionPath(one!.partition));
  });

  test('C11: an earlier version that nobody declares is no draw in common, and a second draw without a charge is not taken', async () => {
    await first();
    const anew = await secondVersion(null);
    const { context } = release;
    const { earlier } = await readKnowledge(context, anew, release.series);
    expect([...earlier[0]!.sameDraw]).toEqual([]);
    for (const stage of [derive, audit])
      await expect(stage(context, anew)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  });

  test('versions under another noise, or without a manifest, are left out', async () => {
    await first();
    const second = await secondVersion(null);
    const other = testSeries({ privacy: { ...release.series.privacy, epsilon: '4', split: { cells: '4' } } });
    expect((await readKnowledge(release.context, second, other)).earlier).toEqual([]);
    expect((await readKnowledge(release.context, { ...second, version: 3 }, release.series)).earlier).toHaveLength(1);
  });
});
