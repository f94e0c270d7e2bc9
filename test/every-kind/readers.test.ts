import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TableShape } from '../../core/table/published-table.ts';
import { PUBLISHED_TABLES } from '../../counts/tables/tap-tables.ts';
import { STATUSES } from '../../kinds/occupancy/status-table.ts';
import { syntheticPrivacySchema } from '../../kinds/synthetic/privacy-file.ts';
import { MEASUREMENTS, weightsTable } from '../../kinds/synthetic/tables.ts';
import { TAPS_TABLES, totalsTable } from '../../kinds/taps/public/tables.ts';
import { readTable } from '../../services/publication/parquet-columns.ts';
import { writeForms } from '../../services/publication/table-parquet.ts';
import { newFolder } from '../support/new-folder.ts';
import { PINNED } from '../support/published-kinds.ts';

const READER = new URL('../../examples/readers/tables.mjs', import.meta.url).pathname;
const root = newFolder();
const run = promisify(execFile);

/** What the reader refuses of a folder, by what it looked at; and how much it found right. */
async function readerOf(folder: string): Promise<{ wrong: string[]; right: number }> {
  const output = await run(process.execPath, [READER, folder]).catch((error: { stdout: string; stderr: string }) => {
    if (error.stderr !== '') throw new Error(error.stderr);
    return error;
  });
  const lines = output.stdout.trim().split('\n');
  const wrong = lines.flatMap((line) => /^NO {2}(.+?): /.exec(line)?.[1] ?? []);
  return { wrong, right: lines.filter((line) => line.startsWith('ok  ')).length };
}

/** Writes both forms of a table again, as if its definition had two columns swapped. */
async function swapColumns(folder: string, { name, ...table }: TableShape & { name: string }, a: string, b: string) {
  const rows = readTable(table, await readFile(join(folder, `${name}.parquet`)), 1e6);
  const fieldOf = (wanted: string) => table.columns.find((column) => column.name === wanted)!.field;
  const fields = new Map([
    [fieldOf(a), fieldOf(b)],
    [fieldOf(b), fieldOf(a)],
  ]);
  const columns = table.columns.map((column) => ({ ...column, field: fields.get(column.field) ?? column.field }));
  for (const [file, bytes] of await writeForms(root, { name, columns }, rows))
    await writeFile(join(folder, file), bytes);
}

type Swap = [table: TableShape & { name: string }, column: string, other: string];

/** For each kind the columns that are swapped, in a publication of it. */
const SWAPS: Readonly<Record<string, (folder: string) => Swap[] | Promise<Swap[]>>> = {
  taps: () => [
    [TAPS_TABLES['time-location'], 'time', 'loc'],
    [TAPS_TABLES['time-location'], 'mode', 'tap'],
    [TAPS_TABLES['time-location'], 'start', 'end'],
  ],
  occupancy: () => [
    [STATUSES, 'stop', 'vehicle'],
    [STATUSES, 'part', 'run'],
    [STATUSES, 'stop', 'departure'],
  ],
  synthetic: async (folder) => {
    const { domain } = syntheticPrivacySchema.parse(JSON.parse(await readFile(join(folder, 'privacy.json'), 'utf8')));
    return [
      [weightsTable(domain), 'place', 'fare'],
      [MEASUREMENTS, 'query', 'cells'],
    ];
  },
};

test('the reader shares nothing with Opaline', async () => {
  expect(await readFile(READER, 'utf8')).not.toMatch(/from '(?!node:|@duckdb\/node-api')/);
});

describe.each(Object.keys(PINNED))('%s', (release) => {
  let folder: string;
  beforeAll(async () => {
    const made = await PINNED[release]!();
    await made.publish(1);
    folder = join(made.folder, '2026-03-02', 'v1');
  }, 240_000);

  async function changed(change: (copy: string) => Promise<unknown>): Promise<string[]> {
    const copy = await mkdtemp(join(root, 'changed-'));
    await cp(folder, copy, { recursive: true });
    await change(copy);
    return (await readerOf(copy)).wrong;
  }

  test(`${release}: a reader with other code finds in each column, in both forms, what it is said to hold`, async () => {
    const { wrong, right } = await readerOf(folder);
    expect(wrong).toEqual([]);
    const tables = (await readdir(folder)).filter((name) => name.endsWith('.parquet'));
    expect(right).toBeGreaterThan(10 * tables.length);
    // A table that is in no release here would be one that nobody reads.
    if (release === 'taps')
      expect(new Set(tables.map((name) => name.replace('.parquet', '')))).toEqual(
        new Set([...PUBLISHED_TABLES, 'places', 'totals']),
      );
  });

  test('look-alikes: a table and a column that nobody compares, a row more, and other words on a column', async () => {
    expect(await changed((copy) => writeFile(join(copy, 'days.csv'), 'day,count\r\n'))).toEqual([
      'tables that are known',
    ]);
    const [parquet] = (await readdir(folder)).filter((name) => name.endsWith('.parquet'));
    const csv = parquet!.replace('.parquet', '.csv');
    const lines = (await readFile(join(folder, csv), 'utf8')).trimEnd().split('\r\n');
    const put = (all: string[]) => (copy: string) =>
      writeFile(join(copy, csv), all.map((line) => `${line}\r\n`).join(''));
    expect(await changed(put([...lines, lines.at(-1)!]))).toEqual([`${csv}, rows`]);
    expect(await changed(put(lines.map((line, at) => `${line},${at === 0 ? 'card' : '1'}`)))).toEqual([
      `${csv}, columns`,
    ]);
    expect(await changed((copy) => rm(join(copy, parquet!)))).toContain(csv.replace('.csv', ''));
    const retyped = async (copy: string) => {
      const path = join(copy, 'data-dictionary.csv');
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replace(',1,string,', ',1,date,').replace(',1,date,Day', ',1,string,Day'),
      );
    };
    expect(await changed(retyped)).toHaveLength(1);
  });

  test.runIf(release.startsWith('taps'))(
    'cells without a column are refused, and the rest is read all the same',
    async () => {
      const { name, ...table } = TAPS_TABLES['time-location'];
      const lacking = async (copy: string) => {
        const rows = readTable(table, await readFile(join(copy, `${name}.parquet`)), 1e6);
        const columns = table.columns.filter(({ field }) => field !== 'end');
        for (const [file, bytes] of await writeForms(root, { name, columns }, rows))
          await writeFile(join(copy, file), bytes);
      };
      const wrong = await changed(lacking);
      expect(wrong).toContain(`${name}.parquet, columns`);
      if (release === 'taps-histogram')
        expect(wrong).toEqual(expect.arrayContaining(['time is a sum', 'totals are sums']));
    },
  );

  test('two columns of a definition in the place of each other are told, though both forms agree', async () => {
    const swaps = await SWAPS[release.split('-')[0]!]!(folder);
    if (release === 'taps') {
      const swapped = (copy: string) =>
        swapColumns(copy, totalsTable({ threshold: null, marginScales: {} }), 'count', 'high');
      expect(await changed(swapped)).toContain('totals.parquet, high');
    }
    for (const [table, a, b] of swaps) {
      const wrong = await changed((copy) => swapColumns(copy, table, a, b));
      expect(wrong).toEqual(expect.arrayContaining([`${table.name}.parquet, ${a}`, `${table.name}.parquet, ${b}`]));
    }
  });
});
