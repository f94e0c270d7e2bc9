import { beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../../activities/public/derive.ts';
import { FILES, releasePath } from '../../../contracts/names.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { formatTable } from '../../../services/publication/table-csv.ts';
import { readBytes } from '../../../services/stores/json-objects.ts';
import {
  auditedDay,
  type DayFiles,
  type DrawnDay,
  drawnDay,
  failedChecks,
  type Objects,
  redrawn,
  stagedDay,
} from '../../../test/support/day-release.ts';
import { largestDelta, weightProbabilities } from '../mechanism/exact-delta.ts';
import type { OccupancyTable } from '../occupancy-table.ts';
import { mechanismsOf } from '../run-mechanisms.ts';
import { occupancySeries } from '../series.ts';
import {
  ABOARD,
  binSmall,
  drawSmall,
  HEADER_ABOARD,
  HEADER_DOORS,
  type SmallChange,
  STOPS_PRIVACY,
} from '../small-occupancy.fixture.ts';
import type { StatusRow } from '../status.ts';
import { parseStatuses, STATUSES, statusColumns } from '../status-table.ts';
import { formatFeed } from './gtfs-realtime.ts';

const STOPS: SmallChange = { columns: ABOARD, privacy: STOPS_PRIVACY };
const DOOR_EVENTS: Objects = {
  'north.csv': `${HEADER_DOORS}\nn1,A,08:00,mini,3,0\nn2,A,09:00,bus,25,0\nn2,B,09:10,bus,1,9\n`,
  'south.csv': `${HEADER_DOORS}\ns1,X,08:00,bus,35,0\n`,
};
const ABOARD_EVENTS: Objects = {
  'north.csv': `${HEADER_ABOARD}\nn1,A,08:00,mini,3\nn2,A,09:00,bus,25\nn2,B,09:10,bus,17\n`,
  'south.csv': `${HEADER_ABOARD}\ns1,X,08:00,bus,35\n`,
};

type Plant = (files: DayFiles) => unknown;

describe('the audit of occupancy', () => {
  test.each([
    ['tree', DOOR_EVENTS, {}],
    ['each-stop', ABOARD_EVENTS, STOPS],
  ] as const)('C15: an honest release by %s passes every check', async (_, objects, change) => {
    const staged = await drawSmall(objects, change);
    const { report, text } = await stagedDay(staged);
    expect(report).toMatchObject({ verdict: 'pass', release: releasePath(staged.input) });
    expect(report.checks.map(({ id }) => id)).toEqual([
      'certificate',
      'one-draw',
      'departures',
      'formats',
      'non-interference',
      'sampler',
      'holes',
    ]);
    const statement = await text(FILES.statement);
    expect(statement).toContain('one passenger on one run');
    expect(statement).toContain('Losses add up');
  });

  const rowsOf = (files: ReadonlyMap<string, Buffer>): StatusRow[] =>
    parseStatuses(files.get('statuses.csv')!.toString('utf8'));
  const flipped = (rows: readonly StatusRow[]): StatusRow[] =>
    rows.map((row, place) => (place === 0 ? { ...row, status: row.status === 'EMPTY' ? 'FULL' : 'EMPTY' } : row));
  const csv = (rows: readonly StatusRow[]): [string, Buffer] => [
    'statuses.csv',
    formatTable(STATUSES, statusColumns(rows)),
  ];

  describe('of planted bugs', () => {
    let honest: DrawnDay;
    beforeAll(async () => {
      honest = await drawSmall(DOOR_EVENTS);
    });

    test.each<[name: string, plant: Plant, checks: string[]]>([
      [
        'a status is drawn again for the CSV file',
        (files) => files.set(...csv(flipped(rowsOf(files)))),
        ['one-draw', 'formats'],
      ],
      [
        'a status is drawn again for the feed',
        (files) => files.set('trip-updates.pb', formatFeed(flipped(rowsOf(files)), 1)),
        ['formats'],
      ],
      [
        'a departure is left out',
        (files) => files.set(...csv(rowsOf(files).slice(1))),
        ['certificate', 'one-draw', 'departures', 'formats'],
      ],
      [
        'a departure is there twice',
        (files) => files.set(...csv([...rowsOf(files), rowsOf(files)[0]!])),
        ['certificate', 'one-draw', 'departures', 'formats'],
      ],
      [
        'no data in a part that has some',
        (files) => files.set(...csv(rowsOf(files).map((row) => ({ ...row, status: 'NO_DATA_AVAILABLE' as const })))),
        ['one-draw', 'departures', 'formats'],
      ],
      [
        'the order tells',
        (files) => files.set(...csv(rowsOf(files).toReversed())),
        ['one-draw', 'departures', 'formats'],
      ],
      [
        'a certificate of less',
        (files) =>
          files.set(
            'certificate.json',
            Buffer.from(files.get('certificate.json')!.toString('utf8').replace('"epsilon":"2"', '"epsilon":"1"')),
          ),
        ['certificate', 'one-draw'],
      ],
      [
        'a file is missing',
        (files) => files.delete('statuses.parquet'),
        ['certificate', 'one-draw', 'departures', 'formats'],
      ],
    ])('mutant: %s', async (_, plant, checks) => {
      const report = await auditedDay(honest, plant);
      expect(failedChecks(report)).toEqual(checks);
      expect(report.verdict).toBe('fail');
    });
  });

  test('mutant: a profile with 1 % more δ is refused before anything is published', async () => {
    const staged = await redrawn(await drawSmall(ABOARD_EVENTS, STOPS), (table: OccupancyTable) => ({
      ...table,
      mechanisms: table.mechanisms.map((one) =>
        one.kind === 'each-stop' ? { ...one, weights: withMoreDelta(one) } : one,
      ),
    }));
    await expect(auditedDay(staged)).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });

  test('mutant: neighbours forgotten, a tree with half the noise is refused', async () => {
    const staged = await redrawn(await drawSmall(DOOR_EVENTS), (table: OccupancyTable) => ({
      ...table,
      mechanisms: table.mechanisms.map((one) => (one.kind === 'tree' ? { ...one, scale: '1' } : one)),
    }));
    await expect(auditedDay(staged)).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });

  test('mutant: door counts drawn with the δ of passengers aboard are refused', async () => {
    const day = await drawSmall(DOOR_EVENTS, {
      privacy: 'mechanism: each-stop, neighbours: replace-one, epsilon: 6, delta: 1e-4',
    });
    expect((await auditedDay(day)).verdict).toBe('pass');
    const series = occupancySeries(day.release.loaded.series);
    const aboard = { ...series, source: { ...series.source, columns: { ...series.source.columns, passengers: 'on' } } };
    const mechanisms = await mechanismsOf(aboard);
    const staged = await redrawn(day, (table: OccupancyTable) => ({
      ...table,
      mechanisms: table.mechanisms.map(
        (drawnWith) =>
          mechanisms.find((one) => one.vehicle === drawnWith.vehicle && one.departures === drawnWith.departures)!,
      ),
    }));
    await expect(auditedDay(staged)).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });

  test('C11: a table that is not the drawn one, or of other departures, is refused', async () => {
    const staged = await drawSmall(DOOR_EVENTS);
    const context = staged.release.contexts().public;
    const fewer = await redrawn(staged, (table: OccupancyTable) => ({ ...table, runs: table.runs.slice(1) }));
    await expect(derive(context, fewer.input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    await expect(derive(context, staged.input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  });

  test('a missing object: its departures have no data, and approvers have to acknowledge it', async () => {
    const { 'south.csv': _, ...objects } = DOOR_EVENTS;
    let rows: StatusRow[] = [];
    const report = await auditedDay(await drawSmall(objects), (files) => {
      rows = rowsOf(files);
    });
    expect(report.verdict).toBe('attention');
    expect(report.checks.at(-1)).toMatchObject({ id: 'holes', verdict: 'attention', statistic: 1 });
    expect(rows).toHaveLength(7);
    expect(rows.filter(({ status }) => status === 'NO_DATA_AVAILABLE').map(({ part }) => part)).toEqual([
      'south',
      'south',
    ]);
  });
});

/** Moves weight in the worst row of a profile, so that its exact δ is 1 % above what it may be. */
function withMoreDelta({
  weights,
  epsilon,
  delta,
}: Extract<OccupancyTable['mechanisms'][number], { kind: 'each-stop' }>): string[][] {
  const table = weights.map((one) => one.map(BigInt));
  const { row, neighbour } = largestDelta(weightProbabilities(table, 40), parseRational(epsilon));
  const growth = Math.exp(toNumber(parseRational(epsilon)));
  const excess = table[row]!.map((weight, place) => Number(weight) - growth * Number(table[neighbour]![place]!));
  const [most, least] = [Math.max(...excess), Math.min(...excess)].map((value) => excess.indexOf(value));
  const now = excess.reduce((sum, value) => sum + Math.max(0, value), 0);
  const more = BigInt(Math.ceil(1.01 * toNumber(parseRational(delta)) * 2 ** 40 - now));
  expect(more).toBeGreaterThan(0n);
  const changed = table[row]!.map((weight, place) =>
    place === most ? weight + more : place === least ? weight - more : weight,
  );
  return table.with(row, changed).map((one) => one.map(String));
}

describe('C20: non-interference', () => {
  const WITHOUT_DELTA = {
    columns: ABOARD,
    privacy: 'mechanism: each-stop, neighbours: add-remove, epsilon: 6, delta: 0',
  };
  /** Every file of the public side, by name. */
  async function publicSide(objects: Objects, word = 0): Promise<Map<string, string>> {
    // Words of 0 draw the first status that has a chance, whatever the count: the ride more has the noise that hides it.
    const silent = {
      kind: 'seeded',
      uint32: () => word,
      fill: (target: Uint16Array) => void target.fill(word >>> 16),
    } as const;
    const run = await binSmall(objects, WITHOUT_DELTA, {
      random: silent,
      newId: () => '00000000-0000-4000-8000-000000000000',
    });
    const { release, input } = await drawnDay(run);
    const context = release.contexts().public;
    await derive(context, input);
    const files = new Map<string, string>();
    for await (const { key } of context.releaseStore.list(''))
      if (!key.startsWith('series/')) files.set(key, (await readBytes(context.releaseStore, key)).toString('base64'));
    return files;
  }

  const world = (passengers: string): Objects => ({
    ...ABOARD_EVENTS,
    'north.csv': `${HEADER_ABOARD}\nn1,A,08:00,mini,${passengers}\nn1,B,08:10:30,mini,1\n`,
  });

  test('a ride more, a row turned malformed, and a second delivery give the same bytes on the public side', async () => {
    const before = await publicSide(world('1'));
    const [more, malformed, twice] = ['2', `1 or ${'9'.repeat(70_000)}`, '1\nn1,A,08:00,mini,1'].map(world);
    for (const objects of [more!, malformed!, twice!]) expect(await publicSide(objects)).toEqual(before);
    expect(before.size).toBeGreaterThan(7);
    // Broken twin: a draw that differs shows.
    expect(await publicSide(world('1'), 0xffffffff)).not.toEqual(before);
  });
});
