import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { summarySchema } from '../../contracts/formats/summary.ts';
import { FILES } from '../../contracts/names.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { PINNED } from '../support/published-kinds.ts';
import { providePython } from '../support/python-environment.ts';

/** The lines with which a README lets readers begin, run as they are, in the folder of a release of each kind. */
describe.each(Object.keys(PINNED))('%s', (release) => {
  let folder: string;
  let lines: { python: string; r: string; sql: string };
  /** What SQL finds: the number of groups, and the sum over them. */
  let found: { groups: number; total: number };

  beforeAll(async () => {
    const made = await PINNED[release]!();
    await made.publish(1);
    folder = join(made.folder, '2026-03-02', 'v1');
    lines = summarySchema.parse(JSON.parse(await readFile(join(folder, FILES.summary), 'utf8'))).opening.lines!;
    const instance = await DuckDBInstance.create(':memory:', { threads: '1', autoinstall_known_extensions: 'false' });
    const connection = await instance.connect();
    await connection.run(`SET file_search_path = '${folder}'`);
    const rows = (await connection.runAndReadAll(lines.sql)).getRowsJS();
    found = { groups: rows.length, total: rows.reduce((sum, row) => sum + Number(row.at(-1)), 0) };
    connection.closeSync();
    instance.closeSync();
  }, 240_000);

  /** The last line prints two numbers: groups, and their sum. */
  function expectFound(program: string, words: readonly string[]): void {
    const { stdout, stderr, status } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const [groups, total] = stdout.trim().split('\n').at(-1)!.split(' ').map(Number);
    expect(groups).toBe(found.groups);
    expect(total).toBeCloseTo(found.total, 3);
  }

  test('SQL gives rows, and every line is in the README; none is too many', async () => {
    expect(found.groups).toBeGreaterThan(1);
    const readme = await readFile(join(folder, FILES.readme), 'utf8');
    for (const [language, text] of Object.entries(lines)) {
      expect(readme).toContain(`\`\`\`${language}\n${text}\n\`\`\``);
      expect(text.split('\n').length).toBeLessThanOrEqual(5);
    }
  });

  test('Python gives the same (skipped where PyPI cannot be reached)', async ({ skip }) => {
    const environment = await providePython('pandas', ['pandas==3.1.1', 'pyarrow==26.0.1']);
    if ('missing' in environment) return skip(environment.missing);
    expectFound(environment.python, ['-c', `${lines.python}\nprint(len(sums), float(sums.sum()))`]);
  }, 600_000);

  test('R gives the same', async () => {
    expectFound(await provideTool('r'), [
      '-e',
      `${lines.r}\ncat("\\n", nrow(sums), " ", sum(sums$total), "\\n", sep = "")`,
    ]);
  }, 600_000);
});
