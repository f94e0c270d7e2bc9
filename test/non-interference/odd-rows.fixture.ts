import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import { type Partition, partitionPath } from '../../contracts/names.ts';
import { outOfRange, withoutUtf8 } from '../../kinds/taps/private/damaged-bytes.fixture.ts';
import { newFolder } from '../support/new-folder.ts';
import { loadSmallSeries, SMALL_DAYS, SMALL_MODES, smallTrips, withMargins } from '../support/small-series.ts';
import { type Observed, observe, tellsApart, withOneShadow } from './observation.ts';
import { hiding, type World } from './worlds.ts';

/**
 * C20 for odd rows, in every format: a world with one more trip in every object, and one in which an odd row replaces
 * that trip: each kind alone in an object of its own, and all that the format can hold in one object. The noise hides
 * the trip, and the public side sees no difference: no code, no hole, no byte.
 */
const PARTITIONS: Partition[] = SMALL_DAYS.flatMap((day) => SMALL_MODES.map((part) => ({ part, day })));
const TRIP_CELLS = ['on 08:00 2001', 'off 08:30 2000'];

type Row = [mode: string, onTime: string, onStop: string, offTime: string, offStop: string];
const NAMES = ['mode', 'on_time', 'on_stop', 'off_time', 'off_stop'];
const tripOf = ({ part, day }: Partition, stop = 'stop-2'): Row => [
  part,
  `${day} 08:05:00`,
  stop,
  `${day} 08:35:00`,
  'stop-1',
];
const LONG = 'x'.repeat(5000);

/** An odd row in the object of a partition: bytes of a line, or a query of one row and what becomes of its bytes. */
type Odd = { line: Buffer } | { query: string; spoil(bytes: Buffer): Buffer };
type Oddity = { name: string; odd(partition: Partition): Odd };

/** How a supplier writes objects: rows with odd ones beside them. */
type Format = {
  edit(yaml: string): string;
  suffix: string;
  oddities: readonly Oddity[];
  write(rows: readonly Row[], odd: readonly Odd[]): Promise<Buffer>;
};

const line = (name: string, bytes: (partition: Partition) => Buffer | string): Oddity => ({
  name,
  odd: (partition) => ({ line: Buffer.from(bytes(partition)) }),
});

/** Odd whatever the format; one alone is at the very beginning of the object where there is no header. */
const ODD_LINES = [
  line('bytes of gzip', () => Buffer.from([0x1f, 0x8b, 0x08, 0x00])),
  line('bytes of UTF-16', () => Buffer.from([0xff, 0xfe, 0x61, 0x00])),
  line('100,000 letters', () => 'x'.repeat(100_000)),
  line('a quote that is not closed', ({ part, day }) => `"${part},${day.slice(0, 4)}`),
  line('brackets in brackets', () => `{"on_time": ${'['.repeat(3000)}`),
  line('a zero byte', () => Buffer.from([0x62, 0x00, 0x2c])),
];

/** A row that was valid, and is not any more. */
const spoiltRows = (encoded: (row: Row) => string): Oddity[] => [
  line('a value over the limit', (partition) => encoded(tripOf(partition, LONG))),
  line('a valid row whose times turn into words', (partition) => {
    const [mode, , onStop, , offStop] = tripOf(partition);
    return encoded([mode, 'eight', onStop, 'half past', offStop]);
  }),
  line('a valid row whose mode is none', (partition) => encoded(['zeppelin', ...tripOf(partition).slice(1)] as Row)),
];

const plain = (suffix: string, format: string) => (yaml: string) =>
  withMargins(yaml)
    .replace('{mode}.csv.gz', `{mode}.${suffix}`)
    .replace('format: csv\n  compression: gzip', `format: ${format}`);

const bytesOf = (odd: Odd): Buffer => ('line' in odd ? odd.line : Buffer.alloc(0));
const lines = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.flatMap((part) => [Buffer.from(part), Buffer.from('\n')]));

