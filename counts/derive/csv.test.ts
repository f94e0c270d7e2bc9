import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TAPS } from '../../contracts/names.ts';
import { ALL, type CountRow } from './count-row.ts';
import { rowsOf, tableOf } from './count-table.ts';
import * as csv from './csv.ts';

const formatCsv = (shape: csv.CsvShape, rows: readonly CountRow[]): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(csv.formatCsv(shape, tableOf(rows)));
const isCsvOf = (shape: csv.CsvShape, rows: readonly CountRow[], text: string): boolean =>
  csv.isCsvOf(shape, tableOf(rows), new TextEncoder().encode(text));
const parseCsv = (shape: csv.CsvShape, text: string): CountRow[] => [...rowsOf(csv.parseCsv(shape, text))];

const rowArbitrary: fc.Arbitrary<CountRow> = fc.record({
  mode: fc.constantFrom('bus', 'train'),
  day: fc.constantFrom('2026-03-02', '2026-12-31'),
  tap: fc.constantFrom(...TAPS),
  time: fc.constantFrom('07:15', '27:45', ALL),
  location: fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'é', ' ', '=') })),
  count: fc.maxSafeInteger(),
});

test('C18: CSV reads back as the rows it was written from, and is one function of them', () => {
  fc.assert(
    fc.property(fc.array(rowArbitrary), (rows) => {
      const text = formatCsv('time-location', rows);
      expect(parseCsv('time-location', text)).toEqual(rows);
      expect(isCsvOf('time-location', rows, text)).toBe(true);
      expect(isCsvOf('time-location', rows.slice(1), text)).toBe(rows.length === 0);
      expect(isCsvOf('time-location', rows, `${text}x`)).toBe(false);
      expect(isCsvOf('time-location', [...rows, ...rows.slice(0, 1)], text)).toBe(rows.length === 0);
    }),
  );
});

test('days are as ISO 8601; the compact ones of the original Opal release are another form, and neither reads the other', () => {
  const [row] = [{ mode: 'bus', day: '2016-08-14', tap: 'on', time: '07:15', location: ALL, count: 7 }] as [CountRow];
  const iso = formatCsv('time', [row]);
  const compact = new TextDecoder().decode(csv.formatCsv('time', tableOf([row]), 'compact'));
  expect(iso).toContain('bus,2016-08-14,on,07:15,7');
  expect(compact).toBe(iso.replace('2016-08-14', '20160814'));
  expect([...rowsOf(csv.parseCsv('time', compact, 'compact'))]).toEqual([row]);
  expect(() => csv.parseCsv('time', compact)).toThrow(SyntaxError);
  expect(() => csv.parseCsv('time', iso, 'compact')).toThrow(SyntaxError);
  expect(csv.isCsvOf('time', tableOf([row]), Buffer.from(compact))).toBe(false);
  expect(csv.isCsvOf('time', tableOf([row]), Buffer.from(compact), 'compact')).toBe(true);
});

test('the columns, quotes and line ends are those of the original Opal release', () => {
  const row: CountRow = {
    mode: 'bus',
    day: '2016-08-14',
    tap: 'on',
    time: '07:15',
    location: 'Quay, "A"',
    count: 3317,
  };
  expect(formatCsv('time-location', [row])).toBe(
    'mode,date,tap,time,loc,count\r\nbus,2016-08-14,on,07:15,"Quay, ""A""",3317\r\n',
  );
  expect(formatCsv('location', [{ ...row, location: '2095' }])).toBe(
    'mode,date,tap,loc,count\r\nbus,2016-08-14,on,2095,3317\r\n',
  );
  expect(formatCsv('time', [row])).toBe('mode,date,tap,time,count\r\nbus,2016-08-14,on,07:15,3317\r\n');
  expect(parseCsv('time', formatCsv('time', [row]))).toEqual([{ ...row, location: ALL }]);
});

test.each([
  ['a stray line', 'mode,date,tap,time,count\r\nbus,2016-08-14,on,07:15,3\r\n</xml>\r\n'],
  ['a missing line end', 'mode,date,tap,time,count\r\nbus,2016-08-14,on,07:15,3'],
  ['a missing count', 'mode,date,tap,time,count\r\nbus,2016-08-14,on,07:15,\r\n'],
  ['LF line ends', 'mode,date,tap,time,count\nbus,2016-08-14,on,07:15,3\n'],
  ['an open quote', 'mode,date,tap,time,count\r\nbus,2016-08-14,on,"07:15,3\r\n'],
  ['needless quotes', 'mode,date,tap,time,count\r\n"bus",2016-08-14,on,07:15,3\r\n'],
  ['a count with a plus', 'mode,date,tap,time,count\r\nbus,2016-08-14,on,07:15,+3\r\n'],
  ['a count with leading zeros', 'mode,date,tap,time,count\r\nbus,2016-08-14,on,07:15,03\r\n'],
  ['another header', 'mode,date,tap,loc,count\r\nbus,2016-08-14,on,07:15,3\r\n'],
  ['another tap', 'mode,date,tap,time,count\r\nbus,2016-08-14,in,07:15,3\r\n'],
  ['an empty file', ''],
])('look-alike: %s is refused', (_, text) => {
  expect(() => parseCsv('time', text)).toThrow(SyntaxError);
});
