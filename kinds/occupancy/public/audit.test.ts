import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shadow } from '../../../activities/private/shadow.ts';
import { audit } from '../../../activities/public/audit.ts';
import { derive } from '../../../activities/public/derive.ts';
import { jsonBytes, readBytes, sha256 } from '../../../activities/stores/json-objects.ts';
import { readSeries } from '../../../activities/stores/series-objects.ts';
import type { AuditReport } from '../../../contracts/audit.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { largestDelta, weightProbabilities } from '../../../core/occupancy/exact-delta.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { publicContextBelow } from '../../../test/support/folder-contexts.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import type { Binned } from '../../../test/support/release-bench.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import type { OccupancyTable } from '../occupancy-table.ts';
import { occupancySeries } from '../series.ts';
import {
  ABOARD,
  binned,
  drawn,
  HEADER_ABOARD,
  HEADER_DOORS,
  type Objects,
  PARTITIONS,
  type SmallChange,
  STOPS_PRIVACY,
} from '../small-occupancy.fixture.ts';
import type { StatusRow } from '../status.ts';
import { formatStatuses, parseStatuses } from '../status-csv.ts';
import { auditOccupancy } from './audit.ts';
import { deriveOccupancy } from './derive.ts';
import { formatFeed } from './gtfs-realtime.ts';

const folder = newFolder();
let root: string;
beforeEach(() => {
  root = join(folder, randomUUID());
});

const STOPS: SmallChange = { columns: ABOARD, privacy: STOPS_PRIVACY };
const DOOR_EVENTS: Objects = {
  'north.csv': `${HEADER_DOORS}\nn1,A,08:00,mini,3,0\nn2,A,09:00,bus,25,0\nn2,B,09:10,bus,1,9\n`,
  'south.csv': `${HEADER_DOORS}\ns1,X,08:00,bus,35,0\n`,
};
const ABOARD_EVENTS: Objects = {
  'north.csv': `${HEADER_ABOARD}\nn1,A,08:00,mini,3\nn2,A,09:00,bus,25\nn2,B,09:10,bus,17\n`,
  'south.csv': `${HEADER_ABOARD}\ns1,X,08:00,bus,35\n`,
};

type Staged = { run: Binned; input: DeriveInput };
/** What a bug does to the files; what it gives is audited instead. */
type Plant = (staged: ReadonlyMap<string, Buffer>) => Iterable<[name: string, bytes: Buffer]>;

async function release(objects: Objects, change: SmallChange = {}, seed = 1): Promise<Staged> {
  const run = await binned(root, objects, change, { random: seededSource(seed) });
  return { run, input: await drawn(run) };
}

/** Derives the files of a release, plants a bug in them, and audits them. */
async function audited({ run, input }: Staged, plant: Plant = (files) => files): Promise<AuditReport> {
  const context = publicContextBelow(root);
  const series = occupancySeries(await readSeries(context.releaseStore, input));
  const files = new Map(await deriveOccupancy(context, input, series));
  return auditOccupancy(context, { ...input, shadow: await shadow(run.context, input) }, series, new Map(plant(files)));
}

const failing = ({ checks }: AuditReport): string[] =>
  checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

