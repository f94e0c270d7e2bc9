import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { readBytes } from '../../../services/stores/json-objects.ts';
import { readCells } from './cells.ts';
import { type SeriesChange, StageBench, sameNames } from './stages.fixture.ts';

let bench: StageBench;
const HEAD = 'on_time,on_location,off_time,off_location\n';
const BUS = { modes: ['bus'] } satisfies SeriesChange;
/** A week of buses with empty objects, except for the ones given. */
const week = async (change: SeriesChange, objects: Record<string, string>, window?: string): Promise<StageBench> => {
  bench = await StageBench.open({ ...BUS, ...change }, window);
  for (const day of bench.days) await bench.deliver(`${day}/bus.csv`, HEAD);
  for (const [key, rows] of Object.entries(objects)) await bench.deliver(key, HEAD + rows);
  return bench;
};

describe('bin', () => {
  it('counts both ends of a trip in their bins, and unknown stops as unknown', async () => {
    await week(
      {},
      {
        '2026-03-02/bus.csv':
          '2026-03-02 08:14:59,2000,2026-03-02 08:15:00,2010\n2026-03-02T08:00,Nowhere,2026-03-02 08:29,\n',
      },
    );
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual([
      'bus 2026-03-02 off 08:15 2010 = 1',
      'bus 2026-03-02 off 08:15 UNKNOWN = 1',
      'bus 2026-03-02 on 08:00 2000 = 1',
      'bus 2026-03-02 on 08:00 UNKNOWN = 1',
    ]);
    expect(await bench.rejects()).toEqual([]);
  });

  it('@contract C4: stores empty partitions like any other, for every mode and day', async () => {
    await week({}, {});
    expect(await bench.count()).toEqual([]);
    for (const { part: mode, day } of bench.partitions) expect(await bench.cells(mode, day)).toEqual([]);
  });

  it('counts trips over midnight on both days, and over the edge of the window on the inner day only', async () => {
    await week(
      {},
      {
        '2026-03-01/bus.csv':
          '2026-03-01 23:50,2000,2026-03-02 00:10,2010\n2026-03-01 22:00,2000,2026-03-01 22:30,2010\n',
        '2026-03-04/bus.csv': '2026-03-04 23:55,2000,2026-03-05 00:20,2010\n',
        '2026-03-08/bus.csv': '2026-03-08 23:50,2000,2026-03-09 00:10,2010\n',
      },
    );
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual([
      'bus 2026-03-02 off 00:00 2010 = 1',
      'bus 2026-03-04 on 23:45 2000 = 1',
      'bus 2026-03-05 off 00:15 2010 = 1',
      'bus 2026-03-08 on 23:45 2000 = 1',
    ]);
    expect(await bench.rejects()).toEqual([]);
  });

  it('counts the end that a trip has; a row with neither is a reject', async () => {
    await week({}, { '2026-03-02/bus.csv': '2026-03-02 08:00,2000,,\n,,2026-03-02 09:00,2010\n,2000, ,2010\n' });
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(['bus 2026-03-02 off 09:00 2010 = 1', 'bus 2026-03-02 on 08:00 2000 = 1']);
    expect(await bench.rejects()).toEqual([{ reason: 'no-tap', tap: 'on', row: expect.stringContaining('2000') }]);
  });

  it('@contract C6: a missing object holds its own day alone where no end of a trip is published', async () => {
    await week({ publish: 'on', modes: ['bus'] }, {});
    await bench.withdraw('2026-03-04/bus.csv');
    const partitions = [{ part: 'bus', day: '2026-03-04' }];
    expect(await bench.count()).toEqual([{ object: '2026-03-04/bus.csv', code: 'OBJECT_MISSING', partitions }]);
  });

  it('counts only the end that the series publishes', async () => {
    await week({ publish: 'off' }, { '2026-03-02/bus.csv': '2026-03-02 08:00,2000,2026-03-02 08:20,2010\n' });
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(['bus 2026-03-02 off 08:15 2010 = 1']);
  });

  it('@contract C3: honest equal rows all count; equal objects count once', async () => {
    const row = '2026-03-02 08:00,2000,2026-03-02 08:20,2010\n';
    bench = await StageBench.open({ ...BUS, days: 1, source: { pattern: '{date}/*.csv' } });
    await bench.deliver('2026-03-02/a.csv', HEAD + row + row);
    await bench.deliver('2026-03-02/b.csv', HEAD + row + row);
    await bench.deliver('2026-03-02/c.csv', `${HEAD}${row}`);
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(['bus 2026-03-02 off 08:15 2010 = 3', 'bus 2026-03-02 on 08:00 2000 = 3']);
  });

  it('@contract C3: a file delivered under a wrong and under its right name counts once, and is not lost', async () => {
    const row = '2026-03-05 08:00,2000,,\n';
    await week({}, { '2026-03-02/bus.csv': row, '2026-03-05/bus.csv': row });
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(['bus 2026-03-05 on 08:00 2000 = 1']);
    expect(await bench.rejects()).toEqual([]);
  });

  it('@contract safe-to-retry: bin stores equal bytes again, and a second run changes nothing', async () => {
    const rows = Array.from(
      { length: 500 },
      (_, n) => `2026-03-02 ${String(n % 24).padStart(2, '0')}:00,20${n % 2}0,,\n`,
    );
    await week({}, { '2026-03-02/bus.csv': rows.join('') });
    await bench.count();
    const key = PRIVATE_KEYS.cells(bench.run(), 0, { part: 'bus', day: '2026-03-02' });
    const first = await readBytes(bench.context.privateStore, key);
    expect(await bench.bin()).toEqual({ faults: [] });
    await bench.withdrawPrivate(key);
    await bench.loseScratch();
    expect(await bench.bin()).toEqual({ faults: [] });
    expect((await readBytes(bench.context.privateStore, key)).equals(first)).toBe(true);
  });

  it('fetches objects again on a worker without scratch, and names one that has changed', async () => {
    await week(
      {},
      {
        '2026-03-02/bus.csv': '2026-03-02 08:00,2000,,\n',
        '2026-03-04/bus.csv': '2026-03-04 09:00,2000,,\n',
      },
    );
    await bench.ingest();
    await bench.loseScratch();
    await bench.deliver('2026-03-04/bus.csv', `${HEAD}2026-03-04 10:00,2000,,\n`);
    const { faults } = await bench.bin();
    const partitions = ['2026-03-04', '2026-03-05'].map((day) => ({ part: 'bus', day }));
    expect(faults).toEqual([{ object: '2026-03-04/bus.csv', code: 'OBJECT_CHANGED', partitions }]);
    expect(await bench.allCells()).toEqual(['bus 2026-03-02 on 08:00 2000 = 1']);
    await expect(bench.cells('bus', '2026-03-04')).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
  });

  it('reads the pinned bytes from another object that has them, when one of two equal ones is gone', async () => {
    const row = '2026-03-02 08:00,2000,,\n';
    await week({}, { '2026-03-02/bus.csv': row, '2026-03-05/bus.csv': row });
    await bench.ingest();
    await bench.loseScratch();
    await bench.withdraw('2026-03-02/bus.csv');
    expect(await bench.bin()).toEqual({ faults: [] });
    expect(await bench.allCells()).toEqual(['bus 2026-03-02 on 08:00 2000 = 1']);
  });
});

