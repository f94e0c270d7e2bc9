import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONGEST_VALUE } from '../../../core/select/growth.ts';
import type { SourceFile } from '../../../custodian/sql/source-relation.ts';
import { openDatabase } from '../../../services/sql/open-database.fixture.ts';
import { checkSelect } from '../../../services/sql/select-check.ts';
import { handmadeParquet, littleEndian } from '../../../test/support/handmade-parquet.ts';
import type { TapsSeries } from '../series.ts';
import { canonicalRows, sourceTypes } from './canonical-rows.ts';
import { requireLegible, writeLegible } from './legible-parquet.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
});
afterAll(() => opened.close());

const columns = { on_time: 'Tap "On" Time', on_location: 'stop' };
const source = { rows: 'trips', columns } as unknown as TapsSeries['source'];

/** The longest text that is read, and one that is longer in bytes but not in characters. */
const [LONGEST, TOO_LONG] = ['x'.repeat(LONGEST_VALUE), 'é'.repeat(LONGEST_VALUE / 2 + 1)];

async function file(name: string, text: string): Promise<string> {
  const path = join(opened.folder, name);
  await writeFile(path, text);
  return path;
}

const csv = async (text = '2026-03-01 08:00;"A; ""B"""\n;\n'): Promise<SourceFile> => ({
  format: 'csv',
  path: await file('a.csv', text),
  delimiter: ';',
  header: ['tap "on" time', 'Stop'],
});
const jsonl = async (text: string): Promise<SourceFile> => ({ format: 'jsonl', path: await file('a.jsonl', text) });