describe('the audit of occupancy', () => {
  test.each([
    ['tree', DOOR_EVENTS, {}],
    ['each-stop', ABOARD_EVENTS, STOPS],
  ] as const)('C15: an honest release by %s passes every check', async (_, objects, change) => {
    const staged = await release(objects, change);
    const context = publicContextBelow(root);
    await derive(context, staged.input);
    await audit(context, { ...staged.input, shadow: await shadow(staged.run.context, staged.input) });
    const stored = (name: string) => readBytes(context.releaseStore, RELEASE_KEYS.staged(staged.input, name));
    const report: AuditReport = JSON.parse((await stored(FILES.audit)).toString('utf8'));
    expect(report).toMatchObject({ verdict: 'pass', release: releasePath(staged.input) });
    expect(report.checks.map(({ id }) => id)).toEqual([
      'certificate',
      'one-draw',
      'departures',
      'formats',
      'metadata',
      'non-interference',
      'sampler',
      'holes',
    ]);
    const statement = (await stored(FILES.statement)).toString('utf8');
    expect(statement).toContain('one passenger on one run');
    expect(statement).toContain('Losses add up');
  });

  const rowsOf = (files: ReadonlyMap<string, Buffer>): StatusRow[] =>
    parseStatuses(files.get('statuses.csv')!.toString('utf8'));
  const flipped = (rows: readonly StatusRow[]): StatusRow[] =>
    rows.map((row, place) => (place === 0 ? { ...row, status: row.status === 'EMPTY' ? 'FULL' : 'EMPTY' } : row));
  const csv = (rows: readonly StatusRow[]): [string, Buffer] => ['statuses.csv', Buffer.from(formatStatuses(rows))];

  describe('of planted bugs', () => {
    let honest: Staged;
    const own = () => join(folder, 'honest');
    beforeAll(async () => {
      root = own();
      honest = await release(DOOR_EVENTS);
    });
    beforeEach(() => {
      root = own();
    });

    test.each<[name: string, plant: Plant, checks: string[]]>([
      [
        'a status is drawn again for the CSV file',
        (files) => [...files, csv(flipped(rowsOf(files)))],
        ['one-draw', 'formats', 'metadata'],
      ],
      [
        'a status is drawn again for the feed',
        (files) => [...files, ['trip-updates.pb', formatFeed(flipped(rowsOf(files)), 1)]],
        ['formats', 'metadata'],
      ],
      [
        'a departure is left out',
        (files) => [...files, csv(rowsOf(files).slice(1))],
        ['certificate', 'one-draw', 'departures', 'formats', 'metadata'],
      ],
      [
        'a departure is there twice',
        (files) => [...files, csv([...rowsOf(files), rowsOf(files)[0]!])],
        ['certificate', 'one-draw', 'departures', 'formats', 'metadata'],
      ],
      [
        'no data in a part that has some',
        (files) => [...files, csv(rowsOf(files).map((row) => ({ ...row, status: 'NO_DATA_AVAILABLE' as const })))],
        ['one-draw', 'departures', 'formats', 'metadata'],
      ],
      [
        'the order tells',
        (files) => [...files, csv(rowsOf(files).toReversed())],
        ['one-draw', 'departures', 'formats', 'metadata'],
      ],
      ['a file that nobody asked for', (files) => [...files, ['notes.txt', Buffer.from('n')]], ['metadata']],
      [
        'a clock in the feed',
        (files) => [...files, ['trip-updates.pb', formatFeed(rowsOf(files), 1_772_400_000)]],
        ['metadata'],
      ],
      [
        'a certificate of less',
        (files) => [
          ...files,
          [
            'certificate.json',
            Buffer.from(files.get('certificate.json')!.toString('utf8').replace('"epsilon":"2"', '"epsilon":"1"')),
          ],
        ],
        ['certificate', 'metadata'],
      ],
      [
        'a file is missing',
        (files) => [...files].filter(([name]) => name !== 'statuses.parquet'),
        ['certificate', 'one-draw', 'departures', 'formats', 'metadata'],
      ],
    ])('mutant: %s', async (_, plant, checks) => {
      const report = await audited(honest, plant);
      expect(failing(report)).toEqual(checks);
      expect(report.verdict).toBe('fail');
    });
  });

  /** Puts another table in the place of a drawn one, as a worker with a bug would have drawn it. */
  async function redrawn(staged: Staged, change: (table: OccupancyTable) => OccupancyTable): Promise<Staged> {
    const key = RELEASE_KEYS.privatized(staged.input, PARTITIONS[0]!);
    const path = join(root, 'release', key);
    const bytes = jsonBytes(change(JSON.parse(await readFile(path, 'utf8'))));
    await rm(path);
    await publicContextBelow(root).releaseStore.putIfAbsent(key, bytes);
    const draws = staged.input.draws.map((draw) =>
      draw.partition.part === 'north' ? { ...draw, digest: sha256(bytes) } : draw,
    );
    return { ...staged, input: { ...staged.input, draws } };
  }

  test('mutant: a profile with 1 % more δ is refused before anything is published', async () => {
    const staged = await redrawn(await release(ABOARD_EVENTS, STOPS), (table) => ({
      ...table,
      mechanisms: table.mechanisms.map((one) =>
        one.kind === 'each-stop' ? { ...one, weights: withMoreDelta(one) } : one,
      ),
    }));
    await expect(audited(staged)).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });

  test('mutant: neighbours forgotten, a tree with half the noise is refused', async () => {
    const staged = await redrawn(await release(DOOR_EVENTS), (table) => ({
      ...table,
      mechanisms: table.mechanisms.map((one) => (one.kind === 'tree' ? { ...one, scale: '1' } : one)),
    }));
    await expect(audited(staged)).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });

  test('C11: a table that is not the drawn one, or of other departures, is refused', async () => {
    const staged = await release(DOOR_EVENTS);
    const fewer = await redrawn(staged, (table) => ({ ...table, runs: table.runs.slice(1) }));
    await expect(derive(publicContextBelow(root), fewer.input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    await expect(derive(publicContextBelow(root), staged.input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  });

  test('a missing object: its departures have no data, and approvers have to acknowledge it', async () => {
    const { 'south.csv': _, ...objects } = DOOR_EVENTS;
    let rows: StatusRow[] = [];
    const report = await audited(await release(objects), (files) => {
      rows = rowsOf(files);
      return files;
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
  async function publicSide(objects: Objects, below: string, word = 0): Promise<Map<string, string>> {
    // Words of 0 draw the first status that has a chance, whatever the count: the ride more has the noise that hides it.
    const silent = {
      kind: 'seeded',
      uint32: () => word,
      fill: (target: Uint32Array) => void target.fill(word),
    } as const;
    const run = await binned(below, objects, WITHOUT_DELTA, {
      random: silent,
      newId: () => '00000000-0000-4000-8000-000000000000',
    });
    const input = await drawn(run);
    const context = publicContextBelow(below);
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
    const before = await publicSide(world('1'), join(root, 'before'));
    for (const [name, objects] of Object.entries({
      more: world('2'),
      malformed: world(`1 or ${'9'.repeat(70_000)}`),
      twice: world('1\nn1,A,08:00,mini,1'),
    }))
      expect(await publicSide(objects, join(root, name))).toEqual(before);
    expect(before.size).toBeGreaterThan(7);
    // Broken twin: a draw that differs shows.
    expect(await publicSide(world('1'), join(root, 'other'), 0xffffffff)).not.toEqual(before);
  });
});
