import { expect, test } from 'vitest';
import type { Publication } from '../../../services/publication/publication.ts';
import { type Objects, publishedDay } from '../../../test/support/day-release.ts';
import {
  ABOARD,
  drawSmall,
  HEADER_ABOARD,
  HEADER_DOORS,
  type SmallChange,
  STOPS_PRIVACY,
} from '../small-occupancy.fixture.ts';
import { occupancyDifferences } from './differences.ts';

/** The files of a release of these, drawn from this seed. */
const published = async (objects: Objects, change: SmallChange, seed: number): Promise<Publication> =>
  publishedDay(await drawSmall(objects, change, seed));

const STOPS: SmallChange = { columns: ABOARD, privacy: STOPS_PRIVACY };
const TREE: SmallChange = {};

/** The bus n2 has this number of passengers from its first stop on; all else stays the same. */
const doors = (boarded: number): Objects => ({
  'north.csv': `${HEADER_DOORS}\nn1,A,08:00,mini,3,0\nn2,A,09:00,bus,${boarded},0\n`,
  'south.csv': `${HEADER_DOORS}\ns1,X,08:00,bus,20,0\n`,
});
const aboard = (passengers: number): Objects => ({
  'north.csv': `${HEADER_ABOARD}\nn1,A,08:00,mini,3\nn2,A,09:00,bus,${passengers}\nn2,B,09:10,bus,${passengers}\n`,
  'south.csv': `${HEADER_ABOARD}\ns1,X,08:00,bus,20\n`,
});

test.each([
  ['tree', TREE, doors],
  ['each stop', STOPS, aboard],
] as const)(
  'two draws of the same events differ in nothing, and a bus that was emptied is named: %s',
  async (_, change, events) => {
    const earlier = await published(events(40), change, 1);
    const again = occupancyDifferences(earlier, await published(events(40), change, 2), 0.05);
    expect(again).toMatchObject([{ table: 'statuses', unit: 'passengers', compared: 7, changed: [] }]);
    const [table] = occupancyDifferences(earlier, await published(events(0), change, 3), 0.05);
    expect(table!.changed).toEqual([
      { key: 'north 2026-03-02 n2 1 A 09:00', earlier: 'FULL', later: 'EMPTY' },
      { key: 'north 2026-03-02 n2 2 B 09:10', earlier: 'FULL', later: 'EMPTY' },
    ]);
  },
);

test('a part without data in one of the two is not compared', async () => {
  const { 'north.csv': north } = doors(40);
  const tables = occupancyDifferences(
    await published(doors(40), TREE, 1),
    await published({ 'north.csv': north! }, TREE, 2),
    0.05,
  );
  expect(tables).toMatchObject([{ compared: 5, changed: [] }]);
});

test('other noise is refused: statuses of the two say nothing of each other', async () => {
  const other = { privacy: 'mechanism: tree, neighbours: replace-one, epsilon: 3, delta: 0' };
  const [one, two] = [await published(doors(40), TREE, 1), await published(doors(40), other, 1)];
  expect(() => occupancyDifferences(one, two, 0.05)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
