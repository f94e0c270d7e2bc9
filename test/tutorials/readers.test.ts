import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect, test } from 'vitest';
import { summarySchema } from '../../contracts/formats/summary.ts';
import { FILES } from '../../contracts/names.ts';
import { PUBLISHED_TABLES } from '../../counts/tables/tap-tables.ts';
import { everyTable, everyTableDrawn } from '../support/every-table.ts';
import { publishRelease } from '../support/publish-release.ts';
import { providePython } from '../support/python-environment.ts';
import { testRelease } from '../support/test-release.ts';

/** What programs of others read of every table without an option: its total, and in Parquet its types. */
const FORMS = ['csv', 'parquet'] as const;
const NAMES = [...PUBLISHED_TABLES, 'totals'].flatMap((table) => FORMS.map((form) => FILES.table(table, form)));

let folder: string;
/** The total of each file, as the summary says. */
let stated: Record<string, number>;

beforeAll(async () => {
  const release = await testRelease(everyTable, everyTableDrawn(7));
  await publishRelease(release);
  folder = join(release.folder, 'publication', 'demo', '2026-03-02', 'v1');
  const { files } = summarySchema.parse(JSON.parse(await readFile(join(folder, FILES.summary), 'utf8')));
  stated = Object.fromEntries(files.flatMap(({ name, total }) => (total === undefined ? [] : [[name, total]])));
}, 240_000);

test('DuckDB: totals of both forms are those that the summary names, and the columns have the declared types', async () => {
  expect(Object.keys(stated).sort()).toEqual(NAMES.toSorted());
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', autoinstall_known_extensions: 'false' });
  const connection = await instance.connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
  for (const name of NAMES) {
    const [[total]] = (await rows(`SELECT sum(count)::BIGINT FROM '${join(folder, name)}'`)) as [[bigint]];
    expect([name, Number(total)]).toEqual([name, stated[name]]);
    const types = Object.fromEntries(
      (await rows(`DESCRIBE SELECT * FROM '${join(folder, name)}'`)).map(([column, type]) => [column, type]),
    );
    expect([name, types]).toMatchObject([name, { date: 'DATE', count: 'BIGINT', mode: 'VARCHAR' }]);
    if (!name.endsWith('parquet')) continue;
    if ('start' in types) expect([name, types]).toMatchObject([name, { start: 'TIMESTAMP', end: 'TIMESTAMP' }]);
    for (const column of ['tap', 'time', 'hour', 'loc'])
      if (column in types) expect([name, column, types[column]]).toEqual([name, column, 'VARCHAR']);
  }
  connection.closeSync();
  instance.closeSync();
});

const SCRIPT = `
import glob, json, pandas, pyarrow.csv, pyarrow.parquet
found = {}
tables = [n[:-8] for n in glob.glob("*.parquet") if n != "places.parquet"]
for name in sorted(t + end for t in tables for end in (".csv", ".parquet")):
    if name.endswith("parquet"):
        frame, table = pandas.read_parquet(name), pyarrow.parquet.read_table(name)
    else:
        frame, table = pandas.read_csv(name), pyarrow.csv.read_csv(name)
    types = {field.name: str(field.type) for field in table.schema}
    found[name] = [int(frame["count"].sum()), str(frame["count"].dtype), sum(table["count"].to_pylist()), types]
print(json.dumps(found))
`;

test('pandas and pyarrow: the same (skipped where PyPI cannot be reached)', async ({ skip }) => {
  const environment = await providePython('pandas', ['pandas==3.1.1', 'pyarrow==26.0.1']);
  if ('missing' in environment) return skip(environment.missing);
  const { stdout, stderr } = spawnSync(environment.python, ['-c', SCRIPT], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  const found: Record<string, [number, string, number, Record<string, string>]> = JSON.parse(stdout);
  expect(Object.keys(found).sort()).toEqual(NAMES.toSorted());
  for (const [name, [ofPandas, type, ofArrow, types]] of Object.entries(found)) {
    expect([name, ofPandas, ofArrow, type]).toEqual([name, stated[name], stated[name], 'int64']);
    expect([name, types]).toMatchObject([name, { date: 'date32[day]', count: 'int64' }]);
    if (!name.endsWith('parquet')) continue;
    if ('start' in types) expect([name, types]).toMatchObject([name, { start: 'timestamp[us]', end: 'timestamp[us]' }]);
    for (const column of ['mode', 'tap', 'time', 'hour', 'loc'])
      if (column in types) expect([name, column, types[column]]).toEqual([name, column, 'string']);
  }
}, 600_000);
