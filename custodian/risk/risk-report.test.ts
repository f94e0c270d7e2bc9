import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cellGains, quantile, rowGains, sharedInformation } from '../../test/oracles/information-gain.ts';
import { type AdviceQuestion, type RiskAdvice, riskAdvice } from './advice.ts';
import { advicePage } from './advice-page.ts';
import { readLevels } from './levels-file.ts';
import { riskPage } from './report-page.ts';
import { openCustodianSide, TRIPS } from './risk.fixture.ts';
import { type RiskQuestion, type RiskReport, riskReport } from './risk-report.ts';
import { type RiskSubject, withSubject } from './risk-subject.ts';

const NEAR = 8;
const KEY = Buffer.from('a key for tests');
const QUESTION: RiskQuestion = { known: null, bins: [], key: KEY };
const BINS = [{ columns: ['on_time'], words: ['60'] }];

let side: Awaited<ReturnType<typeof openCustodianSide>>;
let trips: string;
let usual: RiskReport;
beforeAll(async () => {
  side = await openCustodianSide();
  trips = join(side.folder, 'trips.csv');
  await writeFile(trips, `${TRIPS}\n`);
  usual = await reportOf(subject(), { ...QUESTION, bins: BINS });
});

const subject = (path = trips, columns = {}): RiskSubject => ({
  kind: 'file',
  path,
  columns: { measured: null, id: 'card', order: 'on_time', ...columns },
  levels: new Map(),
});
const reportOf = (of: RiskSubject, question = QUESTION): Promise<RiskReport> =>
  withSubject(side.context, of, (opened) => riskReport(opened, question));

/** The measured columns of the trips, as people read them. */
const TABLE = TRIPS.split('\n')
  .slice(1)
  .map((line) => line.split(',').slice(1));

describe('the risk report', () => {
  test('has the measures of the plain way, and of the bins that were chosen', () => {
    const report = usual;
    const gains = cellGains(TABLE);
    expect(report.columns).toEqual(['mode', 'on_time', 'on_stop']);
    expect(report.rows).toBe(TABLE.length);
    expect(report.risk.rows.percentile95).toBeCloseTo(quantile(rowGains(gains), 0.95), NEAR);
    for (const [column, { gain }] of report.risk.columns.entries())
      expect(gain.median).toBeCloseTo(
        quantile(
          gains.map((row) => row[column]!),
          0.5,
        ),
        NEAR,
      );
    const coarse = TABLE.map(([mode, time, stop]) => [mode!, `${time!.slice(0, 13)}:00`, stop!]);
    expect(report.changed!.risk.rows.percentile95).toBeCloseTo(quantile(rowGains(cellGains(coarse)), 0.95), NEAR);
    const [own, then] = [sharedInformation(TABLE, TABLE), sharedInformation(TABLE, coarse)];
    for (const [i, row] of report.changed!.loss.matrix.entries())
      for (const [j, bits] of row.entries()) expect(bits).toBeCloseTo(own[i]![j]! - then[i]![j]!, NEAR);
    expect(report.changed!.rules).toEqual(['as it is', '60 minutes', 'as it is']);
  });

  test('names the rows by a hash, and holds no value of the data but the names of its columns', async () => {
    const report = usual;
    const text = JSON.stringify(report) + (await riskPage(report, 'trips'));
    for (const word of ['CARD-CANARY', 'LONELY-STOP-CANARY', '03:07', 'card-1', 'stop-1'])
      expect(text.includes(word), word).toBe(false);
    expect(report.exposed[0]!.name).toMatch(/^[0-9a-f]{12}$/);
    const other = await reportOf(subject(), { ...QUESTION, key: Buffer.from('another key') });
    expect(other.exposed[0]!.gains).toEqual(report.exposed[0]!.gains);
    expect(other.exposed[0]!.name).not.toBe(report.exposed[0]!.name);
  });

  test('says what a card tells by its first trips', async () => {
    const { trajectories } = usual;
    expect(trajectories!.ids).toBe(7);
    expect(trajectories!.steps.map(({ ids }) => ids)).toEqual([7, 6, 6, 6]);
  });

  test('is the same for the same table, and leaves no copy of it in scratch', async () => {
    expect(await reportOf(subject(), { ...QUESTION, bins: BINS })).toEqual(usual);
    expect(await readdir(side.context.scratch)).toEqual([]);
  });

  test('of an attacker who knows less tells less', async () => {
    const less = await reportOf(subject(trips, { id: null, order: null }), { ...QUESTION, known: ['mode'] });
    expect(less.risk.rows.percentile95).toBeLessThan(usual.risk.rows.percentile95);
    expect(less).toMatchObject({ known: ['mode'], trajectories: null });
  });

  test.each([
    ['a column that is not there', subject('', { measured: ['none'] }), QUESTION, 'USAGE'],
    [
      'bins of a column that is not there',
      subject(),
      { ...QUESTION, bins: [{ columns: ['x'], words: ['15'] }] },
      'USAGE',
    ],
    [
      'bins that do not divide a day',
      subject(),
      { ...QUESTION, bins: [{ columns: ['on_time'], words: ['7'] }] },
      'USAGE',
    ],
    [
      'a level that nobody named',
      subject(),
      { ...QUESTION, bins: [{ columns: ['on_stop'], words: ['zone'] }] },
      'USAGE',
    ],
    ['a file that is not there', subject('none.csv'), QUESTION, 'USAGE'],
    ['a file of another kind', subject('none.txt'), QUESTION, 'USAGE'],
  ])('refuses %s', async (_, of, question, code) => {
    const named = of.kind === 'file' && of.path === '' ? { ...of, path: trips } : of;
    await expect(reportOf(named, question)).rejects.toMatchObject({ code });
  });

  test('refuses a table without rows, and what is no Parquet, and quotes nothing of it', async () => {
    const [empty, broken] = [join(side.folder, 'empty.csv'), join(side.folder, 'broken.parquet')];
    await writeFile(empty, 'card,on_time\n');
    await writeFile(broken, 'CARD-CANARY');
    await expect(reportOf(subject(empty))).rejects.toMatchObject({ code: 'USAGE' });
    const error = await reportOf(subject(broken)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'OBJECT_UNREADABLE', message: expect.not.stringContaining('CANARY') });
  });
});