describe('clocks', () => {
  const at = async (window: string, day: string, rows: string, change: SeriesChange = {}): Promise<string[]> => {
    await week({ publish: 'on', ...change }, { [`${day}/bus.csv`]: rows }, window);
    expect(await bench.count()).toEqual([]);
    return (await bench.allCells()).map((line) => line.replace(/^bus /, '').replace(' on ', ' ').replace(' 2000', ''));
  };
  const times = (...list: string[]): string => list.map((time) => `${time},2000,,\n`).join('');

  it('forward, local: a time that the clock jumps over is a reject', async () => {
    const rows = times('2026-10-04 01:59:59', '2026-10-04 02:00', '2026-10-04 02:59', '2026-10-04 03:00');
    expect(await at('2026-09-28', '2026-10-04', rows)).toEqual(['2026-10-04 01:45 = 1', '2026-10-04 03:00 = 1']);
    expect(await bench.reasons()).toEqual(['time-nonexistent', 'time-nonexistent']);
  });

  it('forward, UTC; what is past midnight begins on another day than that of its object', async () => {
    const rows = times('2026-10-03 15:59:59', '2026-10-03 16:00:00Z', '2026-10-04 12:59', '2026-10-04 13:00');
    expect(await at('2026-09-28', '2026-10-04', rows, { source: { clock: 'utc' } })).toEqual([
      '2026-10-04 01:45 = 1',
      '2026-10-04 03:00 = 1',
      '2026-10-04 23:45 = 1',
    ]);
    expect(await bench.reasons()).toEqual(['day-undeclared']);
  });

  it('back, local: the hour that is shown twice is summed', async () => {
    const rows = times('2026-04-05 01:59', '2026-04-05 02:10', '2026-04-05 02:10', '2026-04-05 03:00');
    expect(await at('2026-03-30', '2026-04-05', rows)).toEqual([
      '2026-04-05 01:45 = 1',
      '2026-04-05 02:00 = 2',
      '2026-04-05 03:00 = 1',
    ]);
  });

  it('back, UTC: both hours fall into one label', async () => {
    const rows = times('2026-04-04 15:10', '2026-04-04 16:10', '2026-04-04 17:00');
    expect(await at('2026-03-30', '2026-04-05', rows, { source: { clock: 'utc' } })).toEqual([
      '2026-04-05 02:00 = 2',
      '2026-04-05 03:00 = 1',
    ]);
  });

  it('with an offset in each value; one without is a reject', async () => {
    const rows = times(
      '2026-04-05T02:10:00+11:00',
      '2026-04-05T02:10:00+10:00',
      '2026-04-04T16:10:00Z',
      '2026-04-05 02:10:00',
    );
    expect(await at('2026-03-30', '2026-04-05', rows, { source: { clock: 'offset' } })).toEqual([
      '2026-04-05 02:00 = 3',
    ]);
    expect(await bench.reasons()).toEqual(['time-unreadable']);
  });

  it('traffic day: a timestamp before it starts belongs to the day before', async () => {
    const rows = times('2026-03-03 03:59', '2026-03-03 04:00', '2026-03-04 01:20');
    const day = { starts: '04:00', ends: '28:00' };
    await week({ publish: 'on', day }, { '2026-03-02/bus.csv': times('2026-03-03 03:59'), '2026-03-03/bus.csv': rows });
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual([
      'bus 2026-03-02 on 27:45 2000 = 1',
      'bus 2026-03-03 on 04:00 2000 = 1',
      'bus 2026-03-03 on 25:15 2000 = 1',
    ]);
    expect(await bench.reasons()).toEqual(['day-undeclared']);
  });

  it('traffic day in minutes: past 24:00 up to its end', async () => {
    const columns = sameNames(['on_day', 'on_minute', 'on_location']);
    bench = await StageBench.open({
      ...BUS,
      publish: 'on',
      day: { starts: '04:00', ends: '28:45' },
      source: { columns, pattern: 'all.csv' },
    });
    const minutes = [240, 1439, 1440, 1710, 1724, 1725, 239, -1];
    const rows = minutes.map((minute) => `2026-03-02,${minute},2000\n`).join('');
    await bench.deliver(
      'all.csv',
      `on_day,on_minute,on_location\n${rows}20260303,5.0,2000\n20260303,300.0,2000\n2026-03-03,,2000\n`,
    );
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual([
      'bus 2026-03-02 on 04:00 2000 = 1',
      'bus 2026-03-02 on 23:45 2000 = 1',
      'bus 2026-03-02 on 24:00 2000 = 1',
      'bus 2026-03-02 on 28:30 2000 = 2',
      'bus 2026-03-03 on 05:00 2000 = 1',
    ]);
    expect(await bench.reasons()).toEqual([
      'no-tap',
      'time-outside-day',
      'time-outside-day',
      'time-outside-day',
      'time-unreadable',
    ]);
  });

  it('bins of an hour and of five minutes', async () => {
    const rows = times('2026-03-02 08:04', '2026-03-02 08:59');
    expect(await at('2026-03-02', '2026-03-02', rows, { minutes: 60 })).toEqual(['2026-03-02 08:00 = 2']);
    await bench.close();
    expect(await at('2026-03-02', '2026-03-02', rows, { minutes: 5 })).toEqual([
      '2026-03-02 08:00 = 1',
      '2026-03-02 08:55 = 1',
    ]);
  });
});

