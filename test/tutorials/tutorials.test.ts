import { spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { summarySchema } from '../../contracts/formats/summary.ts';
import { providePython } from '../support/python-environment.ts';
import { publishedSeries } from '../validators/published-series.fixture.ts';

/** The blocks of docs/tutorials.md, each run in the folder of a published release. */
const ROOT = new URL('../../', import.meta.url).pathname;
const page = await readFile(join(ROOT, 'docs/tutorials.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);

let folder: string;
/** Total and half the width of the interval of each mode, as the release itself says. */
let stated: Map<string, { total: number; half: number }>;
/** Boardings of buses in published cells, by time. */
let cells: Map<string, number>;

beforeAll(async () => {
  const published = await publishedSeries();
  folder = published.newest;
  const { tables } = summarySchema.parse(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')));
  stated = new Map(
    tables[0]!.rows.map(([mode, text]) => {
      const [total, low, high] = (text!.match(/-?\d+/g) ?? []).map(Number);
      return [mode!, { total: total!, half: (high! - low!) / 2 }];
    }),
  );
  cells = new Map();
  for (const line of (await readFile(join(folder, 'time-location.csv'), 'utf8')).split('\r\n').slice(1)) {
    const [mode, , tap, time] = line.split(',');
    if (mode === 'bus' && tap === 'on') cells.set(time!, (cells.get(time!) ?? 0) + Number(line.split(',').at(-1)));
  }
});

/** Totals are those of the release, and the rule of thumb for their noise is near the exact one. */
function expectStated(rows: readonly [mode: string, total: number, half: number][]): void {
  expect(rows.map(([mode, total]) => [mode, total])).toEqual([...stated].map(([mode, { total }]) => [mode, total]));
  for (const [mode, , half] of rows) expect(half / stated.get(mode)!.half).toBeCloseTo(1, 0);
}

describe('SQL', () => {
  async function rowsOf(sql: string): Promise<unknown[][]> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1', autoinstall_known_extensions: 'false' });
    const connection = await instance.connect();
    await connection.run(`SET file_search_path = '${folder}'`);
    const rows = (await connection.runAndReadAll(sql)).getRows();
    connection.closeSync();
    instance.closeSync();
    return rows;
  }

  test('the page has three queries, and each gives what the release says', async () => {
    const [totals, profile, places, ...others] = blocks('sql');
    expect(others).toEqual([]);
    expectStated((await rowsOf(totals!)).map(([mode, total, half]) => [String(mode), Number(total), Number(half)]));
    const boardings = await rowsOf(profile!);
    expect(boardings).toHaveLength(96);
    for (const [time, count] of boardings)
      expect([time, Number(count) >= (cells.get(String(time)) ?? 0) - 1000]).toEqual([time, true]);
    expect((await rowsOf(places!)).map(([name]) => name)).toContain('Circular Quay');
  });
});

test('JavaScript: boardings by time, from the cells of the Parquet file', async () => {
  const [block, ...others] = blocks('js');
  expect(others).toEqual([]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'tutorial.mjs'), block!);
  const { stdout, stderr } = spawnSync(process.execPath, ['tutorial.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(new Map(JSON.parse(stdout))).toEqual(cells);
});

test('the notebook: totals, a day as a drawing, and what lies in published cells', async () => {
  await writeFile(join(folder, 'notebook.mjs'), blocks('mjs').join('\n'));
  const { stdout, stderr } = spawnSync(process.execPath, ['notebook.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  const [bus, ferry, between, ...others] = stdout.trim().split('\n');
  expect(others).toEqual([]);
  for (const [mode, line] of Object.entries({ bus, ferry })) {
    const [total, half] = line!.match(/-?\d+/g)!.map(Number);
    const rule = stated.get(mode)!;
    // Times and places give a total each; the release states that with less noise.
    expect([mode, Math.abs(total! - rule.total) <= half! + rule.half]).toEqual([mode, true]);
    expect(half).toBeGreaterThanOrEqual(Math.floor(rule.half * 0.9));
  }
  const shown = [...cells.values()].reduce((sum, count) => sum + count, 0);
  expect(between).toMatch(/^in published cells: \d+ of about \d+ boardings of buses$/);
  expect(Number(between!.match(/\d+/)![0])).toBeLessThanOrEqual(shown); // cells are of both days
  const svg = await readFile(join(folder, 'profile.svg'), 'utf8');
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain('boardings');
  expect(svg.match(/mark-area/g)).toHaveLength(1);
  expect(svg.match(/mark-line/g)).toHaveLength(1);
});

describe('Python, with pandas and pyarrow from PyPI', () => {
  let environment: Awaited<ReturnType<typeof providePython>>;
  beforeAll(async () => {
    environment = await providePython('pandas', ['pandas==3.1.1', 'pyarrow==26.0.1']);
  }, 600_000);

  const run = (python: string, block: string): string => {
    const { stdout, stderr } = spawnSync(python, ['-c', block], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim();
  };

  test('totals of modes', ({ skip }) => {
    if ('missing' in environment) return skip(environment.missing);
    const lines = run(environment.python, blocks('python')[0]!).split('\n').slice(1);
    expectStated(
      lines.map((line) => line.split(',')).map(([mode, total, half]) => [mode!, Number(total), Number(half)]),
    );
  });

  test('the Parquet file, with its types', async ({ skip }) => {
    if ('missing' in environment) return skip(environment.missing);
    expect(blocks('python')).toHaveLength(2);
    const [, ...lines] = (await readFile(join(folder, 'time-location.csv'), 'utf8')).trim().split('\r\n');
    const sum = lines.reduce((total, line) => total + Number(line.split(',').at(-1)), 0);
    expect(run(environment.python, blocks('python')[1]!)).toBe(`date32[day] int64 ${sum}`);
  });
});

test('Python: the blocks are Python, where there is an interpreter', () => {
  for (const input of blocks('python')) {
    const { error, status } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input });
    expect(error !== undefined || status === 0).toBe(true);
  }
});
