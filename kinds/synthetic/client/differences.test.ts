import { expect, test } from 'vitest';
import type { Publication } from '../../../services/publication/publication.ts';
import { type Objects, publishedDay } from '../../../test/support/day-release.ts';
import { ADDED, drawSmall, HEADER, type SmallChange, TRIPS } from '../small-synthetic.fixture.ts';
import { syntheticDifferences } from './differences.ts';

/** The files of a release of these, drawn from this seed. */
const published = async (objects: Objects, change: SmallChange, seed: number): Promise<Publication> =>
  publishedDay(await drawSmall(objects, change, seed));

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
