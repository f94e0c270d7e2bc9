import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test } from 'vitest';
import { outOfRange, withoutUtf8 } from '../../kinds/taps/private/damaged-bytes.fixture.ts';
import { smallSetup, withMargins } from '../fault/small-release.fixture.ts';
import { SMALL_DAYS, SMALL_MODES, smallTrips } from '../support/small-series.ts';
import { observe, type Twin, tellsApart } from './observation.ts';
import { hiding } from './worlds.ts';

/**
 * C20 for odd rows, in every format: a world with one more trip, and one in which that trip is spoilt and rows of every
 * odd kind that the format can hold stand beside it. The noise hides the trip, and the public side sees no difference: no
 * code, no hole, no byte.
 */
const BUS = 'bus/2026-03-02';
const TRIP_CELLS = ['on 08:00 2001', 'off 08:30 2000'];

type Row = [mode: string, onTime: string, onStop: string, offTime: string, offStop: string];
const NAMES = ['mode', 'on_time', 'on_stop', 'off_time', 'off_stop'];
const TRIP: Row = ['bus', '2026-03-02 08:05:00', 'stop-2', '2026-03-02 08:35:00', 'stop-1'];
const withStop = (stop: string): Row => ['bus', '2026-03-02 08:05:00', stop, '2026-03-02 08:35:00', 'stop-1'];
const LONG = 'x'.repeat(5000);

/** Odd rows as bytes of lines; the first stands at the very beginning where there is no header. */
const ODD_LINES = [
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
  Buffer.from([0xff, 0xfe, 0x61, 0x00]),
  Buffer.from('x'.repeat(100_000)),
  Buffer.from('"bus,2026'),
  Buffer.from(`{"on_time": ${'['.repeat(3000)}`),
  Buffer.from([0x62, 0x00, 0x2c]),
];

/** How a supplier writes objects: rows with the spoilt ones beside them when `odd`. */
type Format = {
  edit(yaml: string): string;
  suffix: string;
  write(rows: readonly Row[], odd: boolean): Promise<Buffer>;
};

const plain = (suffix: string, format: string) => (yaml: string) =>
  withMargins(yaml)
    .replace('{mode}.csv.gz', `{mode}.${suffix}`)
    .replace('format: csv\n  compression: gzip', `format: ${format}`);

const lines = (parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.flatMap((part) => [Buffer.from(part), Buffer.from('\n')]));

const csv = async (rows: readonly Row[], odd: boolean, header = true): Promise<Buffer> => {
  const spoilt = odd ? [withStop(LONG), withStop('\\"')].map((row) => row.join(',')) : [];
  const all = [...(odd ? ODD_LINES : []), ...spoilt, ...rows.map((row) => row.join(','))];
  return lines(header ? [NAMES.join(','), ...all] : all);
};

const SELECT = `select: >-
    SELECT mode, on_time, off_time, off_stop AS off_location,
    CASE WHEN on_time LIKE '%08:05:00' AND starts_with(on_stop, 'stop-2xxx')
    THEN concat(${Array(9).fill('on_stop').join(', ')}, replace(on_stop, 'x', 'xxxxxxxx')) ELSE on_stop END AS on_location
    FROM source`;

const FORMATS: Record<string, Format> = {
  CSV: { edit: plain('csv', 'csv'), suffix: 'csv', write: csv },
  'CSV without header': {
    edit: (yaml) =>
      plain('csv', 'csv')(yaml).replace('  rows: trips', `  csv: { header: [${NAMES.join(', ')}] }\n  rows: trips`),
    suffix: 'csv',
    write: (rows, odd) => csv(rows, odd, false),
  },
  'CSV through a select that blows up one chosen row': {
    edit: (yaml) => plain('csv', 'csv')(yaml).replace(/columns: \{.*\}/, SELECT),
    suffix: 'csv',
    write: (rows, odd) => csv(odd ? [...rows, withStop(`stop-2${'x'.repeat(2000)}`)] : rows, odd),
  },
  'JSON lines': {
    edit: plain('jsonl', 'jsonl'),
    suffix: 'jsonl',
    write: async (rows, odd) => {
      const json = (row: Row): string => JSON.stringify(Object.fromEntries(row.map((value, n) => [NAMES[n], value])));
      const numbers = `{"mode": "bus", "on_time": "2026-03-02 08:05:00", "on_stop": [${'1e20,'.repeat(700)}1]}`;
      return lines([...(odd ? [...ODD_LINES, json(withStop(LONG)), numbers] : []), ...rows.map(json)]);
    },
  },
  Parquet: { edit: plain('parquet', 'parquet'), suffix: 'parquet', write: parquet },
};

