import { expect, test } from 'vitest';
import { canonicalJson } from '../../core/json/canonical.ts';
import { PRIVATIZED_TABLE_FORMAT } from '../../counts/tables/columns.ts';
import { rowsOfTable, type TableRows, tableOfRows } from '../../test/support/table-of-rows.ts';
import { privatizedTableSchema } from './privatized-table.ts';

const ROWS: TableRows = {
  format: PRIVATIZED_TABLE_FORMAT,
  part: 'bus',
  day: '2026-03-02',
  cells: [
    ['off', '07:15', 'Quay', 41],
    ['on', '07:30', 'Ärger', 9_007_199_254_740_991],
  ],
  hours: [['on', '07', 'Quay', 12]],
  margins: {
    time: [
      ['off', '07:15', -3],
      ['off', '07:30', 0],
      ['on', '07:15', 7],
      ['on', '07:30', 8],
    ],
    location: [],
  },
  remainder: null,
};

const stored = (): Record<string, unknown> => JSON.parse(canonicalJson(tableOfRows(ROWS)));

test('C18: what is stored reads back as the table that was drawn, in rows and in bytes', () => {
  const read = privatizedTableSchema.parse(stored());
  expect(rowsOfTable(read)).toEqual(ROWS);
  expect(canonicalJson(read)).toBe(canonicalJson(tableOfRows(ROWS)));
  expect(read).toMatchObject({ taps: ['off', 'on'], times: ['07:15', '07:30'], locations: ['Quay', 'Ärger'] });
});

const cells = { places: [0, 7], counts: [41, 9] };
test.each([
  ['a place beyond the domain', { cells: { ...cells, places: [0, 8] } }],
  ['a place below it', { cells: { ...cells, places: [-1, 7] } }],
  ['places out of order', { cells: { ...cells, places: [7, 0] } }],
  ['a place twice', { cells: { ...cells, places: [7, 7] } }],
  ['a place that is no whole number', { cells: { ...cells, places: [0.5, 7] } }],
  ['more places than counts', { cells: { ...cells, counts: [41] } }],
  ['a count with a fraction', { cells: { ...cells, counts: [41, 9.5] } }],
  ['a count beyond the safe integers', { cells: { ...cells, counts: [41, 2 ** 53] } }],
  ['a count that is text', { cells: { ...cells, counts: [41, '9'] } }],
  ['a total that is missing', { margins: { time: [1, 2, 3], location: [] } }],
  ['totals of another domain', { margins: { time: [], location: [1, 2, 3, 4, 5] } }],
  ['times out of order', { times: ['07:30', '07:15'] }],
  ['a tap that is none', { taps: ['in', 'on'] }],
  ['another remainder than by levels', { remainder: { fit: 'weighted', time: [], location: [] } }],
  ['another member', { exact: [3] }],
])('broken twin: %s is refused', (_, change) => {
  expect(privatizedTableSchema.safeParse({ ...stored(), cells }).success).toBe(true);
  expect(privatizedTableSchema.safeParse({ ...stored(), cells, ...change }).success).toBe(false);
});

test('rows that nobody can have drawn have no columns', () => {
  const twice: TableRows = { ...ROWS, cells: [...ROWS.cells, ROWS.cells[0]!] };
  const gap: TableRows = { ...ROWS, margins: { time: ROWS.margins!.time.slice(1), location: [] } };
  for (const rows of [twice, gap]) expect(() => tableOfRows(rows)).toThrow(TypeError);
});
