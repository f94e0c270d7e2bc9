import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../services/sql/open-database.fixture.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { formatByName, sampleColumns, usualDelimiter } from './sample-columns.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
});
afterAll(() => opened.close());

const HEAD = '\ufeffcard, "start; or not" ,end\r\nsecret,1,2\r\n';
const CSV = { format: 'csv', compression: 'none', delimiter: ',', encoding: 'utf-8' } as const;
const columnsOf = (key: string, format: Parameters<typeof sampleColumns>[2]) =>
  sampleColumns(new FolderStore(opened.folder), key, format);

test('C17: the names of the columns of a CSV are those of its first row, and nothing else is given', async () => {
  await writeFile(join(opened.folder, 'a.csv'), HEAD.replaceAll(' ', ''));
  await writeFile(join(opened.folder, 'a.csv.gz'), gzipSync(HEAD.replaceAll(' ', '')));
  const names = ['card', 'start;ornot', 'end'];
  expect(await columnsOf('a.csv', CSV)).toEqual(names);
  expect(await columnsOf('a.csv.gz', { ...CSV, compression: 'gzip' })).toEqual(names);
});

test('a first row of another encoding is asked for, and then read in it', async () => {
  await writeFile(join(opened.folder, 'd.csv'), Buffer.from('zeit,ger\xe4t\n', 'latin1'));
  await expect(columnsOf('d.csv', CSV)).rejects.toThrow(
    'The first row of d.csv is not UTF-8; name --encoding latin-1.',
  );
  expect(await columnsOf('d.csv', { ...CSV, encoding: 'latin-1' })).toEqual(['zeit', 'gerät']);
});

test('of a Parquet file they are those of its schema', async () => {
  const path = join(opened.folder, 'b.parquet');
  await opened.database.run(`COPY (SELECT 'secret' AS "Card Id", 1 AS start) TO '${path}' (FORMAT parquet)`);
  expect(await columnsOf('b.parquet', { ...CSV, format: 'parquet' })).toEqual(['Card Id', 'start']);
});

test('what cannot be read is told without a word of it', async () => {
  await writeFile(join(opened.folder, 'c.parquet'), 'secret');
  await writeFile(join(opened.folder, 'c.csv.gz'), 'secret');
  await expect(columnsOf('none.csv', CSV)).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
  for (const [key, format] of [
    ['c.parquet', { ...CSV, format: 'parquet' }],
    ['c.csv.gz', { ...CSV, compression: 'gzip' }],
  ] as const) {
    const error = await columnsOf(key, format).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'OBJECT_UNREADABLE' });
    expect(String(error)).not.toContain('secret');
  }
});

test.each([
  ['x/2026.CSV', { format: 'csv', compression: 'none' }],
  ['x.ndjson.gz', { format: 'jsonl', compression: 'gzip' }],
  ['x.zip', { format: 'csv', compression: 'zip' }],
  ['x.jsonl.zip', { format: 'jsonl', compression: 'zip' }],
  ['x.parquet', { format: 'parquet', compression: 'none' }],
  ['x.parquet.gz', null],
  ['x.TSV', { format: 'csv', compression: 'none' }],
  ['x.dat.gz', { format: 'csv', compression: 'gzip' }],
  ['a.b/x.json.zip', { format: 'json', compression: 'zip' }],
  ['csv', null],
  ['x.xlsx', null],
])('the name %s says how the file is written', (name, format) => {
  expect(formatByName(name)).toEqual(format);
});

test('what somebody says of a file is more than its name', () => {
  expect(formatByName('x.dump', 'csv')).toEqual({ format: 'csv', compression: 'none' });
  expect(formatByName('x.csv.gz', 'jsonl')).toEqual({ format: 'jsonl', compression: 'gzip' });
  expect(formatByName('x.gz', 'parquet')).toBeNull();
});

test.each([
  ['tabs.txt', 'card\tstart, or not\tend;\n1,2,3,4,5\n', 'tab'],
  ['semicolons.csv', '"a, b, c, d";start;end\n', ';'],
  ['bars.dat', 'card|start\n', '|'],
  ['even.csv', 'card,start;end\n', ','],
  ['one.csv', 'card\n', ','],
  ['one.tsv', 'card\n', 'tab'],
  ['archive.tsv.zip', 'a;b', 'tab'],
])('C17: the header row of %s says what is between its fields, and no other row does', async (key, text, delimiter) => {
  await writeFile(join(opened.folder, key), text);
  const compression = key.endsWith('zip') ? 'zip' : 'none';
  const how = { format: 'csv', compression, encoding: 'utf-8' } as const;
  const usual = (hasHeader: boolean) => usualDelimiter(new FolderStore(opened.folder), key, { ...how, hasHeader });
  expect(await usual(true)).toBe(delimiter);
  expect(await usual(false)).toBe(key.includes('.tsv') ? 'tab' : ',');
});