const csvRow = (row: Row): string => row.join(',');
const csv =
  (header: boolean): Format['write'] =>
  async (rows, odd) =>
    lines([...(header ? [NAMES.join(',')] : []), ...odd.map(bytesOf), ...rows.map(csvRow)]);
const CSV_ODDITIES = [
  ...ODD_LINES,
  ...spoiltRows(csvRow),
  line('a quote behind a backslash', (partition) => csvRow(tripOf(partition, '\\"'))),
];

const SELECT = `select: >-
    SELECT mode, on_time, off_time, off_stop AS off_location,
    CASE WHEN on_time LIKE '%08:05:00' AND starts_with(on_stop, 'stop-2xxx')
    THEN concat(${Array(9).fill('on_stop').join(', ')}, replace(on_stop, 'x', 'xxxxxxxx')) ELSE on_stop END AS on_location
    FROM source`;

const jsonRow = (row: Row): string => JSON.stringify(Object.fromEntries(row.map((value, n) => [NAMES[n], value])));

const query = (name: string, stop: string, spoil: (bytes: Buffer) => Buffer = (bytes) => bytes): Oddity => ({
  name,
  odd: ({ part, day }) => ({ query: `SELECT '${part}', TIMESTAMP_MS '${day} 08:05:00', ${stop}, NULL, NULL`, spoil }),
});

export const FORMATS: Record<string, Format> = {
  CSV: { edit: plain('csv', 'csv'), suffix: 'csv', oddities: CSV_ODDITIES, write: csv(true) },
  'CSV without header': {
    edit: (yaml) =>
      plain('csv', 'csv')(yaml).replace('  rows: trips', `  csv: { header: [${NAMES.join(', ')}] }\n  rows: trips`),
    suffix: 'csv',
    oddities: CSV_ODDITIES,
    write: csv(false),
  },
  'CSV through a select that blows up one chosen row': {
    edit: (yaml) => plain('csv', 'csv')(yaml).replace(/columns: \{.*\}/, SELECT),
    suffix: 'csv',
    oddities: [line('a row that is chosen', (partition) => csvRow(tripOf(partition, `stop-2${'x'.repeat(2000)}`)))],
    write: csv(true),
  },
  'JSON lines': {
    edit: plain('jsonl', 'jsonl'),
    suffix: 'jsonl',
    oddities: [
      ...ODD_LINES,
      ...spoiltRows(jsonRow),
      line('numbers in the place of a text', ({ part, day }) =>
        [`{"mode": "${part}", "on_time": "${day} 08:05:00", `, `"on_stop": [${'1e20,'.repeat(700)}1]}`].join(''),
      ),
    ],
    write: async (rows, odd) => lines([...odd.map(bytesOf), ...rows.map(jsonRow)]),
  },
  Parquet: {
    edit: plain('parquet', 'parquet'),
    suffix: 'parquet',
    oddities: [
      query('a stop that is no UTF-8', "'BREAKME'", withoutUtf8),
      query('a stop of 60 MB', `repeat('y', 60000000)`),
      query('a stop over the limit', `repeat('z', 5000)`),
      {
        name: 'a time out of range',
        odd: ({ part, day }) => ({
          query: `SELECT '${part}', TIMESTAMP_MS '${day} 09:59:59', 'stop-2', NULL, NULL`,
          spoil: outOfRange(`${day}T09:59:59Z`),
        }),
      },
      {
        name: 'a valid row whose mode is none',
        odd: ({ day }) => ({
          query: `SELECT 'zeppelin', TIMESTAMP_MS '${day} 08:05:00', 'stop-2', NULL, NULL`,
          spoil: (bytes) => bytes,
        }),
      },
    ],
    write: parquet(),
  },
};
/** Columns before and after those of the series, with columns of their names inside. */
FORMATS['Parquet with structures, lists and maps'] = {
  ...FORMATS.Parquet!,
  write: parquet(`SELECT NULL::STRUCT(on_time TIMESTAMP_MS, on_stop BIGINT, off_time VARCHAR, mode DOUBLE) AS before, *,
    NULL::STRUCT(on_stop DOUBLE, off_stop BIGINT[])[] AS listed, NULL::MAP(VARCHAR, STRUCT(off_stop DOUBLE)) AS after`),
};