describe('the page', () => {
  test('is one file that loads and runs nothing, says that it is confidential, and escapes names', async () => {
    const page = await riskPage({ ...usual, columns: ['<b>', 'on_time', 'on_stop'] }, '<script>');
    expect(page).toContain('Confidential');
    expect(page).not.toMatch(/<script|<b>|https?:|url\(/);
    expect(page).toContain("default-src 'none'");
  });
});

const LEVELS = 'stop,zone\nstop-0,north\nstop-1,north\nstop-2,south\nstop-3,south\n';

describe('advice', () => {
  const question: AdviceQuestion = {
    known: null,
    choices: [
      { columns: ['on_time'], words: ['keep', '60', '1440'] },
      { columns: ['on_stop'], words: ['keep', 'zone', 'drop'] },
    ],
    goal: { kind: 'risk', most: 4 },
    cells: [['on_time', 'on_stop']],
    noise: { scale: '1/2', threshold: 3 },
  };
  const adviceOf = async (changes: Partial<AdviceQuestion> = {}) => {
    const path = join(side.folder, 'levels.csv');
    await writeFile(path, LEVELS);
    const levels = new Map([['on_stop', await readLevels(path)]]);
    const of = { ...subject(), levels } as RiskSubject;
    return withSubject(side.context, of, (opened) => riskAdvice(opened, { ...question, ...changes }));
  };

  let advice: RiskAdvice;
  beforeAll(async () => {
    advice = await adviceOf();
  });

  test('tries the whole lattice; what is dropped tells nothing and keeps nothing', () => {
    expect(advice.tried).toHaveLength(9);
    expect(advice.tried[0]).toMatchObject({ risk: advice.original, utility: 1, loss: 0 });
    const day = TABLE.map(([mode, time]) => [mode!, time!.slice(0, 10)]);
    expect(advice.tried.at(-1)!.risk).toBeCloseTo(quantile(rowGains(cellGains(day)), 0.95), NEAR);
    expect(advice.chosen!.risk).toBeLessThanOrEqual(4);
    for (const one of advice.tried.filter(({ risk }) => risk <= 4))
      expect(one.utility).toBeLessThanOrEqual(advice.chosen!.utility);
    expect(advice.warning).toContain('not covered by its certificate (C17)');
    expect(advice.snippet).toMatch(/^bins:|^#/);
  });

  test('coarser cells are published more; coarser columns keep less', () => {
    const at = (...words: string[]) =>
      advice.tried.find((one) => words.every((word, index) => one.words[index + 1] === word))!;
    expect(at('1440 minutes', 'zone').published).toBeGreaterThan(at('as it is', 'as it is').published!);
    expect(at('1440 minutes', 'dropped').utility).toBeLessThan(at('1440 minutes', 'zone').utility);
    expect(at('60 minutes', 'as it is').utility).toBeLessThan(at('as it is', 'as it is').utility);
  });

  test('says so when nothing meets the goal, and when there is too much to try', async () => {
    const none = { ...advice, chosen: null, snippet: null };
    expect(await advicePage(none, 'trips')).toContain('Nothing that was tried reaches');
    const many = [{ columns: ['on_time'], words: Array.from({ length: 201 }, () => 'keep') }];
    await expect(adviceOf({ choices: many })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(adviceOf({ choices: [] })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('its page has the bins, the warning, and nothing of the data', async () => {
    const page = await advicePage(advice, 'trips');
    expect(page).toContain('not covered by its certificate');
    expect(page).not.toMatch(/CANARY|stop-1|north|<script/);
  });
});
