import { describe, expect, test } from 'vitest';
import { inColumns, type RowSubject } from '../../../test/support/row-subject.ts';
import { certify } from '../../certificate/certify.ts';
import { TRIP_REQUEST } from '../../certificate/trip-request.fixture.ts';
import type { CountRow } from '../../derive/count-row.ts';
import { NO_KNOWLEDGE } from '../subject.ts';
import { checkViews } from './dependence.ts';
import { checkTotals } from './differencing.ts';
import { checkKnownReuse } from './reuse.ts';
import { siblingTotals } from './sibling-totals.ts';

const parameters = {
  ...TRIP_REQUEST,
  split: { cells: '8' },
} as const;
const certificate = certify(parameters);
const other = certify({ ...parameters, epsilon: '4', split: { cells: '4' } });

/** Forty busy cells; `noise` says by how much each count is off. */
const cellsWith = (noise: (index: number) => number): CountRow[] =>
  Array.from({ length: 40 }, (_, index) => ({
    mode: 'bus',
    day: '2026-03-02',
    tap: 'on',
    time: '07:15',
    location: `Stop ${index}`,
    count: 1000 + noise(index),
  }));

type Sibling = RowSubject['knowledge']['siblings'][number];

const block = 'bus/2026-03-02';
const charges = (count: number) => ({ charges: new Map([[block, count]]), chances: count, deltaCap: 1e-6 });

const sibling = (change: Partial<Sibling> = {}): Sibling => ({
  release: 'sibling/2026-03-02/v1',
  certificate,
  cells: cellsWith((index) => (index % 3) - 1),
  minutes: 15,
  covering: new Set(['bus']),
  charged: new Set([block]),
  ...change,
});

type Subject = Pick<RowSubject, 'certificate' | 'cells' | 'domains' | 'knowledge'>;

const subjectWith = (siblings: Sibling[], knowledge: Partial<RowSubject['knowledge']> = {}): RowSubject => {
  const seen: Subject = {
    certificate,
    cells: cellsWith((index) => (index % 2) * 2),
    domains: new Map([[block, { taps: new Set(['on']), times: new Set(['07:15']), locations: null }]]),
    knowledge: { ...NO_KNOWLEDGE, earlier: [], ledger: charges(1), ...knowledge, siblings },
  };
  return {
    ...seen,
    release: 'demo/2026-03-02/v1',
    parameters,
    unknownPlaces: new Map([['bus', 'UNKNOWN']]),
    hours: [],
    remainder: [],
    drawn: null,
    tables: { cells: null, time: null, location: null, hours: null, remainder: null, margins: null },
    parquet: [],
    differing: [],
    texts: [],
    publicTexts: [],
    holes: [],
    unreadable: [],
  };
};

describe('views that siblings publish', () => {
  const single = checkViews(inColumns(subjectWith([]))).statistic!;

  test('a charged sibling is counted, and the statistic is that of both views', () => {
    const check = checkViews(inColumns(subjectWith([sibling()])));
    expect(check.verdict).toBe('pass');
    expect(check.statistic).toBeCloseTo(single / Math.SQRT2, 9);
  });

  test('broken twin: an uncharged sibling fails and is named', () => {
    const check = checkViews(inColumns(subjectWith([sibling({ charged: new Set() })])));
    expect(check).toMatchObject({ verdict: 'fail', bound: single });
    expect(check.statistic).toBeCloseTo(single / Math.SQRT2, 9);
    expect(check.sentence).toContain('The ledger holds no charge for sibling/2026-03-02/v1.');
  });

  test('a spare charge of the own series pays for no sibling', () => {
    const uncharged = sibling({ charged: new Set(['bus/2026-03-03']) });
    expect(checkViews(inColumns(subjectWith([uncharged], { ledger: charges(5) }))).verdict).toBe('fail');
  });

  test('a sibling counts with the variance of its own noise', () => {
    const paid = checkViews(inColumns(subjectWith([sibling({ certificate: other })])));
    expect(paid.verdict).toBe('pass');
    expect(paid.statistic).toBeLessThan(single);
    expect(paid.statistic).toBeGreaterThan(single / Math.SQRT2);
    const unpaid = checkViews(inColumns(subjectWith([sibling({ certificate: other, charged: new Set() })])));
    expect(unpaid).toMatchObject({ verdict: 'fail', bound: single });
    expect(unpaid.statistic).toBeCloseTo(paid.statistic!, 9);
  });

  test('a sibling that shows nothing of a partition is no view of it', () => {
    const elsewhere = sibling().cells.map((row) => ({ ...row, day: '2026-03-03' }));
    const check = checkViews(inColumns(subjectWith([sibling({ cells: elsewhere, charged: new Set() })])));
    expect(check).toMatchObject({ verdict: 'pass', statistic: single });
  });

  test('both ends of a service are two views of a sibling too, and a sibling that protects taps pays for one', () => {
    const services = [{ mode: 'bus', from: 'Stop 0', to: 'Stop 1', minutes: 15 }];
    expect(checkViews(inColumns(subjectWith([sibling()], { services }))).verdict).toBe('pass');
    const taps = certify({ ...parameters, unit: 'tap' });
    expect(checkViews(inColumns(subjectWith([sibling({ certificate: taps })], { services }))).verdict).toBe('fail');
  });
});

