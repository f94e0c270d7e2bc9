import { describe, expect, test } from 'vitest';
import { certify } from '../../certificate/certify.ts';
import { TRIP_REQUEST } from '../../certificate/trip-request.fixture.ts';
import { ALL, type CountRow } from '../../derive/count-row.ts';
import { tableOf } from '../../derive/count-table.ts';
import type { ReleaseTables } from '../../derive/tables.ts';
import { noiseOfCells } from './declared-noise.ts';
import { checkDifferencing } from './differencing.ts';
import { marginTotals } from './sibling-totals.ts';

const certificate = certify({
  ...TRIP_REQUEST,
  split: { cells: '7', time: '1/2', location: '1/2' },
});

const row = (time: string, location: string, count: number): CountRow => ({
  mode: 'ferry',
  day: '2016-08-12',
  tap: 'off',
  time,
  location,
  count,
});

const tables = (margins: CountRow[]): ReleaseTables => ({
  cells: null,
  time: null,
  location: null,
  hours: null,
  remainder: null,
  margins: tableOf(margins),
});

const CELLS = [row('00:00', 'Manly', 91), row('00:00', 'Quay', 41), row('00:15', 'Manly', 30)];
const MARGINS = [
  row('00:00', ALL, 150),
  row('00:15', ALL, 28),
  row(ALL, 'Manly', 119),
  row(ALL, 'Quay', 44),
  row(ALL, 'Cremorne', 25),
];

// Nothing is random here.
describe('margins as totals', () => {
  test('cover the published cells of their line, and say how many are missing', () => {
    const totals = marginTotals({ cells: tableOf(CELLS), tables: tables(MARGINS), certificate });
    expect(totals.map(({ name, published, suppressed }) => [name, published.sum, published.cells, suppressed])).toEqual(
      [
        ['ferry 2016-08-12 off 00:00', 132, 2, 1],
        ['ferry 2016-08-12 off 00:15', 30, 1, 2],
        ['ferry 2016-08-12 off Manly', 121, 2, 0],
        ['ferry 2016-08-12 off Quay', 41, 1, 1],
        ['ferry 2016-08-12 off Cremorne', 0, 0, 2],
      ],
    );
    expect(totals.every(({ counted, scale }) => counted && scale === 8)).toBe(true);
  });

  test('pass, and report the interval of the single cell that they tell most of', () => {
    const check = checkDifferencing(
      marginTotals({ cells: tableOf(CELLS), tables: tables(MARGINS), certificate }),
      noiseOfCells(certificate),
      0.95,
    );
    expect(check).toMatchObject({ id: 'differencing', verdict: 'pass', statistic: 0 });
    expect(check.interval![0]).toBeGreaterThanOrEqual(0);
    expect(check.interval![1]).toBeLessThanOrEqual(11);
    expect(check.sentence).toContain('ferry 2016-08-12 off');
  });

  test('of one kind only, or none, have nothing to tell', () => {
    const times = MARGINS.filter(({ time }) => time !== ALL);
    expect(marginTotals({ cells: tableOf(CELLS), tables: tables(times), certificate })).toEqual([]);
    expect(marginTotals({ cells: tableOf(CELLS), tables: { ...tables([]), margins: null }, certificate })).toEqual([]);
  });
});
