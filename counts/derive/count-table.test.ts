import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRows } from '../../test/support/draw-rows.ts';
import { TAPS } from '../tables/tap-tables.ts';
import { ALL, type CountRow, partitionOfRow, rowKey } from './count-row.ts';
import {
  byPartition,
  bySlice,
  compareAt,
  isOrdered,
  NO_ROWS,
  rowsOf,
  sameTables,
  sliceKey,
  sortRows,
  tableOf,
  totalOf,
} from './count-table.ts';
import { countFinder } from './row-finder.ts';
import { linesOf } from './table-lines.ts';

const rowArbitrary: fc.Arbitrary<CountRow> = fc.record({
  mode: fc.constantFrom('bus', 'bus-x', 'train'),
  day: fc.constantFrom('2026-03-02', '2026-03-03'),
  tap: fc.constantFrom(...TAPS),
  time: fc.constantFrom('07:15', '08:00', '27:45', ALL),
  location: fc.constantFrom('Quay', 'quay', 'Ärger, "2"', '駅', '🚌', '', ALL),
  count: fc.maxSafeInteger(),
});
const rowsArbitrary = fc.array(rowArbitrary, { maxLength: 40 });

test('a table holds the rows that it was made of, in their order, and its lists are in order', () => {
  fc.assert(
    fc.property(rowsArbitrary, (rows) => {
      const table = tableOf(rows);
      expect([...rowsOf(table)]).toEqual(rows);
      for (const list of [table.times, table.locations, table.slices.map(sliceKey)])
        expect(new Set(list).size).toBe(list.length);
      for (const list of [table.times, table.locations]) expect(list).toEqual(list.toSorted());
      expect(totalOf(table)).toBe(rows.reduce((sum, { count }) => sum + count, 0));
    }),
  );
});

test('C18: codes compare as the rows do, and a table in order has them in that order', () => {
  fc.assert(
    fc.property(rowsArbitrary, (rows) => {
      const table = tableOf(rows);
      for (const [at, row] of rows.entries())
        expect(Math.sign(compareAt(table, at, 0))).toBe(compareRows(row, rows[0]!));
      expect([...rowsOf(sortRows(table))]).toEqual(rows.toSorted(compareRows));
      expect(isOrdered(table)).toBe(rows.every((row, at) => at === 0 || compareRows(rows[at - 1]!, row) < 0));
    }),
  );
});

test('tables are the same when their rows are, whatever else their lists name', () => {
  fc.assert(
    fc.property(rowsArbitrary, rowsArbitrary, (rows, others) => {
      const table = tableOf(rows);
      const wider = byPartition(tableOf([...rows, ...others.map((row) => ({ ...row, mode: 'ferry' }))]));
      const parts = [...byPartition(table)];
      expect(parts.every(([partition, part]) => sameTables(part, wider.get(partition)!))).toBe(true);
      expect(sameTables(table, tableOf(others))).toBe(JSON.stringify(rows) === JSON.stringify(others));
      // Broken twins: another count, another label, a row less.
      if (rows.length === 0) return;
      const [first, ...rest] = rows as [CountRow, ...CountRow[]];
      for (const twin of [
        [{ ...first, count: first.count - 1 }, ...rest],
        [{ ...first, time: '09:00' }, ...rest],
        rest,
      ])
        expect(sameTables(table, tableOf(twin))).toBe(false);
    }),
  );
});

test('groups have the rows of their partition or slice, in the order of the table', () => {
  fc.assert(
    fc.property(rowsArbitrary, (rows) => {
      const table = tableOf(rows);
      const groups = [...byPartition(table)].map(([name, part]) => [name, [...rowsOf(part)]]);
      expect(groups.length).toBe(new Set(rows.map(partitionOfRow)).size);
      for (const [name, part] of groups) expect(part).toEqual(rows.filter((row) => partitionOfRow(row) === name));
      for (const [key, part] of bySlice(table))
        expect([...rowsOf(part)]).toEqual(rows.filter((row) => sliceKey(row) === key));
    }),
  );
});

test('a finder gives the count of each key, and none of a key that no row has', () => {
  fc.assert(
    fc.property(rowsArbitrary, rowsArbitrary, (rows, others) => {
      const find = countFinder(tableOf(rows));
      const last = new Map(rows.map((row) => [rowKey(row), row.count]));
      for (const row of [...rows, ...others]) expect(find(row)).toBe(last.get(rowKey(row)));
    }),
  );
});

test('lines add up the rows of each time or location, over all tables', () => {
  fc.assert(
    fc.property(rowsArbitrary, rowsArbitrary, fc.constantFrom('time', 'location'), (first, second, kind) => {
      const small = (rows: CountRow[]) => rows.map((row) => ({ ...row, count: row.count % 1000 }));
      const all = [...small(first), ...small(second)];
      const { table, rows } = linesOf([tableOf(small(first)), tableOf(small(second))], kind);
      const other = kind === 'time' ? 'location' : 'time';
      const expected = Map.groupBy(all, (row) => rowKey({ ...row, [other]: ALL }));
      expect(isOrdered(table)).toBe(true);
      expect([...rowsOf(table)].map((line, at) => [rowKey(line), line.count, rows[at]])).toEqual(
        [...rowsOf(sortRows(tableOf([...expected.values()].map(([row]) => ({ ...row!, [other]: ALL })))))].map(
          (line) => {
            const own = expected.get(rowKey(line))!;
            return [rowKey(line), own.reduce((sum, { count }) => sum + count, 0), own.length];
          },
        ),
      );
    }),
  );
});

const ROW = { mode: 'bus', day: '2026-03-02', tap: 'on', time: '07:15', location: 'Quay', count: 1 } as const;

test('a table without rows has none, and what is no tap or no whole number is refused', () => {
  expect([...rowsOf(NO_ROWS)]).toEqual([]);
  expect(byPartition(NO_ROWS).size).toBe(0);
  expect(() => tableOf([{ ...ROW, tap: 'in' as 'on' }])).toThrow(SyntaxError);
  expect(() => tableOf([{ ...ROW, count: 1.5 }])).toThrow(SyntaxError);
});
