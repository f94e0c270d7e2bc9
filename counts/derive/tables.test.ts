import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRows, deriveRows } from '../../test/support/draw-rows.ts';
import type { Margins, PrivatizedCell, TableRows } from '../../test/support/table-of-rows.ts';
import vectors from '../../test/vectors/consistency.json' with { type: 'json' };
import { PRIVATIZED_TABLE_FORMAT } from '../tables/columns.ts';
import { TAPS } from '../tables/tap-tables.ts';
import { ALL, type CountRow } from './count-row.ts';

const partition = { part: 'ferry', day: '2026-03-02' };

const table = (cells: PrivatizedCell[], remainder: Margins | null = null): TableRows => ({
  ...partition,
  format: PRIVATIZED_TABLE_FORMAT,
  cells,
  hours: null,
  margins: null,
  remainder: remainder && { fit: 'level', ...remainder },
});

/** Values of a vector file are of many shapes; this reads the one of the kind `derived`. */
const isText = (value: unknown): value is string => typeof value === 'string';

// The kinds gls and largest-remainder of the same file belong to the fit of remainder rows, which is not written yet.
test('C9: the golden vectors of derived tables', () => {
  const cases = vectors.cases.filter(({ kind }) => kind === 'derived');
  expect(cases.length).toBe(4);
  for (const { id, in: input, out } of cases) {
    const cells: PrivatizedCell[] = (input.cells ?? []).flatMap(([time, location, count]) =>
      isText(time) && isText(location) && typeof count === 'number' ? [['on', time, location, count]] : [],
    );
    const derived = deriveRows([table(cells)]);
    expect([id, derived.time.map(({ time, count }) => [time, count])]).toEqual([id, sums(out.time_only)]);
    expect([id, derived.location.map(({ location, count }) => [location, count])]).toEqual([
      id,
      sums(out.location_only),
    ]);
    expect(total(derived.cells)).toBe(out.total);
    expect(derived.cells.length).toBe(out.published_cells);
  }
});

const sums = (rows: unknown): unknown =>
  Array.isArray(rows) ? rows.map((row: unknown) => (Array.isArray(row) ? row.slice(0, 2) : row)) : rows;

const total = (rows: readonly CountRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const cellArbitrary = fc.tuple(
  fc.constantFrom(...TAPS),
  fc.constantFrom('00:00', '07:15', '07:30', '27:45'),
  fc.constantFrom('Manly', 'Ärger, "2"', '2000', 'UNKNOWN', '-1'),
  fc.integer({ min: 1, max: 1_000_000 }),
);
const cellsArbitrary = fc.uniqueArray(cellArbitrary, {
  selector: ([tap, time, location]) => `${tap}${time}${location}`,
});

test('C9: time and location tables are sums of the published cells, and no key is listed with 0', () => {
  fc.assert(
    fc.property(cellsArbitrary, (cells) => {
      const derived = deriveRows([table(cells)]);
      expect(total(derived.time)).toBe(total(derived.cells));
      expect(total(derived.location)).toBe(total(derived.cells));
      expect(derived.time.every(({ count }) => count > 0)).toBe(true);
      expect(new Set(derived.time.map(({ tap, time }) => tap + time))).toEqual(
        new Set(cells.map(([tap, time]) => tap + time)),
      );
      expect(derived.remainder).toBeNull();
      expect(derived.margins).toBeNull();
    }),
  );
});

test('C18: rows come in lexicographic order, whatever the order of cells and partitions', () => {
  fc.assert(
    fc.property(cellsArbitrary, cellsArbitrary, (a, b) => {
      const other = { ...table(b), part: 'bus' };
      const derived = deriveRows([table(a), other]);
      expect(deriveRows([other, table(a.toReversed())])).toEqual(derived);
      for (const rows of [derived.cells, derived.time, derived.location])
        expect(rows.every((row, index) => index === 0 || compareRows(rows[index - 1]!, row) < 0)).toBe(true);
    }),
  );
});

test('C9: with remainder rows the tables list the whole domain, zeros too', () => {
  const remainder: Margins = {
    time: [
      ['on', '00:00', 3],
      ['on', '00:15', 0],
    ],
    location: [
      ['on', 'Manly', 1],
      ['on', 'Mosman', 2],
      ['on', 'UNKNOWN', 0],
    ],
  };
  const derived = deriveRows([table([['on', '00:00', 'Manly', 20]], remainder)]);
  expect(derived.time.map(({ time, location, count }) => [time, location, count])).toEqual([
    ['00:00', ALL, 23],
    ['00:15', ALL, 0],
  ]);
  expect(derived.location.map(({ time, location, count }) => [time, location, count])).toEqual([
    [ALL, 'Manly', 21],
    [ALL, 'Mosman', 2],
    [ALL, 'UNKNOWN', 0],
  ]);
  expect(derived.remainder?.map(({ time, location }) => [time, location])).toEqual([
    [ALL, 'Manly'],
    [ALL, 'Mosman'],
    [ALL, 'UNKNOWN'],
    ['00:00', ALL],
    ['00:15', ALL],
  ]);
});

test('broken twin: a derivation that lists absent keys with 0 is caught by the vectors', () => {
  const withZeros = (keys: string[], rows: readonly CountRow[]) =>
    keys.map((time) => rows.find((row) => row.time === time)?.count ?? 0);
  const derived = deriveRows([table([['on', '00:00', 'Manly', 20]])]);
  expect(withZeros(['00:00', '00:15'], derived.time)).not.toEqual(derived.time.map(({ count }) => count));
});