describe('canonical rows', () => {
  it('of a CSV file are its named columns, whatever their case, all of them text', async () => {
    const rows = await canonicalRows({
      database: opened.database,
      series: { source },
      file: await csv(),
      select: null,
    });
    expect([...rows.types]).toEqual([
      ['on_time', 'VARCHAR'],
      ['on_location', 'VARCHAR'],
    ]);
    expect(await opened.database.rows(rows.sql)).toEqual([
      [false, '2026-03-01 08:00', 'A; "B"'],
      [false, null, null],
    ]);
  });

  it('of a CSV file have NULL for a named value over the limit, which marks the row and no other', async () => {
    const text = [`1;${TOO_LONG};`, `${TOO_LONG};A;`, `;${TOO_LONG};`, `2;${LONGEST};`, `3;B;${TOO_LONG}`].join('\n');
    const wide = { ...(await csv(`${text}\n`)), header: ['tap "on" time', 'Stop', 'not named'] } as SourceFile;
    const { sql } = await canonicalRows({ database: opened.database, series: { source }, file: wide, select: null });
    expect(await opened.database.rows(sql)).toEqual([
      [true, '1', null],
      [true, null, 'A'],
      [true, null, null],
      [false, '2', LONGEST],
      [false, '3', 'B'],
    ]);
  });

  it('are asked for by this text', async () => {
    const { sql, sqlWithRow } = await canonicalRows({
      database: opened.database,
      series: { source },
      file: await csv(),
      select: null,
    });
    const relation = `SELECT * FROM read_csv('${opened.folder}/a.csv', auto_detect = false, header = false,
      new_line = '\\n', max_line_size = 4194304, delim = ';', quote = '"', escape = '"',
      columns = {'tap "on" time': 'VARCHAR', 'Stop': 'VARCHAR'})`;
    // Each name that the file gives is limited under that name, so that the select finds it.
    const limited = `SELECT
      CASE WHEN strlen("tap ""on"" time") > 4096 THEN NULL ELSE "tap ""on"" time" END AS "tap ""on"" time",
      CASE WHEN strlen("Stop") > 4096 THEN NULL ELSE "Stop" END AS "Stop",
      false OR greatest(0, strlen("tap ""on"" time"), strlen("Stop")) > 4096 AS "unusable value"
      FROM (${relation})`;
    const select = '"Tap ""On"" Time" AS on_time, "stop" AS on_location FROM source';
    const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
    expect(oneLine(sql)).toBe(oneLine(`WITH source AS (${limited}) SELECT "unusable value", ${select}`));
    expect(oneLine(sqlWithRow)).toBe(
      oneLine(`SELECT CASE WHEN strlen("on_time") > 4096 THEN NULL ELSE "on_time" END AS "on_time",
        CASE WHEN strlen("on_location") > 4096 THEN NULL ELSE "on_location" END AS "on_location",
        "unusable value" OR greatest(0, strlen("on_time"), strlen("on_location")) > 4096 AS "unusable value",
        source_row FROM (WITH source AS (${limited})
        SELECT "unusable value", left(CAST(to_json(source) AS VARCHAR), 10000) AS source_row, ${select})`),
    );
  });

  it('come with the row of the source, in which a value over the limit is NULL', async () => {
    const text = `2026-03-01 08:00;"A; ""B"""\n;\n7;${TOO_LONG}\n`;
    const { sqlWithRow } = await canonicalRows({
      database: opened.database,
      series: { source },
      file: await csv(text),
      select: null,
    });
    const row = (time: string, stop: string, unusable: boolean): string =>
      `{"tap \\"on\\" time":${time},"Stop":${stop},"unusable value":${unusable}}`;
    expect(await opened.database.rows(sqlWithRow)).toEqual([
      ['2026-03-01 08:00', 'A; "B"', false, row('"2026-03-01 08:00"', '"A; \\"B\\""', false)],
      [null, null, false, row('null', 'null', false)],
      ['7', null, true, row('"7"', 'null', true)],
    ]);
  });

  it('come with no more of the row than is kept', async () => {
    // As JSON each quote is two characters: the row would have more than 16,000.
    const quotes = '"'.repeat(LONGEST_VALUE);
    const quoted = `"${quotes.repeat(2)}"`;
    const { sqlWithRow } = await canonicalRows({
      database: opened.database,
      series: { source },
      file: await csv(`${quoted};${quoted}\n`),
      select: null,
    });
    const whole = `{"tap \\"on\\" time":${JSON.stringify(quotes)},"Stop":${JSON.stringify(quotes)}`;
    expect(await opened.database.rows(sqlWithRow)).toEqual([[quotes, quotes, false, whole.slice(0, 10_000)]]);
  });

  it('of JSON lines are top-level keys by their exact names; an absent one is null', async () => {
    const lines = ['{"Tap \\"On\\" Time": "2026-03-01 08:00", "stop": 7}', '{"Stop": "A"}', '[1]'];
    // A line is one value: one byte more, and nothing of it is read.
    const long = (bytes: number): string => `{"stop":"A","other":"${'x'.repeat(bytes - 23)}"}`;
    lines.push(long(LONGEST_VALUE), long(LONGEST_VALUE + 1));
    const rows = await canonicalRows({
      database: opened.database,
      series: { source },
      file: await jsonl(`${lines.join('\n')}\n`),
      select: null,
    });
    expect(await opened.database.rows(rows.sql)).toEqual([
      ['2026-03-01 08:00', '7', false],
      [null, null, false],
      [null, null, false],
      [null, 'A', false],
      [null, null, true],
    ]);
  });

  it('of Parquet are the same in both readings, whatever is stored beyond the digits of their type', async () => {
    const path = join(opened.folder, 'digits.parquet');
    await writeFile(
      path,
      handmadeParquet([
        {
          name: 'TAP "ON" TIME',
          type: 'INT32',
          converted: 5,
          scale: 0,
          precision: 4,
          values: [littleEndian(32_767n, 4)],
        },
        { name: 'stop', type: 'INT32', converted: 15, values: [littleEndian(300n, 4)] },
      ]),
    );
    const file = { format: 'parquet', path, ...(await requireLegible(path)) } as const;
    const types = await sourceTypes({ database: opened.database, series: { source }, file, select: null });
    expect([...types.values()]).toEqual(['DECIMAL(4,0)', 'TINYINT']);
    await writeLegible(path, types, `${path}.rows`);
    const legible = { format: 'legible', path: `${path}.rows`, types } as const;
    for (const each of [file, legible]) {
      const { sql } = await canonicalRows({ database: opened.database, series: { source }, file: each, select: null });
      expect(await opened.database.rows(sql), each.format).toEqual([[false, null, 44]]);
    }
  });

  it('of Parquet keep the types of the file', async () => {
    const path = join(opened.folder, 'a.parquet');
    const values = `SELECT TIMESTAMP '2026-03-01 08:00:00' AS 'TAP "ON" TIME', 7::SMALLINT AS stop`;
    await opened.database.run(`COPY (${values}) TO '${path}' (FORMAT parquet)`);
    const file = { format: 'parquet', path, ...(await requireLegible(path)) } as const;
    const rows = await canonicalRows({ database: opened.database, series: { source }, file, select: null });
    expect([...rows.types]).toEqual([
      ['on_time', 'TIMESTAMP'],
      ['on_location', 'SMALLINT'],
    ]);
    expect(await opened.database.rows(rows.sql)).toEqual([[false, new Date('2026-03-01T08:00:00Z'), 7]]);
  });

  it.each([
    ['VARCHAR', LONGEST, TOO_LONG, LONGEST_VALUE],
    // A byte may be written out as four characters.
    ['BLOB', LONGEST.slice(0, LONGEST_VALUE / 4), LONGEST.slice(0, LONGEST_VALUE / 4 + 1), LONGEST_VALUE / 4],
  ])('of Parquet have NULL for a %s over the limit, which marks the row', async (type, longest, tooLong, bytes) => {
    const path = join(opened.folder, `${type}.parquet`);
    const values = `SELECT time AS 'Tap "On" Time', CAST(stop AS ${type}) AS stop
      FROM (VALUES (1, '${longest}'), (2, '${tooLong}'), (3, NULL)) AS t(time, stop)`;
    await opened.database.run(`COPY (${values}) TO '${path}' (FORMAT parquet)`);
    const file = { format: 'parquet', path, ...(await requireLegible(path)) } as const;
    const { sql, types } = await canonicalRows({ database: opened.database, series: { source }, file, select: null });
    expect(types.get('on_location')).toBe(type);
    const bytesRead = 'CAST(octet_length(CAST(on_location AS BLOB)) AS INTEGER)';
    expect(await opened.database.rows(`SELECT "unusable value", on_time, ${bytesRead} FROM (${sql})`)).toEqual([
      [false, 1, bytes],
      [true, 2, null],
      [false, 3, null],
    ]);
  });

  it('of a legible file are marked as the file says, or by a value over the limit', async () => {
    const types = new Map([
      ['tap "on" time', 'BIGINT'],
      ['stop', 'VARCHAR'],
    ]);
    const hex = (text: string): string => `x${Buffer.from(text).toString('hex')}`;
    const lines = [`false,1,${hex('A')}`, `true,2,${hex('B')}`, 'true,3,', `false,4,${hex(TOO_LONG)}`, 'false,,'];
    const path = await file('a.rows', `${lines.join('\n')}\n`);
    const { sql } = await canonicalRows({
      database: opened.database,
      series: { source },
      file: { format: 'legible', path, types },
      select: null,
    });
    expect(await opened.database.rows(`SELECT * REPLACE (CAST(on_time AS INTEGER) AS on_time) FROM (${sql})`)).toEqual([
      [false, 1, 'A'],
      [true, 2, 'B'],
      [true, 3, null],
      [true, 4, null],
      [false, null, null],
    ]);
  });

  it('of a select are what it computes of each row, and no row less', async () => {
    const select = await checkSelect('SELECT upper(stop) AS on_location FROM source');
    const { sql, sqlWithRow } = await canonicalRows({
      database: opened.database,
      series: { source },
      file: await csv('x;a\ny;b\n'),
      select,
    });
    expect((await opened.database.rows(sql)).sort()).toEqual([
      ['A', false],
      ['B', false],
    ]);
    expect((await opened.database.rows(sqlWithRow)).sort()).toEqual([
      // Of the source there is what the select names.
      ['A', false, '{"Stop":"a","unusable value":false}'],
      ['B', false, '{"Stop":"b","unusable value":false}'],
    ]);
  });

  it('of a select never see a value over the limit, nor yield one', async () => {
    const select = await checkSelect(
      `SELECT coalesce(stop, 'none') || coalesce(stop, 'none') AS on_location FROM source`,
    );
    const half = LONGEST.slice(0, LONGEST_VALUE / 2);
    const text = [TOO_LONG, half, `${half}x`, ''].map((stop) => `1;${stop}\n`).join('');
    const { sql, sqlWithRow } = await canonicalRows({
      database: opened.database,
      series: { source },
      file: await csv(text),
      select,
    });
    const rows = [
      ['nonenone', true],
      [LONGEST, false],
      [null, true],
      ['nonenone', false],
    ];
    expect(await opened.database.rows(sql)).toEqual(rows);
    const sources = [
      '{"Stop":null,"unusable value":true}',
      `{"Stop":"${half}","unusable value":false}`,
      `{"Stop":"${half}x","unusable value":false}`,
      '{"Stop":null,"unusable value":false}',
    ];
    expect(await opened.database.rows(sqlWithRow)).toEqual(rows.map((row, index) => [...row, sources[index]]));
  });

  it('are refused when a column has the name of the mark, whatever its case: a value would decide it', async () => {
    const named = { source: { ...source, columns: { on_time: 'Unusable Value' } } };
    const refusal = { code: 'OBJECT_SCHEMA', message: expect.stringContaining('unusable value') };
    await expect(
      canonicalRows({ database: opened.database, series: named, file: await csv(), select: null }),
    ).rejects.toMatchObject(refusal);
    for (const text of [
      'SELECT "unusable value" AS on_location FROM source',
      'SELECT stop AS "UNUSABLE VALUE", stop AS on_location FROM source',
    ])
      await expect(
        canonicalRows({
          database: opened.database,
          series: { source },
          file: await csv(),
          select: await checkSelect(text),
        }),
      ).rejects.toMatchObject(refusal);
  });

  it('are refused as OBJECT_SCHEMA when a column is not there, by the name that the series gives it', async () => {
    const other = { source: { ...source, columns: { on_time: 'nothing' } } };
    await expect(
      canonicalRows({ database: opened.database, series: other, file: await csv(), select: null }),
    ).rejects.toMatchObject({
      code: 'OBJECT_SCHEMA',
      message: 'Columns that the series names are missing: nothing (for on_time).',
    });
    const select = await checkSelect('SELECT nothing AS on_location FROM source');
    await expect(
      canonicalRows({ database: opened.database, series: { source }, file: await csv(), select }),
    ).rejects.toMatchObject({
      code: 'OBJECT_SCHEMA',
      message: 'Columns that the select of the series names are missing: nothing.',
    });
  });
});
