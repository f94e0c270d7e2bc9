import { describe, expect, test } from 'vitest';
import { certify } from '../../counts/certificate/certify.ts';
import { TRIP_REQUEST } from '../../counts/certificate/trip-request.fixture.ts';
import { ALL, type CountRow, rowKey } from '../../counts/derive/count-row.ts';
import { tableOf } from '../../counts/derive/count-table.ts';
import type { Table } from '../../counts/tables/tap-tables.ts';
import { auditForeign } from '../../foreign-audit/audit-foreign.ts';
import { parseForeignCsv } from '../../foreign-audit/foreign-csv.ts';
import { foreignSubject } from '../../foreign-audit/foreign-subject.ts';
import { type Declaration, type ForeignTable, NOTHING_DECLARED } from '../../foreign-audit/foreign-table.ts';
import { sbh2017, sbhParameters } from '../oracles/sbh-2017.ts';
import { compareRows, deriveRows, drawTable } from '../support/draw-rows.ts';
import { seededSource } from '../support/seeded-source.ts';
import { csvOf } from '../support/table-forms.ts';
import { type Day, SERVICES, syntheticFortnight } from './fortnight.fixture.ts';

const SHAPES: Table[] = ['time-location', 'time', 'location'];
type Tables = Record<Table, CountRow[]>;

/** Everything goes through CSV, as an attacker gets it. */
function published(tables: Tables, declared: Declaration): ForeignTable[] {
  return SHAPES.map((shape) => ({
    ...parseForeignCsv(new TextDecoder().decode(csvOf(shape, tableOf(tables[shape].sort(compareRows)))), null)!,
    name: `${shape}.csv`,
    source: null,
    declared,
  }));
}

/** The release of 2017: ε = 8 over six independent tables, δ of each 1.25e-7; b = 1 for cells and 2 for totals. */
function release2017(days: readonly Day[], seed: number): Tables {
  const random = seededSource(seed);
  const [cells, totals] = [sbhParameters(2, 1.25e-7), sbhParameters(1, 1.25e-7)];
  const tables: Tables = { 'time-location': [], time: [], location: [] };
  for (const { mode, day, counts } of days) {
    const drawn = sbh2017(counts, { timeLocation: cells, time: totals, location: totals }, random);
    for (const [tap, time, location, count] of drawn.timeLocation)
      tables['time-location'].push({ mode, day, tap, time, location, count });
    for (const [tap, time, count] of drawn.time) tables.time.push({ mode, day, tap, time, location: ALL, count });
    for (const [tap, location, count] of drawn.location)
      tables.location.push({ mode, day, tap, time: ALL, location, count });
  }
  return tables;
}

const certificate = certify(TRIP_REQUEST);

function opaline(days: readonly Day[], seed: number): Tables {
  const random = seededSource(seed);
  const drawn = days.map(({ mode, day, counts, domain }) =>
    drawTable({ part: mode, day }, counts, domain, certificate, random),
  );
  const { cells, time, location } = deriveRows(drawn);
  return { 'time-location': cells, time, location };
}

const subjectOf = (tables: ForeignTable[], services = SERVICES) =>
  foreignSubject({ name: 'fortnight', tables, leftOut: [], services, timetable: [], solve: null });
const checkOf = (report: ReturnType<typeof auditForeign>, id: string) =>
  report.checks.find((check) => check.id === id)!;

const days = syntheticFortnight(seededSource(2017));
const replayed = published(release2017(days, 1), NOTHING_DECLARED);

