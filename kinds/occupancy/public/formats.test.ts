import fc from 'fast-check';
import bindings from 'gtfs-realtime-bindings';
import { expect, test } from 'vitest';
import { sameRows } from '../../../services/publication/parquet-columns.ts';
import { formatTable } from '../../../services/publication/table-csv.ts';
import { writeForms } from '../../../services/publication/table-parquet.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { PUBLISHED_STATUSES, type StatusRow } from '../status.ts';
import { byDeparture, parseStatuses, STATUSES, statusColumns } from '../status-table.ts';
import { formatFeed, parseFeed } from './gtfs-realtime.ts';

const scratch = newFolder();
const csvOf = (rows: readonly StatusRow[]): Buffer => formatTable(STATUSES, statusColumns(rows));
const formatStatuses = (rows: readonly StatusRow[]): string => csvOf(rows).toString();
const formatParquet = async (rows: readonly StatusRow[]): Promise<Buffer> =>
  (await writeForms(scratch, STATUSES, statusColumns(rows)))[1]![1];

const name = fc.stringMatching(/^[A-Za-z0-9 ,"'äß駅_-]{1,12}$/).map((text) => text.trim() || 'x');
const row: fc.Arbitrary<StatusRow> = fc.record({
  part: fc.constantFrom('north', 'south'),
  day: fc.constantFrom('2026-03-02', '2026-03-03'),
  run: name,
  sequence: fc.integer({ min: 0, max: 999_999 }),
  stop: name,
  departure: fc.constantFrom('08:00', '25:10:30'),
  vehicle: fc.constantFrom('mini', 'bus'),
  status: fc.constantFrom(...PUBLISHED_STATUSES),
});
const [STATUS] = fc.sample(row, { numRuns: 1, seed: 3 }) as [StatusRow];
const rows = fc.uniqueArray(row, { selector: ({ day, run, sequence }) => `${day} ${run} ${sequence}`, maxLength: 20 });

test('CSV and the feed give back what was written, whatever names hold', () => {
  fc.assert(
    fc.property(rows, (some) => {
      const ordered = some.toSorted(byDeparture);
      expect(parseStatuses(formatStatuses(ordered))).toEqual(ordered);
      const grouped = [...Map.groupBy(ordered, ({ day, run }) => `${day}/${run}`).values()].flat();
      const told = grouped.map(({ day, run, sequence, stop, status }) => ({ day, run, sequence, stop, status }));
      expect(parseFeed(formatFeed(ordered, 1_772_400_000))).toEqual(told);
    }),
  );
});

test('Parquet gives back what was written, and equal rows give equal bytes', async () => {
  for (const some of fc.sample(rows, { numRuns: 4, seed: 19 })) {
    const ordered = some.toSorted(byDeparture);
    const bytes = await formatParquet(ordered);
    const same = (others: StatusRow[]) => sameRows(STATUSES, csvOf(others), bytes);
    expect(same(ordered)).toBe(ordered.length);
    if (ordered[0]) expect(same([{ ...ordered[0], sequence: 1_000_000 }, ...ordered.slice(1)])).toBeNull();
    expect(same([...ordered, ...ordered, STATUS])).toBeNull();
    if (ordered.length > 1) expect(() => same([])).toThrow('more rows');
    expect((await formatParquet(ordered)).equals(bytes)).toBe(true);
  }
});

test('a feed says what the specification asks for, and predicts nothing', () => {
  const feed = bindings.transit_realtime.FeedMessage.decode(formatFeed([{ ...STATUS, status: 'FULL' }], 1_772_400_000));
  expect(bindings.transit_realtime.FeedMessage.verify(feed)).toBeNull();
  expect(bindings.transit_realtime.FeedMessage.toObject(feed, { longs: Number, enums: String })).toEqual({
    header: { gtfsRealtimeVersion: '2.0', incrementality: 'FULL_DATASET', timestamp: 1_772_400_000 },
    entity: [
      {
        id: `${STATUS.day}/${STATUS.run}`,
        tripUpdate: {
          trip: { tripId: STATUS.run, startDate: STATUS.day.replaceAll('-', ''), scheduleRelationship: 'SCHEDULED' },
          stopTimeUpdate: [
            {
              stopSequence: STATUS.sequence,
              stopId: STATUS.stop,
              scheduleRelationship: 'NO_DATA',
              departureOccupancyStatus: 'FULL',
            },
          ],
        },
      },
    ],
  });
});

test('what is no such file is refused', () => {
  expect(() => parseStatuses('part,date\r\n')).toThrow(SyntaxError);
  expect(() => parseStatuses(`${formatStatuses([])}a,b\r\n`)).toThrow();
  const { FeedMessage, VehiclePosition } = bindings.transit_realtime;
  const strange = FeedMessage.encode({
    header: { gtfsRealtimeVersion: '2.0' },
    entity: [
      {
        id: 'x',
        tripUpdate: {
          trip: {},
          stopTimeUpdate: [{ departureOccupancyStatus: VehiclePosition.OccupancyStatus.NOT_BOARDABLE }],
        },
      },
    ],
  }).finish();
  expect(() => parseFeed(strange)).toThrow(SyntaxError);
});
