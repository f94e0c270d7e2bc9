import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { isOneSentence, run } from '../../cli/process.fixture.ts';
import { auditReportSchema } from '../../contracts/audit-report.ts';
import { EXIT } from '../../contracts/errors.ts';
import { newFolder } from '../support/new-folder.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const OPAL = join(resolve(process.env.OPALINE_DATA ?? join(PROJECT, '..', 'shared', 'data')), 'opal');
const ABSENT = !existsSync(OPAL);

const folder = newFolder();
beforeAll(async () => {
  await writeFile(join(folder, 'location.csv'), 'mode,date,tap,loc,count\r\nbus,20260302,on,2000,40\r\n');
  await writeFile(
    join(folder, 'time-location.csv'),
    'mode,date,tap,time,loc,count\r\nbus,20260302,on,07:00,2000,25\r\nbus,20260302,on,07:15,2000,15\r\n',
  );
});

const audit = (...args: string[]) => run(['audit', ...args], { cwd: folder });

describe('`opaline audit`', () => {
  test.skipIf(ABSENT)(
    `refuses the real files of 2016 (4)${ABSENT ? ' (skipped: the data is not here)' : ''}`,
    async () => {
      const { code, stdout, stderr } = await audit(OPAL, '--json');
      expect({ code, stderr }).toEqual({ code: EXIT.refused, stderr: '' });
      const report = auditReportSchema.parse(JSON.parse(stdout));
      expect(report.verdict).toBe('fail');
      expect(report.checks.map(({ id }) => id)).toContain('threshold-recovery');
    },
  );

  test('waits for a person when numbers are declared without a proof (3)', async () => {
    const { code, stdout } = await audit(
      'location.csv',
      'time-location.csv',
      '--declare',
      'scale=0.5,threshold=9,delta=1e-6',
    );
    expect(code).toBe(EXIT.waiting);
    expect(stdout).toMatch(/^ATTENTION: .*\n\n! look {2}parameters: /);
  });

  test('passes what fits a series file (0)', async () => {
    const { code, stdout, stderr } = await audit('.', '--series', join(PROJECT, 'examples', 'demo.yaml'));
    expect({ code, stderr }).toEqual({ code: EXIT.done, stderr: '' });
    expect(stdout).toMatch(/^PASS: /);
  });

  test('`--json` holds the verdict, and of each check what the issue names', async () => {
    const { stdout } = await audit('location.csv', 'time-location.csv', '--json');
    const { verdict, checks } = JSON.parse(stdout);
    expect(verdict).toBe('fail');
    for (const check of checks)
      for (const name of ['id', 'attack', 'verdict', 'statistic', 'bound', 'interval', 'sentence'])
        expect(check).toHaveProperty(name);
  });

  test('`--html` writes a page, whole, and never over a file', async () => {
    const { code, stderr } = await audit('location.csv', 'time-location.csv', '--html', 'audit.html');
    expect({ code, stderr }).toEqual({ code: EXIT.refused, stderr: '' });
    const page = await readFile(join(folder, 'audit.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>.*<h1>Fail: .*<\/html>\n$/s);
    expect(page).not.toContain(folder);
    const again = await audit('location.csv', '--html', 'audit.html');
    expect(again.code).toBe(EXIT.badInput);
    expect(again.stderr).toBe('USAGE: audit.html is there already and is kept; name a new file.\n');
    expect(await readFile(join(folder, 'audit.html'), 'utf8')).toBe(page);
    expect((await readdir(folder)).sort()).toEqual(['audit.html', 'location.csv', 'time-location.csv']);
    await rm(join(folder, 'audit.html'));
  });

  test.each([
    ['location.csv', '--html', join('nowhere', 'audit.html')],
    ['missing.csv'],
    ['location.csv', '--columns', 'loc,count'],
    ['location.csv', '--declare', 'scale=none'],
    ['location.csv', '--series', 'missing.yaml'],
    [],
  ])('%s %s %s ends with 2 and one sentence', async (...args) => {
    const { code, stdout, stderr } = await audit(...args);
    expect({ stderr, sentence: isOneSentence(stderr), code, stdout }).toEqual({
      stderr,
      sentence: true,
      code: EXIT.badInput,
      stdout: '',
    });
  });
});
