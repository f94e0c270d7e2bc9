import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { publishRelease } from '../test/support/publish-release.ts';
import type { TableRows } from '../test/support/table-of-rows.ts';
import { anotherRelease, type TestRelease, testRelease, testTables } from '../test/support/test-release.ts';
import { publishedSeries } from '../test/validators/published-series.fixture.ts';
import { diffPublications } from './diff-publications.ts';

let release: TestRelease;
const folder = (path: string) => join(release.folder, 'publication', 'demo', path);

beforeAll(async () => {
  release = await testRelease();
  await publishRelease(release);
  await publishRelease(await anotherRelease(release, { version: 2 }, changedTables()));
  await publishRelease(await anotherRelease(release, { window: '2026-03-09' }));
});

/** A cell of 91 that became 191, one of 1000 that is gone, and one of 12 that noise moved to 13. */
function changedTables(): TableRows[] {
  const count: Record<number, number> = { 91: 191, 12: 13 };
  return testTables().map((table) => ({
    ...table,
    cells: table.cells
      .filter(([, , , n]) => n !== 1000)
      .map(([tap, time, place, n]) => [tap, time, place, table.part === 'bus' ? (count[n] ?? n) : n]),
  }));
}

test('rows that changed by more than noise are named, with the error rate, and others are not', async () => {
  const found = await diffPublications(folder('2026-03-02/v1'), folder('2026-03-02/v2'));
  expect(found).toMatchObject({ earlier: 'demo/2026-03-02/v1', later: 'demo/2026-03-02/v2', errorRate: 0.05 });
  expect(found.tables.map(({ table, compared }) => [table, compared])).toEqual([['cells', 8]]);
  expect(found.tables[0]!.changed).toEqual([
    { key: 'bus 2026-03-02 on 07:15 Manly', earlier: 91, later: 191 },
    { key: 'bus 2026-03-03 on 23:45 Manly', earlier: 1000, later: null },
  ]);
});

test('a publication differs in nothing from itself', async () => {
  const { tables } = await diffPublications(folder('2026-03-02/v1'), folder('2026-03-02/v1'));
  expect(tables.flatMap(({ changed }) => changed)).toEqual([]);
});

test('other days are refused: there is nothing to compare', async () => {
  await expect(diffPublications(folder('2026-03-02/v1'), folder('2026-03-09/v1'))).rejects.toMatchObject({
    code: 'USAGE',
  });
});

test('two draws of the same counts differ in nothing, in cells, margins and whole tables', async () => {
  const series = await publishedSeries();
  const versions = ['v1', 'v2'].map((version) => join(series.folder, '2026-03-02', version));
  const { tables } = await diffPublications(versions[0]!, versions[1]!);
  expect(tables.map(({ table, changed }) => [table, changed])).toEqual([
    ['cells', []],
    ['time margins', []],
    ['totals of modes, by time margins', []],
    ['location margins', []],
    ['totals of modes, by location margins', []],
  ]);
});
