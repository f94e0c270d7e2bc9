import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AuditReport, auditReportSchema } from '../../contracts/audit-report.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { presenceProbability } from '../../counts/audit/checks/presence.ts';
import { parseDeclarations } from '../../foreign-audit/declaration.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import vectors from '../../test/vectors/attacks.json' with { type: 'json' };
import { publish } from '../verify/forgery.fixture.ts';
import { type AuditRequest, auditPublication } from './audit-publication.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const OPAL = join(resolve(process.env.OPALINE_DATA ?? join(PROJECT, '..', 'shared', 'data')), 'opal');
const ABSENT = !existsSync(OPAL);

const folder = newFolder();

async function file(name: string, lines: string[], end = '\r\n'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => line + end).join(''));
  return path;
}

async function audit(
  paths: string[],
  declare: string | null = null,
  more: Partial<AuditRequest> = {},
): Promise<AuditReport> {
  const declarations = declare === null ? new Map() : parseDeclarations(declare);
  if (typeof declarations === 'string') throw new TypeError(declarations);
  const { report } = await auditPublication({ paths, series: null, declarations, columns: null, ...more });
  return report;
}

const checkOf = (report: AuditReport, id: string) => report.checks.find((check) => check.id === id)!;

describe.skipIf(ABSENT)(`the real files of 2016${ABSENT ? ' (skipped: the data is not here)' : ''}`, () => {
  let report: AuditReport;
  beforeAll(async () => {
    report = await audit([OPAL]);
  });

  test('show the threshold of each table, from the data alone', () => {
    const { sentence, verdict, statistic } = checkOf(report, 'threshold-recovery');
    expect(sentence).toContain('34 in location_20160808-14.csv');
    expect(sentence).toContain('18 in train_tap_on_timeloc_20160725-31.csv');
    expect([verdict, statistic]).toEqual(['attention', 18]);
  });

  test('show what a lone person, five and twelve risk; the true chances lie in between', () => {
    const { sentence, interval, statistic } = checkOf(report, 'presence');
    for (const group of ['one person', 'a group of five', 'a group of twelve']) expect(sentence).toContain(group);
    const [, cells] = sentence.split(/with these chances: /).slice(1);
    const odds = [...cells!.matchAll(/1 in ([\d,]+)/g)].map((match) => 1 / Number(match[1]!.replaceAll(',', '')));
    // The release of 2017 has b = 1 and t = 17.588 there (vectors presence-004 to -006).
    [1, 5, 12].forEach((group, index) => {
      const truth = presenceProbability({ model: 'real-laplace', scale: 1, threshold: 17.588099280204055 }, group);
      expect(odds[2 * index]!).toBeLessThan(truth);
      expect(odds[2 * index + 1]!).toBeGreaterThan(truth);
    });
    expect(interval![1]).toBe(statistic);
  });

  test('are refused as unfit, with the reason, and with what cannot be learnt from them', () => {
    expect(report.verdict).toBe('fail');
    expect(checkOf(report, 'parameters')).toMatchObject({ verdict: 'fail', statistic: 2, bound: 0 });
    const gaps = checkOf(report, 'not-learnt');
    expect(gaps.verdict).toBe('attention');
    for (const gap of ['the scale of the noise', 'the ε and the δ', 'what was suppressed', 'tap-offs'])
      expect(gaps.sentence).toContain(gap);
    expect(checkOf(report, 'dependence')).toMatchObject({ verdict: 'attention', statistic: 2 });
  });

  test('end with two lines that are no CSV', () => {
    expect(checkOf(report, 'files')).toMatchObject({ verdict: 'attention', statistic: 2 });
    expect(checkOf(report, 'files').sentence).toContain('location_20160808-14.csv ends with 2 lines that are no CSV');
  });

  test('with a declared scale the risk is that of the vectors', async () => {
    const trains = join(OPAL, 'train_tap_on_timeloc_20160725-31.csv');
    const report = await audit([trains], 'scale=1,threshold=18,delta=1.25e-7');
    // presence-004: compared after rounding, which is as much as a reader of integers can know.
    expect(checkOf(report, 'presence').statistic! / 3.412801688167435e-8).toBeCloseTo(1, 12);
    expect(checkOf(await audit([trains], 'scale=1,threshold=18,delta=1e-8'), 'presence').verdict).toBe('fail');
  });

  test('with the parameters of the paper declared, nothing fails any more, but nothing is proved', async () => {
    const said = 'scale=1,threshold=18,location.scale=2,location.threshold=34,delta=1.25e-7';
    const declared = await audit([OPAL], said);
    expect(declared.checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(declared.verdict).toBe('attention');
    expect(checkOf(await audit([OPAL], said.replace('=34', '=35')), 'threshold-recovery').verdict).toBe('fail');
  });
});

describe('the secret ferry', () => {
  const cells = [
    'mode,date,tap,time,loc,count',
    'ferry,20160812,off,00:00,Circular Quay,91',
    'ferry,20160812,off,00:15,Circular Quay,41',
  ];
  const totals = ['mode,date,tap,loc,count', 'ferry,20160812,off,Circular Quay,150'];

  test.each([
    ['scale=1.4', 'differencing-integer-001'],
    ['scale=1,location.scale=2', 'differencing-integer-002'],
  ])('carries 18, between 11 and 25, with %s (vector %s)', async (scale, vector) => {
    const width = vectors.cases.find(({ id }) => id === vector)!.out.smallest_integer_half_width!['0.95'].half_width;
    const report = await audit(
      [await file('time-location.csv', cells), await file('location.csv', totals)],
      `${scale},threshold=18,delta=1e-6,noise=rounded-laplace`,
    );
    const found = checkOf(report, 'differencing');
    expect(found).toMatchObject({ verdict: 'fail', statistic: 1, interval: [18 - width, 18 + width] });
    expect(found.interval).toEqual([11, 25]);
    expect(found.sentence).toContain('150 in all and 132 in 2 published cells, which leaves 18 suppressed taps');
    expect(checkOf(report, 'dependence')).toMatchObject({ verdict: 'fail', statistic: 2 });
    expect(report.verdict).toBe('fail');
  });

  test('broken twin: a total that is the sum of its cells carries nothing', async () => {
    const sum = [totals[0]!, totals[1]!.replace('150', '132')];
    const report = await audit([await file('time-location.csv', cells), await file('location.csv', sum)], 'scale=1.4');
    expect(checkOf(report, 'differencing')).toMatchObject({ verdict: 'pass', statistic: 0 });
  });
});

describe('a publication of Opaline', () => {
  test('cells and remainder rows are in order, each in a file of its own', async () => {
    const own = join(folder, 'with-remainder');
    await mkdir(own);
    const head = 'mode,date,tap,time,loc,count';
    const files = {
      'time-location.csv': [head, 'bus,20260302,on,07:15,Manly,30', 'bus,20260302,on,07:30,Manly,40'],
      'remainder.csv': [head, 'bus,20260302,on,*,Manly,3', 'bus,20260302,on,07:15,*,3'],
      'manifest.json': ['{}'],
    };
    for (const [name, lines] of Object.entries(files)) await writeFile(join(own, name), `${lines.join('\r\n')}\r\n`);
    expect(checkOf(await audit([own]), 'order')).toMatchObject({ verdict: 'pass', statistic: 0 });
  });

  test('passes, with its own certificate and the checks of its own audit', async () => {
    const report = await audit([await publish()]);
    expect(report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'attention')).toEqual([]);
    expect(report.verdict).toBe('pass');
    const ids = report.checks.map(({ id }) => id);
    for (const id of ['certificate', 'sums', 'metadata', 'threshold-recovery', 'differencing'])
      expect(ids).toContain(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(auditReportSchema.parse(report)).toEqual(report);
  });

  test('of a kind that nobody knows how to attack is said not to have been tried', async () => {
    const copy = await publish();
    const path = join(copy, 'manifest.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace(/"kind": *"taps"/, '"kind":"occupancy"'));
    expect(checkOf(await audit([copy]), 'publication')).toMatchObject({
      verdict: 'not-tried',
      sentence: expect.stringContaining('is of occupancy, on which no attack is known'),
    });
  });

  test('broken twin: with a file missing it fails', async () => {
    const copy = await publish();
    await rm(join(copy, 'privacy.json'));
    const report = await audit([copy]);
    expect(checkOf(report, 'publication').verdict).toBe('fail');
    expect(report.verdict).toBe('fail');
  });
});

describe('files by the side of a publication', () => {
  const row = ['mode,date,tap,loc,count', 'bus,20260302,on,2000,40'];
  const place = async (where: string) => {
    await mkdir(join(folder, where), { recursive: true });
    return file(join(where, 'location.csv'), row);
  };

  test('that hold no counts are left out, and named', async () => {
    const notes = await file('README.md', ['Notes, on', 'the data']);
    const found = await audit([await file('counts.csv', row), notes]);
    expect(checkOf(found, 'files')).toMatchObject({
      verdict: 'attention',
      statistic: 1,
      sentence: 'Left out, for it holds no counts: README.md.',
    });
    expect(found.release).toBe('counts.csv');
  });

  test('are refused when no other holds counts, or when they are called CSV', async () => {
    const notes = await file('README.md', ['Notes, on', 'the data']);
    await expect(audit([notes])).rejects.toMatchObject({ code: 'OBJECT_SCHEMA' });
    const unknown = await file('unknown.csv', ['a,b,c', '1,2,3']);
    await expect(audit([await file('counts.csv', row), unknown])).rejects.toMatchObject({ code: 'OBJECT_SCHEMA' });
  });

  test('of one name are told apart by their folders, and say nothing of the machine', async () => {
    const paths = [await place('first/week'), await place('second/week')];
    const said = JSON.stringify(await audit(paths));
    expect(said).toContain('first/week/location.csv');
    expect(said).toContain('second/week/location.csv');
    expect(said).not.toContain(folder);
  });

  test('are read once, however often they are named', async () => {
    const path = await place('once');
    const { subject } = await auditPublication({
      paths: [path, join(folder, 'once'), path],
      series: null,
      declarations: new Map(),
      columns: null,
    });
    expect(subject.cover).toBe('1 table with 1 count on 2026-03-02.');
  });
});

describe('other files', () => {
  test('are read with --columns, whatever their header says', async () => {
    const path = await file(
      'stations.csv',
      ['Halt;Zahl', 'Manly,20,x,2016-08-12 07:15:00', 'Manly,19,y,2016-08-12 07:30'],
      '\n',
    );
    const report = await audit([path], null, { columns: ['loc', 'count', '-', 'datetime'] });
    expect(checkOf(report, 'threshold-recovery').sentence).toContain('19 in stations.csv (1 times)');
  });

  test.each<[string, string, () => Promise<string>]>([
    ['a file that is not there', 'OBJECT_UNREADABLE', async () => join(folder, 'nothing.csv')],
    ['an empty file', 'OBJECT_UNREADABLE', () => file('empty.csv', [])],
    ['a header alone', 'OBJECT_UNREADABLE', () => file('header.csv', ['mode,date,tap,loc,count'])],
    ['columns that nobody knows', 'OBJECT_SCHEMA', () => file('unknown.csv', ['a,b,c', '1,2,3'])],
    [
      'a folder without CSV files',
      'OBJECT_UNREADABLE',
      async () => {
        await mkdir(join(folder, 'bare'), { recursive: true });
        return join(folder, 'bare');
      },
    ],
  ])('%s gives one sentence', async (_, code, make) => {
    const error = await audit([await make()]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpalineError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^[^\n]+\.$/) });
  });
});
