import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Publication } from '../../activities/publication/publication.ts';
import { readSeries } from '../../activities/stores/series-objects.ts';
import { publicContextBelow } from '../../test/support/folder-contexts.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { syntheticDifferences } from './differences.ts';
import { deriveSynthesis } from './public/derive.ts';
import { syntheticSeries } from './series.ts';
import { ADDED, binned, drawn, HEADER, type Objects, type SmallChange, TRIPS } from './small-synthetic.fixture.ts';

const folder = newFolder();

/** The files of a release of these trips, drawn from this seed. */
async function published(objects: Objects, change: SmallChange, seed: number): Promise<Publication> {
  const root = join(folder, randomUUID());
  const run = await binned(root, objects, change, { random: seededSource(seed) });
  const input = await drawn(run);
  const context = publicContextBelow(root);
  const series = syntheticSeries(await readSeries(context.releaseStore, input));
  return new Publication({ files: new Map(await deriveSynthesis(context, input, series)), others: [] });
}

/** All trips of the bus are of another fare, at another time and place. */
const OTHER: Objects = {
  ...TRIPS,
  'bus.csv': [HEADER, ...Array.from({ length: 300 }, (_, n) => `c${n},2026-03-02 20:00:00,B1,senior`), ''].join('\n'),
};

/** So few queries that every draw measures them. */
const FARES: SmallChange = { workload: '[{ cells: [fare] }]' };

test('two draws of the same trips differ in nothing, and answers that others moved are named', async () => {
  const earlier = await published(TRIPS, FARES, 1);
  const again = syntheticDifferences(earlier, await published(TRIPS, FARES, 2), 0.05);
  expect(again).toMatchObject([{ table: 'answers', unit: 'rows', changed: [] }]);
  expect(again[0]!.compared).toBeGreaterThan(0);
  const [table] = syntheticDifferences(earlier, await published(OTHER, FARES, 3), 0.05);
  expect(table!.changed.map(({ key }) => key)).toEqual(['bus 2026-03-02 fare=UNKNOWN', 'bus 2026-03-02 fare=adult']);
});

test('numbers of rows are compared where they were measured', async () => {
  const earlier = await published(TRIPS, { privacy: ADDED }, 1);
  const none = syntheticDifferences(earlier, await published(TRIPS, { privacy: ADDED }, 2), 0.05);
  expect(none.map(({ table, compared, changed }) => [table, compared, changed.length])).toEqual([
    ['numbers of rows', 2, 0],
    ['answers', expect.any(Number), 0],
  ]);
  const fewer = { ...TRIPS, 'ferry.csv': `${HEADER}\n` };
  const [rows] = syntheticDifferences(earlier, await published(fewer, { privacy: ADDED }, 2), 0.05);
  expect(rows!.changed.map(({ key }) => key)).toEqual(['ferry 2026-03-02 all']);
});

test('other noise is refused: answers of the two say nothing of each other', async () => {
  const [one, two] = [await published(TRIPS, {}, 1), await published(TRIPS, { rounds: 5 }, 1)];
  expect(() => syntheticDifferences(one, two, 0.05)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