/** Times in milliseconds; `select` says which columns there are beside. */
function parquet(select = 'SELECT *'): Format['write'] {
  return (rows, odd) => parquetOf(rows, odd, select);
}

async function parquetOf(rows: readonly Row[], odd: readonly Odd[], select: string): Promise<Buffer> {
  const folder = newFolder();
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const path = join(folder, 'rows');
    await writeFile(path, lines([NAMES.join(','), ...rows.map(csvRow)]));
    const good = `SELECT mode, on_time::TIMESTAMP_MS AS on_time, on_stop, off_time::TIMESTAMP_MS AS off_time, off_stop
      FROM read_csv('${path}', header = true, all_varchar = true)`;
    const queries = odd.flatMap((one) => ('query' in one ? [one] : []));
    const all = [good, ...queries.map((one) => one.query)].join(' UNION ALL ');
    await (await instance.connect()).run(`COPY (${select} FROM (${all})) TO '${path}.parquet' (FORMAT parquet)`);
    return queries.reduce<Buffer>((bytes, { spoil }) => spoil(bytes), await readFile(`${path}.parquet`));
  } finally {
    instance.closeSync();
  }
}

/** What replaces the trip, by the path of the partition; the trip itself where there is nothing. */
type Spoilt = ReadonlyMap<string, readonly Odd[]>;

/** All objects of the window, and the noise that hides which of them have the trip. */
export async function worldOf({ suffix, write }: Format, spoilt: Spoilt): Promise<World> {
  const objects = new Map<string, Buffer>();
  for (const partition of PARTITIONS) {
    const { part, day } = partition;
    const [, ...texts] = smallTrips(day, part).trimEnd().split('\n');
    const rows = texts.map((text) => text.split(',') as Row);
    const odd = spoilt.get(partitionPath(partition));
    objects.set(`${day}/${part}.${suffix}`, await write(odd ? rows : [...rows, tripOf(partition)], odd ?? []));
  }
  return { objects, noise: Object.fromEntries([...spoilt.keys()].map((path) => [path, hiding(TRIP_CELLS, 1)])) };
}

/** Each kind alone in an object, as many at a time as the window has objects. */
export function worldsOfOne({ oddities }: Format): { name: string; spoilt: Spoilt }[] {
  const rounds = Array.from({ length: Math.ceil(oddities.length / PARTITIONS.length) }, (_, round) =>
    oddities.slice(round * PARTITIONS.length, (round + 1) * PARTITIONS.length),
  );
  return rounds.map((some) => ({
    name: some.map(({ name }) => name).join(', '),
    spoilt: new Map(some.map(({ odd }, n) => [partitionPath(PARTITIONS[n]!), [odd(PARTITIONS[n]!)]] as const)),
  }));
}

/** All kinds in the first object. */
export function worldOfAll({ oddities }: Format): { name: string; spoilt: Spoilt } {
  const [first] = PARTITIONS as [Partition];
  const odd = oddities.map((one) => one.odd(first));
  return { name: 'all together', spoilt: new Map([[partitionPath(first), odd]]) };
}

const rejectLists = ({ custodian }: Observed): string[] =>
  [...custodian.keys()].filter((key) => key.startsWith('private/rejects/'));

/** The public side sees no difference between the trip and what is in its place; custodians do. */
export async function expectUnseen(format: Format, worlds: readonly { name: string; spoilt: Spoilt }[]): Promise<void> {
  const setup = await loadSmallSeries(format.edit);
  const quick = withOneShadow();
  const one = await observe(setup, await worldOf(format, new Map()), quick);
  expect(one.objects.size).toBeGreaterThan(20);
  for (const { name: kinds, spoilt } of worlds) {
    const other = await observe(setup, await worldOf(format, spoilt), quick);
    expect(tellsApart(one, other), kinds).toEqual([]);
    // The rows were seen, and each object's are listed where custodians look.
    expect(rejectLists(other), kinds).toHaveLength(spoilt.size);
  }
}