/** Times in milliseconds; odd: a stop that is no UTF-8, a time out of range, a stop of 60 MB, and one over the limit. */
async function parquet(rows: readonly Row[], odd: boolean): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'opaline-odd-'));
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const path = join(folder, 'rows');
    await writeFile(path, lines([NAMES.join(','), ...rows.map((row) => row.join(','))]));
    const good = `SELECT mode, on_time::TIMESTAMP_MS AS on_time, on_stop, off_time::TIMESTAMP_MS AS off_time, off_stop
      FROM read_csv('${path}', header = true, all_varchar = true)`;
    const stops = ["'BREAKME'", `repeat('y', 60000000)`, `repeat('z', 5000)`];
    const spoilt = stops.map((stop) => `SELECT 'bus', TIMESTAMP_MS '2026-03-02 08:05:00', ${stop}, NULL, NULL`);
    const time = "SELECT 'bus', TIMESTAMP_MS '2026-03-02 09:59:59', 'stop-2', NULL, NULL";
    const query = odd ? [good, ...spoilt, time].join(' UNION ALL ') : good;
    await (await instance.connect()).run(`COPY (${query}) TO '${path}.parquet' (FORMAT parquet)`);
    const bytes = await readFile(`${path}.parquet`);
    return odd ? outOfRange('2026-03-02T09:59:59Z')(withoutUtf8(bytes)) : bytes;
  } finally {
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

/** All objects of the window; that of BUS with the trip, or with the trip spoilt and all odd rows. */
async function objectsOf({ suffix, write }: Format, odd: boolean): Promise<Map<string, Buffer>> {
  const objects = new Map<string, Buffer>();
  for (const day of SMALL_DAYS)
    for (const mode of SMALL_MODES) {
      const [, ...texts] = smallTrips(day, mode).trimEnd().split('\n');
      const rows = texts.map((text) => text.split(',') as Row);
      const isBus = `${mode}/${day}` === BUS;
      const bytes = await write(isBus && !odd ? [...rows, TRIP] : rows, isBus && odd);
      objects.set(`${day}/${mode}.${suffix}`, bytes);
    }
  return objects;
}

const noise = { [BUS]: hiding(TRIP_CELLS, 1) };

describe('@contract C20 @contract C6 odd rows change nothing on the public side', () => {
  test.each(Object.entries(FORMATS))('%s', async (_, format) => {
    const setup = await smallSetup(format.edit);
    const one = await observe(setup, { objects: await objectsOf(format, false) });
    const odd = { objects: await objectsOf(format, true), noise };
    const other = await observe(setup, odd);
    expect(tellsApart(one, other)).toEqual([]);
    expect(one.objects.size).toBeGreaterThan(20);
    // The rows were seen, and listed where custodians look.
    const lists = [...other.custodian.keys()].filter((key) => key.startsWith('private/rejects/'));
    expect(lists).not.toEqual([]);
    if (format !== FORMATS.CSV) return;
    // A broken twin, which tells that an object has rejects, is caught.
    const twin: Twin = (activities, release) => ({
      ...activities,
      bin: async (input) => {
        const answer = await activities.bin(input);
        const { value } = await release.store('private').list('rejects/')[Symbol.asyncIterator]().next();
        return value ? { faults: [{ object: 'bus', code: 'OBJECT_UNREADABLE', partitions: [] }] } : answer;
      },
    });
    expect(tellsApart(one, await observe(setup, odd, twin))).toEqual(['status']);
  });
});