describe('formats', () => {
  const EXPECTED = ['bus 2026-03-02 off 08:15 2010 = 1', 'bus 2026-03-02 on 08:00 2000 = 1'];
  const one = (source: Record<string, unknown>): Promise<StageBench> => StageBench.open({ ...BUS, days: 1, source });

  it('CSV with byte order mark, CRLF, quotes, another delimiter and no last line end', async () => {
    bench = await one({ csv: { delimiter: ';' } });
    const head = '\uFEFF"on_time";on_location;"off_time";"off; location";off_location\r\n';
    await bench.deliver('2026-03-02/bus.csv', `${head}2026-03-02 08:01;"2000";"2026-03-02 08:20";"a;""b""";2010`);
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(EXPECTED);
  });

  it('gzip in several members, with the header that the series gives', async () => {
    bench = await one({
      pattern: '{date}/{mode}.gz',
      compression: 'gzip',
      csv: { header: ['a', 'b', 'c', 'd'] },
      columns: { on_time: 'a', on_location: 'b', off_time: 'c', off_location: 'd' },
    });
    const members = ['2026-03-02 08:01,2000,,\n', ',,2026-03-02 08:20,2010\n'].map((text) => gzipSync(text));
    await bench.deliver('2026-03-02/bus.gz', Buffer.concat(members));
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(EXPECTED);
  });

  it('JSON lines, by column names and by select', async () => {
    const rows =
      '{"on_time":"2026-03-02 08:01","on_location":2000,"x":{"y":1}}\n\n{"off_time":"2026-03-02T08:20:00","off_location":"2010"}\n';
    bench = await one({ format: 'jsonl' });
    await bench.deliver('2026-03-02/bus.csv', rows);
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(EXPECTED);
    await bench.close();
    const select = ['on_time', 'on_location', 'off_time', 'off_location'].map(
      (name) => `json ->> '$.${name}' AS ${name}`,
    );
    bench = await one({ format: 'jsonl', columns: undefined, select: `SELECT ${select.join(', ')} FROM source` });
    await bench.deliver('2026-03-02/bus.csv', rows);
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(EXPECTED);
  });

  it.each([
    ["TIMESTAMP '2026-03-02 08:01'", "TIMESTAMP_S '2026-03-02 08:20:00'", '2000', "'2010'"],
    ["'2026-03-02 08:01'", "TIMESTAMP_NS '2026-03-02 08:20:00'", "'2000 '", '2010::DECIMAL(4, 0)'],
    ["TIMESTAMPTZ '2026-03-01 21:01:00+00'", "TIMESTAMP_MS '2026-03-02 08:20:00'", '2000::SMALLINT', '2010::UINTEGER'],
  ])('Parquet with times %s and %s, locations %s and %s', async (on, off, from, to) => {
    bench = await one({ format: 'parquet' });
    await bench.deliverParquet(
      '2026-03-02/bus.csv',
      `SELECT ${on} AS on_time, ${from} AS on_location, ${off} AS off_time, ${to} AS off_location`,
    );
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(EXPECTED);
  });

  it('Parquet with times before 1970, which are cut at the beginning of their slots, too', async () => {
    bench = await StageBench.open(
      { ...BUS, days: 1, timeZone: 'Etc/UTC', firstWeekday: 'wednesday', source: { format: 'parquet' } },
      '1969-12-31',
    );
    const times = ['1969-12-31 23:46:00', '1969-12-31 23:59:59.999999', '1970-01-01 00:01:00'].map(
      (time) => `TIMESTAMP '${time}'`,
    );
    const rows = `SELECT unnest([${times.join(', ')}]) AS on_time, '2000' AS on_location, NULL AS off_time, NULL AS off_location`;
    await bench.deliverParquet(
      '1969-12-31/bus.csv',
      `SELECT on_time, on_location, CAST(off_time AS TIMESTAMP) AS off_time, off_location FROM (${rows})`,
    );
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(['bus 1969-12-31 on 23:45 2000 = 2']);
  });

  it('rows of taps, with the mode in a column', async () => {
    bench = await StageBench.open({
      days: 1,
      source: { rows: 'taps', pattern: '{date}.csv', columns: sameNames(['mode', 'tap', 'time', 'location']) },
    });
    const rows = 'bus,on,2026-03-02 08:01,2000\ntrain,OFF ,2026-03-02 09:00,Central\nbus,up,2026-03-02 09:00,2000\n';
    await bench.deliver('2026-03-02.csv', `mode,tap,time,location\n${rows}`);
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual([
      'bus 2026-03-02 on 08:00 2000 = 1',
      'train 2026-03-02 off 09:00 Central Station = 1',
    ]);
    expect(await bench.rejects()).toMatchObject([{ reason: 'tap-unknown', tap: 'up' }]);
  });

  it('a select that fails on a value rejects that row and no other', async () => {
    const select = `SELECT on_time, on_location, CASE WHEN TRY_CAST(TRY_CAST(off_location AS INTEGER) * 2 AS VARCHAR) <> '' THEN off_time END AS off_time,
      off_location FROM source`;
    bench = await one({ columns: undefined, select });
    await bench.deliver(
      '2026-03-02/bus.csv',
      `${HEAD},,2026-03-02 08:20,2147483647\n2026-03-02 08:01,2000,2026-03-02 08:20,2010\n`,
    );
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(EXPECTED);
    expect(await bench.rejects()).toMatchObject([{ reason: 'no-tap', row: expect.stringContaining('2147483647') }]);
  });

  it('cells lie sorted in lists of their names', async () => {
    bench = await one({});
    await bench.deliver(
      '2026-03-02/bus.csv',
      `${HEAD}2026-03-02 08:01,2010,2026-03-02 08:01,2000\n2026-03-02 07:01,2010,,\n`,
    );
    await bench.count();
    const { cells } = await readCells(
      bench.context.privateStore,
      PRIVATE_KEYS.cells(bench.run(), 0, { part: 'bus', day: '2026-03-02' }),
    );
    expect([cells.taps, cells.locations]).toEqual([
      ['off', 'on'],
      ['2000', '2010'],
    ]);
    expect(cells.places).toEqual(cells.places.toSorted());
    expect(await bench.allCells()).toEqual([
      'bus 2026-03-02 off 08:00 2000 = 1',
      'bus 2026-03-02 on 07:00 2010 = 1',
      'bus 2026-03-02 on 08:00 2010 = 1',
    ]);
  });
});