// Seeds are fixed; the interval of the scale misses once in 1,000.
describe('the release of 2017, replayed', () => {
  const report = auditForeign(subjectOf(replayed));

  test('shows the scale of its noise within the interval, and is within 10 % of it', () => {
    const { statistic, interval, verdict } = checkOf(report, 'scale');
    expect(verdict).toBe('attention');
    expect(interval![0]).toBeLessThanOrEqual(1);
    expect(interval![1]).toBeGreaterThanOrEqual(1);
    expect(Math.abs(statistic! - 1)).toBeLessThan(0.1);
  });

  test('shows its thresholds, 18 for cells and 34, or little more, for totals', () => {
    expect(checkOf(report, 'threshold-recovery').sentence).toMatch(
      /: 18 in time-location\.csv .* 34 in time\.csv .* 3[45] in location\.csv/,
    );
  });

  test('gives its suppressed cells away: the intervals hold the truth, and name thousands of taps', () => {
    const { differences } = subjectOf(replayed);
    const suppressed = suppressedTruth(days, replayed[0]!);
    const checked = differences.filter(({ difference }) => difference !== 0);
    const held = checked.filter(({ total, interval }) => {
      const truth = suppressed(total.location === ALL ? 'time' : 'location', rowKey(total));
      return interval[0] <= truth && truth <= interval[1];
    });
    expect(checked.length).toBeGreaterThan(1000);
    // 95 %, less what publication itself selects.
    expect(held.length / checked.length).toBeGreaterThan(0.93);
    const { verdict, interval } = checkOf(report, 'differencing');
    expect(verdict).toBe('fail');
    expect(interval![0]).toBeGreaterThan(0);
  });

  test('fails, and says that each tap was drawn three times', () => {
    expect(report.verdict).toBe('fail');
    expect(checkOf(report, 'dependence')).toMatchObject({ verdict: 'fail', statistic: 3, bound: 1 });
    expect(checkOf(report, 'parameters').verdict).toBe('fail');
  });

  test('broken twin: with a false scale declared, the pairs contradict it', () => {
    const honest = { ...NOTHING_DECLARED, model: 'rounded-laplace', scale: 1, threshold: 18, delta: 1.25e-7 } as const;
    const scaleOf = (declared: Declaration) =>
      checkOf(auditForeign(subjectOf(published(release2017(days, 1), declared))), 'scale');
    expect(scaleOf(honest).verdict).toBe('pass');
    expect(scaleOf({ ...honest, scale: 2 }).verdict).toBe('fail');
    expect(scaleOf({ ...honest, scale: 0.5 }).verdict).toBe('fail');
  });
});

describe('the same fortnight through the stability histogram, with derived tables', () => {
  const declared = { ...NOTHING_DECLARED, certificate };

  test.each([1, 2, 3])('passes every attack (seed %d)', (seed) => {
    const report = auditForeign(subjectOf(published(opaline(days, seed), declared)));
    expect(report.checks.filter(({ verdict }) => verdict !== 'pass').map(({ sentence }) => sentence)).toEqual([]);
    expect(report.verdict).toBe('pass');
    expect(checkOf(report, 'scale').statistic).toBeCloseTo(0.5, 1);
    expect(checkOf(report, 'differencing').statistic).toBe(0);
  });

  test('broken twins: a total off by one, a cell under T, a repeated key and a foreign certificate fail', () => {
    const tables = opaline(days, 1);
    const verdictOf = (changed: Partial<Tables>, said: Declaration = declared) =>
      auditForeign(subjectOf(published({ ...tables, ...changed }, said))).checks.flatMap(({ id, verdict }) =>
        verdict === 'fail' ? [id] : [],
      );
    const [first, ...rest] = tables.location;
    expect(verdictOf({ location: [{ ...first!, count: first!.count + 1 }, ...rest] })).toEqual([
      'differencing',
      'dependence',
    ]);
    const low = { ...tables['time-location'][0]!, time: '00:00', count: certificate.threshold! - 1 };
    expect(verdictOf({ 'time-location': [low, ...tables['time-location']] })).toContain('threshold-recovery');
    expect(verdictOf({ 'time-location': [...tables['time-location'], tables['time-location'][0]!] })).toContain(
      'order',
    );
    expect(verdictOf({}, { ...declared, certificate: { ...certificate, threshold: 5 } })).toContain('parameters');
  });
});

/** Truth: the taps of each total that the table of cells does not publish. */
function suppressedTruth(all: readonly Day[], fine: ForeignTable): (kind: 'time' | 'location', key: string) => number {
  const shown = new Set(fine.rows.map(rowKey));
  const sums = { time: new Map<string, number>(), location: new Map<string, number>() };
  for (const { mode, day, counts } of all)
    for (const [tap, time, location, count] of counts) {
      if (shown.has(rowKey({ mode, day, tap, time, location }))) continue;
      const byTime = rowKey({ mode, day, tap, time, location: ALL });
      const byLocation = rowKey({ mode, day, tap, time: ALL, location });
      sums.time.set(byTime, (sums.time.get(byTime) ?? 0) + count);
      sums.location.set(byLocation, (sums.location.get(byLocation) ?? 0) + count);
    }
  return (kind, key) => sums[kind].get(key) ?? 0;
}
