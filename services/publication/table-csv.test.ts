import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOfRows, rowsOfColumns, type TableShape } from '../../core/table/published-table.ts';
import { ALL, type CountRow } from '../../counts/derive/count-row.ts';
import { rowsOf, tableOf } from '../../counts/derive/count-table.ts';
import { type PublishedTable, TAPS } from '../../counts/tables/tap-tables.ts';
import { TAPS_TABLES, tapsColumns } from '../../kinds/taps/public/tables.ts';
import { csvOf, tableOfCsv } from '../../test/support/table-forms.ts';
import { type CsvDates, formatTable, isTableOf, parseTable } from './table-csv.ts';

const formatCsv = (name: PublishedTable, rows: readonly CountRow[]): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(csvOf(name, tableOf(rows)));
const isBytesOf = (name: PublishedTable, rows: readonly CountRow[], bytes: Uint8Array, dates?: CsvDates): boolean =>
  isTableOf(TAPS_TABLES[name], tapsColumns(TAPS_TABLES[name], tableOf(rows), 15), bytes, dates);
const isCsvOf = (name: PublishedTable, rows: readonly CountRow[], text: string): boolean =>
  isBytesOf(name, rows, new TextEncoder().encode(text));
const parseCsv = (name: PublishedTable, text: string): CountRow[] => [...rowsOf(tableOfCsv(name, text))];

const rowArbitrary: fc.Arbitrary<CountRow> = fc.record({
  mode: fc.constantFrom('bus', 'train'),
  day: fc.constantFrom('2026-03-02', '2026-12-31'),
  tap: fc.constantFrom(...TAPS),
  time: fc.constantFrom('07:15', '27:45', '23:45'),
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
  const compact = csvOf('time', tableOf([row]), 'compact').toString();
  expect(iso).toContain('bus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,7');
  expect(compact).toBe('mode,date,tap,time,count\r\nbus,20160814,on,07:15,7\r\n');
  expect([...rowsOf(tableOfCsv('time', compact, 'compact'))]).toEqual([row]);
  expect(() => tableOfCsv('time', compact)).toThrow(SyntaxError);
  expect(() => tableOfCsv('time', iso, 'compact')).toThrow(SyntaxError);
  expect(isBytesOf('time', [row], Buffer.from(compact))).toBe(false);
  expect(isBytesOf('time', [row], Buffer.from(compact), 'compact')).toBe(true);
});

test('the columns are those of the original Opal release with moments, its quotes and line ends', () => {
  const row: CountRow = {
    mode: 'bus',
    day: '2016-08-14',
    tap: 'on',
    time: '07:15',
    location: 'Quay, "A"',
    count: 3317,
  };
  expect(formatCsv('time-location', [row])).toBe(
    'mode,date,tap,time,start,end,loc,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,"Quay, ""A""",3317\r\n',
  );
  expect(formatCsv('location', [{ ...row, location: '2095' }])).toBe(
    'mode,date,tap,loc,count\r\nbus,2016-08-14,on,2095,3317\r\n',
  );
  expect(formatCsv('time', [row])).toBe(
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,3317\r\n',
  );
  expect(csvOf('time-location', tableOf([row]), 'compact').toString()).toBe(
    'mode,date,tap,time,loc,count\r\nbus,20160814,on,07:15,"Quay, ""A""",3317\r\n',
  );
  expect(parseCsv('time', formatCsv('time', [row]))).toEqual([{ ...row, location: ALL }]);
});

test.each([
  [
    'a stray line',
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,3\r\n</xml>\r\n',
  ],
  [
    'a missing line end',
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,3',
  ],
  [
    'a missing count',
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,\r\n',
  ],
  [
    'LF line ends',
    'mode,date,tap,time,start,end,count\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,3\n',
  ],
  ['an open quote', 'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,"07:15,3\r\n'],
  [
    'needless quotes',
    'mode,date,tap,time,start,end,count\r\n"bus",2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,3\r\n',
  ],
  [
    'a count with a plus',
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,+3\r\n',
  ],
  [
    'a count with leading zeros',
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,03\r\n',
  ],
  [
    'another header',
    'mode,date,tap,loc,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,3\r\n',
  ],
  [
    'a day that is none',
    'mode,date,tap,time,start,end,count\r\nbus,2016-02-30,on,07:15,2016-02-29T07:15:00,2016-02-29T07:30:00,3\r\n',
  ],
  [
    'a moment with a zone',
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,on,07:15,2016-08-14T07:15:00Z,2016-08-14T07:30:00,3\r\n',
  ],
  [
    'another tap',
    'mode,date,tap,time,start,end,count\r\nbus,2016-08-14,in,07:15,2016-08-14T07:15:00,2016-08-14T07:30:00,3\r\n',
  ],
  ['an empty file', ''],
])('look-alike: %s is refused', (_, text) => {
  expect(() => parseCsv('time', text)).toThrow(SyntaxError);
});

const MIXED: TableShape<'day' | 'stop' | 'place' | 'share'> = {
  columns: [
    { name: 'date', field: 'day', type: 'day', meaning: '' },
    { name: 'stop', field: 'stop', type: 'text', meaning: '' },
    { name: 'sequence', field: 'place', type: 'small', meaning: '' },
    { name: 'rows', field: 'share', type: 'decimal', meaning: '' },
  ],
};

test('decimals have six places and small numbers 32 bits; they read back as they were', () => {
  const rows = [0, 1, 999_999, 1_000_000, 12_345_678, 999_999_999_999_999].map((share, place) => ({
    day: '2026-03-02',
    stop: place % 2 ? 'Quay' : '',
    place: place - 2,
    share,
  }));
  const text = formatTable(MIXED, columnsOfRows(MIXED, rows)).toString();
  expect(text.split('\r\n').slice(1, 4)).toEqual([
    '2026-03-02,,-2,0.000000',
    '2026-03-02,Quay,-1,0.000001',
    '2026-03-02,,0,0.999999',
  ]);
  expect(text).toContain('2026-03-02,,2,12.345678\r\n2026-03-02,Quay,3,999999999.999999\r\n');
  expect(rowsOfColumns(parseTable(MIXED, text))).toEqual(rows);
  for (const broken of ['2147483648,0.000000', '1,0.0', '1,.000000', '1,00.000000', '1.0,0.000000', '1,-0.000001'])
    expect(() => parseTable(MIXED, `date,stop,sequence,rows\r\n2026-03-02,,${broken}\r\n`)).toThrow(SyntaxError);
});
