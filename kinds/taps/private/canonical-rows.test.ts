import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../activities/sql/open-database.fixture.ts';
import { checkSelect } from '../../../activities/sql/select-check.ts';
import type { SourceFile } from '../../../activities/sql/source-relation.ts';
import type { TapsSeries } from '../series.ts';
import { canonicalRows } from './canonical-rows.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
});
afterAll(() => opened.close());

const columns = { on_time: 'Tap "On" Time', on_location: 'stop' };
const source = { rows: 'trips', columns } as unknown as TapsSeries['source'];

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
    const rows = await canonicalRows(opened.database, { source }, await csv(), null);
    expect([...rows.types]).toEqual([
      ['on_time', 'VARCHAR'],
      ['on_location', 'VARCHAR'],
    ]);
    expect(await opened.database.rows(rows.sql)).toEqual([
      ['2026-03-01 08:00', 'A; "B"'],
      [null, null],
    ]);
  });

  it('are asked for by this text', async () => {
    const { sql, sqlWithRow } = await canonicalRows(opened.database, { source }, await csv(), null);
    const relation = `SELECT * FROM read_csv('${opened.folder}/a.csv', auto_detect = false, header = false, new_line = '\\n',
 max_line_size = 4194304, delim = ';', quote = '"', escape = '"', columns = {'tap "on" time': 'VARCHAR', 'Stop': 'VARCHAR'})`;
    const select = '"Tap ""On"" Time" AS on_time, "stop" AS on_location FROM source';
    const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
    expect(oneLine(sql)).toBe(oneLine(`WITH source AS (${relation}) SELECT ${select}`));
    expect(oneLine(sqlWithRow)).toBe(
      oneLine(`WITH source AS (${relation})
        SELECT left(CAST(to_json(source) AS VARCHAR), 10000) AS source_row, ${select}`),
    );
  });

  it('come with the row of the source as it was', async () => {
    const { sqlWithRow } = await canonicalRows(opened.database, { source }, await csv(), null);
    expect(await opened.database.rows(sqlWithRow)).toEqual([
      ['{"tap \\"on\\" time":"2026-03-01 08:00","Stop":"A; \\"B\\""}', '2026-03-01 08:00', 'A; "B"'],
      ['{"tap \\"on\\" time":null,"Stop":null}', null, null],
    ]);
  });

  it('of JSON lines are top-level keys by their exact names; an absent one is null', async () => {
    const lines = ['{"Tap \\"On\\" Time": "2026-03-01 08:00", "stop": 7}', '{"Stop": "A"}', '[1]'];
    const rows = await canonicalRows(opened.database, { source }, await jsonl(`${lines.join('\n')}\n`), null);
    expect(await opened.database.rows(rows.sql)).toEqual([
      ['2026-03-01 08:00', '7'],
      [null, null],
      [null, null],
    ]);
  });

  it('of Parquet keep the types of the file', async () => {
    const path = join(opened.folder, 'a.parquet');
    const values = `SELECT TIMESTAMP '2026-03-01 08:00:00' AS 'TAP "ON" TIME', 7::SMALLINT AS stop`;
    await opened.database.run(`COPY (${values}) TO '${path}' (FORMAT parquet)`);
    const rows = await canonicalRows(opened.database, { source }, { format: 'parquet', path }, null);
    expect([...rows.types]).toEqual([
      ['on_time', 'TIMESTAMP'],
      ['on_location', 'SMALLINT'],
    ]);
    expect(await opened.database.rows(rows.sql)).toEqual([[new Date('2026-03-01T08:00:00Z'), 7]]);
  });

  it('of a select are what it computes of each row, and no row less', async () => {
    const select = await checkSelect('SELECT upper(stop) AS on_location FROM source');
    const { sql, sqlWithRow } = await canonicalRows(opened.database, { source }, await csv('x;a\ny;b\n'), select);
    expect((await opened.database.rows(sql)).sort()).toEqual([['A'], ['B']]);
    expect((await opened.database.rows(sqlWithRow)).sort()).toEqual([
      ['{"tap \\"on\\" time":"x","Stop":"a"}', 'A'],
      ['{"tap \\"on\\" time":"y","Stop":"b"}', 'B'],
    ]);
  });

  it('are refused as OBJECT_SCHEMA when a column is not there, by the name that the series gives it', async () => {
    const other = { source: { ...source, columns: { on_time: 'nothing' } } };
    await expect(canonicalRows(opened.database, other, await csv(), null)).rejects.toMatchObject({
      code: 'OBJECT_SCHEMA',
      message: 'An object has no column nothing, which the series names for on_time.',
    });
    const select = await checkSelect('SELECT nothing AS on_location FROM source');
    await expect(canonicalRows(opened.database, { source }, await csv(), select)).rejects.toMatchObject({
      code: 'OBJECT_SCHEMA',
      message: 'The select of the series does not fit the columns of an object.',
    });
  });
});
