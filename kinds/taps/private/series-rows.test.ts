import { readdir } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { type RiskReport, riskReport } from '../../../custodian/risk/risk-report.ts';
import { type RiskSubject, withSubject } from '../../../custodian/risk/risk-subject.ts';
import { cellGains, quantile, rowGains } from '../../../test/oracles/information-gain.ts';
import { stageSeries } from './series-rows.ts';
import { StageBench, sameNames } from './stages.fixture.ts';

const COLUMNS = ['card', 'on_time', 'on_location', 'off_time', 'off_location'];
const HEADER = `${COLUMNS.join(',')}\n`;
/** Rows of each object, by its key. The last one is of the day after the window. */
const OBJECTS = {
  '2026-03-02/bus.csv': [
    'a,2026-03-02 08:03:00,2000,2026-03-02 08:21:00,2010',
    'b,2026-03-02 08:09:00,2000,2026-03-02 08:22:00,elsewhere',
    'a,2026-03-02 17:31:00,2010,,',
    'a line that is no row',
  ],
  '2026-03-02/train.csv': ['b,2026-03-02 08:44:00,Central,2026-03-02 08:59:00,Town Hall'],
  '2026-03-04/bus.csv': ['c,2026-03-04 08:00:00,2000,2026-03-04 08:05:00,2000'],
};
const KEPT = ['2026-03-02/bus.csv', '2026-03-02/train.csv'];

let bench: StageBench;
let report: RiskReport;
const windowOf = (window: string): RiskSubject => ({
  kind: 'series',
  series: bench.series.series,
  window,
  stage: (database, folder) => stageSeries({ context: bench.context, database, folder, series: bench.series }, window),
});
beforeAll(async () => {
  bench = await StageBench.open({ source: { columns: sameNames(COLUMNS) }, days: 2 });
  for (const [key, rows] of Object.entries(OBJECTS)) await bench.deliver(key, `${HEADER}${rows.join('\n')}\n`);
  report = await withSubject(bench.context, windowOf(bench.run().window), (opened) =>
    riskReport(opened, { known: null, bins: [], key: Buffer.from('key') }),
  );
});

/** The rows as a person would write them down. */
const table = KEPT.flatMap((key) =>
  OBJECTS[key as keyof typeof OBJECTS]
    .map((line) => line.split(','))
    .filter((cells) => cells.length === COLUMNS.length)
    .map(([, onTime, on, offTime, off]) => {
      const mode = key.includes('bus') ? 'bus' : 'train';
      return [mode, onTime!, `${mode}/${on}`, offTime!, off === '' ? '' : `${mode}/${off}`];
    }),
);

const rig95 = (rows: string[][]): number => quantile(rowGains(cellGains(rows)), 0.95);

test('the rows of a window are those of its days, in the columns of the series', () => {
  expect(report.columns).toEqual(['mode', 'on_time', 'on_location', 'off_time', 'off_location']);
  expect(report.rows).toBe(4);
  expect(report.risk.rows.percentile95).toBeCloseTo(rig95(table), 8);
});

test('the card is the id, and time orders its rows', () => {
  expect(report.trajectories!.ids).toBe(2);
  expect(report.trajectories!.steps.map(({ ids }) => ids)).toEqual([2, 2]);
});

test('what changes is what the bins and the dictionary of the series say', () => {
  const bin = (time: string): string =>
    time === ''
      ? ''
      : `${time.slice(0, 14)}${String(Math.floor(Number(time.slice(14, 16)) / 15) * 15).padStart(2, '0')}`;
  const names: Record<string, string> = {
    'train/Central': 'Central Station',
    'train/Town Hall': 'Town Hall Station',
    'bus/2000': '2000',
    'bus/2010': '2010',
    '': '',
  };
  const place = (name: string): string => names[name] ?? 'UNKNOWN';
  const coarse = table.map(([mode, on, from, off, to]) => [mode!, bin(on!), place(from!), bin(off!), place(to!)]);
  expect(report.changed!.risk.rows.percentile95).toBeCloseTo(rig95(coarse), 8);
  expect(report.changed!.rules).toEqual(['as it is', '15 minutes', 'location', '15 minutes', 'location']);
});

test('objects that are missing are named, and no copy stays in scratch', async () => {
  expect(report.missing.length).toBeGreaterThan(0);
  expect(report.missing.every((key) => /^2026-03-0\d\/(bus|train)\.csv$/.test(key))).toBe(true);
  expect(await readdir(bench.context.scratch)).toEqual([]);
});

test('a window without objects is refused', async () => {
  await expect(withSubject(bench.context, windowOf('2026-03-09'), async () => null)).rejects.toMatchObject({
    code: 'OBJECT_MISSING',
  });
});