describe('totals that a sibling publishes of cells that are suppressed here', () => {
  const quarters = (shown: string[]): CountRow[] =>
    shown.map((time) => ({ ...cellsWith(() => 0)[0]!, time, count: 50 }));
  const times = new Set(['07:00', '07:15', '07:30', '07:45']);
  const domains = new Map([[block, { taps: new Set(['on']), times, locations: null }]]);
  const hourly = (change: Partial<Sibling> = {}) =>
    sibling({ minutes: 60, cells: [{ ...cellsWith(() => 0)[0]!, time: '07:00', count: 118 }], ...change });
  const subject = (one: Sibling, shown = ['07:00', '07:15']): RowSubject => ({
    ...subjectWith([one]),
    domains,
    cells: quarters(shown),
  });
  const unpaid: Partial<Sibling> = { charged: new Set() };

  test('an hour covers its four quarters, and what is left is that of the suppressed ones', () => {
    expect(siblingTotals(inColumns(subject(hourly())))).toMatchObject([{ count: 118, suppressed: 2, counted: true }]);
    expect(checkTotals(inColumns(subject(hourly())))).toMatchObject({ verdict: 'pass' });
  });

  test('broken twin: an hour that nobody paid for gives two quarters away, 18 taps', () => {
    const check = checkTotals(inColumns(subject(hourly(unpaid))));
    expect(check).toMatchObject({ verdict: 'fail', statistic: 1 });
    expect(check.sentence).toContain('sibling/2026-03-02/v1, bus 2026-03-02 on 07:00 Stop 0: 18 suppressed taps');
    const [lower, upper] = check.interval!;
    expect(lower).toBeLessThan(18);
    expect(upper).toBeGreaterThan(18);
    expect(lower + upper).toBe(36);
  });

  test('broken twin: the same cell in a sibling that nobody paid for shows a suppressed one', () => {
    const quarter = { ...unpaid, minutes: 15, cells: quarters(['07:30']) };
    expect(siblingTotals(inColumns(subject(sibling(quarter))))).toMatchObject([
      { published: { cells: 0 }, suppressed: 1, counted: false },
    ]);
    expect(checkTotals(inColumns(subject(sibling(quarter))))).toMatchObject({ verdict: 'fail', statistic: 1 });
  });

  test('nothing follows from cells that are all published, from other places, or from days that we do not have', () => {
    expect(siblingTotals(inColumns(subject(hourly(), [...times])))).toEqual([]);
    expect(siblingTotals(inColumns(subject(hourly({ covering: new Set() }))))).toEqual([]);
    const elsewhere = hourly().cells.map((row) => ({ ...row, day: '2026-03-03' }));
    expect(siblingTotals(inColumns(subject(hourly({ cells: elsewhere }))))).toEqual([]);
    const off = hourly().cells.map((row) => ({ ...row, tap: 'off' as const }));
    expect(siblingTotals(inColumns(subject(hourly({ cells: off }))))).toEqual([]);
  });
});

describe('noise that a sibling shows too', () => {
  const reuse = (one: Sibling) => checkKnownReuse(inColumns(subjectWith([one])), 1e-6);

  test('other noise passes, and the same noise fails, charged or not', () => {
    expect(reuse(sibling({ cells: cellsWith((index) => ((index + 1) % 2) * 2) }))).toMatchObject({
      verdict: 'pass',
      statistic: 0,
    });
    expect(reuse(sibling({ cells: cellsWith((index) => (index % 2) * 2) }))).toMatchObject({
      verdict: 'fail',
      statistic: 1,
    });
  });

  test('nothing is claimed of a sibling under another noise', () => {
    expect(reuse(sibling({ certificate: other, cells: cellsWith((index) => (index % 2) * 2) }))).toMatchObject({
      verdict: 'not-tried',
      pValue: null,
    });
  });
});
