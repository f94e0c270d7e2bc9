import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TableRows, tableOfRows } from '../../test/support/table-of-rows.ts';
import { PRIVATIZED_TABLE_FORMAT } from '../tables/columns.ts';
import { PUBLISHED_TABLES, type PublishedTable, TABLES } from '../tables/tap-tables.ts';
import { ALL } from './count-row.ts';
import {
  type CountTable,
  isOrdered,
  joinTables,
  NO_ROWS,
  rowsOf,
  sameTables,
  tableOf,
  totalOf,
} from './count-table.ts';
import { splitTables } from './published-tables.ts';
import { sumOf, sumsOfTable } from './table-totals.ts';
import { deriveTables } from './tables.ts';

const number = fc.integer({ min: -50, max: 1000 });
const sides = fc.record({
  time: fc
    .constantFrom(['07:15', '07:30'], [])
    .chain((times) =>
      fc.tuple(...times.map((time) => fc.tuple(fc.constant('on' as const), fc.constant(time), number))),
    ),
  location: fc
    .constantFrom(['Manly', 'Quay'], [])
    .chain((places) =>
      fc.tuple(...places.map((place) => fc.tuple(fc.constant('on' as const), fc.constant(place), number))),
    ),
});
const partition = (part: string): fc.Arbitrary<TableRows> =>
  fc.record({
    format: fc.constant(PRIVATIZED_TABLE_FORMAT),
    part: fc.constant(part),
    day: fc.constant('2026-03-02'),
    cells: fc.array(number, { maxLength: 1 }).map((counts) => counts.map((count) => ['on', '07:15', 'Manly', count])),
    hours: fc.option(number.map((count) => [['on', '07', 'Quay', count]])),
    margins: fc.option(sides),
    remainder: fc.option(sides.map((rest) => ({ fit: 'level', ...rest }))),
    leftOut: fc.option(
      number.map((count) => [['on', count]]),
      { nil: undefined },
    ),
  }) as fc.Arbitrary<TableRows>;
const drawn = fc.tuple(partition('bus'), partition('ferry')).map((tables) => tables.map(tableOfRows));
const chosen = fc.subarray([...TABLES], { minLength: 1 });

test('C9: the sums of each table are those of its rows, of each part and day too, and no other table has one', () => {
  fc.assert(
    fc.property(drawn, chosen, (tables, names) => {
      const published = Object.entries(splitTables(deriveTables(tables), names)) as [PublishedTable, CountTable][];
      const there = published.filter(([, table]) => table);
      const sums = new Map(there.map(([name, table]) => [name, sumsOfTable(table)]));
      for (const [name, table] of there) {
        expect(sumOf(sums, name)).toEqual({ rows: table.count.length, total: totalOf(table) });
        const buses = [...rowsOf(table)].filter(({ mode }) => mode === 'bus');
        const total = buses.reduce((sum, { count }) => sum + count, 0);
        expect(sumOf(sums, name, ({ part }) => part === 'bus')).toEqual({ rows: buses.length, total });
      }
      for (const name of PUBLISHED_TABLES.filter((one) => !sums.has(one)))
        expect(sumOf(sums, name)).toEqual({ rows: 0, total: 0 });
    }),
  );
});

test('C18: each table is in order, one key a row, with no row of all times or of all places', () => {
  fc.assert(
    fc.property(drawn, (tables) => {
      const published = splitTables(deriveTables(tables), TABLES);
      expect(Object.keys(published)).toEqual(PUBLISHED_TABLES);
      for (const [name, table] of Object.entries(published)) {
        if (!table) continue;
        expect([name, isOrdered(table)]).toEqual([name, true]);
        const columns = { time: /(^|-)time(-|$)|hours/.test(name), place: /location|hours/.test(name) };
        for (const { time, location } of rowsOf(table))
          expect([name, time !== ALL, location !== ALL]).toEqual([name, columns.time, columns.place]);
      }
    }),
  );
});

test('the rows of times and those of places, joinTables, are the table that they were cut from', () => {
  fc.assert(
    fc.property(drawn, (tables) => {
      const derived = deriveTables(tables);
      const published = splitTables(derived, TABLES);
      const both = joinTables(published['margins-time'] ?? NO_ROWS, published['margins-location'] ?? NO_ROWS);
      expect(sameTables(both, derived.margins ?? NO_ROWS)).toBe(true);
    }),
  );
});

test('broken twin: what is out of order stays so when it is joined', () => {
  const row = (time: string) => ({ mode: 'bus', day: '2026-03-02', tap: 'on' as const, time, location: ALL, count: 1 });
  const places = tableOf([{ ...row(ALL), location: 'Manly' }]);
  expect(isOrdered(joinTables(tableOf([row('07:15'), row('07:30')]), places))).toBe(true);
  expect(isOrdered(joinTables(tableOf([row('07:30'), row('07:15')]), places))).toBe(false);
});
