import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOfHeader, columnsOfText } from './foreign-columns.ts';
import { parseForeignCsv } from './foreign-csv.ts';

describe('columns', () => {
  test('of the two forms of the Opal files are recognised, in any order', () => {
    expect(columnsOfHeader(['mode', 'date', 'tap', 'time', 'loc', 'count'])).not.toBeNull();
    expect(columnsOfHeader(['mode', 'date', 'tap', 'loc', 'count'])).not.toBeNull();
    expect(columnsOfHeader(['loc', 'count', 'datetime'])).toEqual(['loc', 'count', 'datetime']);
    expect(columnsOfHeader(['Count', 'stop name', 'LOC', 'date'])).toEqual(['count', '-', 'loc', 'date']);
  });

  test.each([
    'loc,datetime',
    'loc,count',
    'count,date',
    'loc,count,date,datetime',
    'loc,loc,count,date',
    'loc,count,day',
  ])('%s cannot be used', (text) => {
    expect(columnsOfText(text)).toBeNull();
  });
});

describe('a foreign CSV file', () => {
  const read = (text: string) => parseForeignCsv(text, null)!;

  test('is read with either line end, quotes and a byte order mark', () => {
    const text =
      '\uFEFFmode,date,tap,time,loc,count\r\nbus,20160812,on,07:15,"Manly, ""Bay""",20\nbus,2016-08-12,off,07:30:00,x,-3';
    const { rows, strays, kind } = read(text);
    expect(rows).toEqual([
      { mode: 'bus', day: '2016-08-12', tap: 'on', time: '07:15', location: 'Manly, "Bay"', count: 20 },
      { mode: 'bus', day: '2016-08-12', tap: 'off', time: '07:30', location: 'x', count: -3 },
    ]);
    expect([strays, kind]).toEqual([[], 'time-location']);
  });

  test('names the lines that are no rows, at the end and in between', () => {
    const text =
      'loc,count,datetime\nA,20,20160812 07:15\nB,many,20160812 07:15\nC,3,20160812 07:15\n<xml>\n</xml>\n\n';
    expect(read(text)).toMatchObject({ strays: [3, 5, 6], lines: 6 });
  });

  test.each([
    'mode,date,tap,loc,count\nbus,2016812,on,x,1',
    'mode,date,tap,loc,count\nbus,20160812,in,x,1',
    'mode,date,tap,loc,count\nbus,20160812,on,x,1.5',
    'mode,date,tap,loc,count\nbus,20160812,on,"x,1',
    'mode,date,tap,time,count\nbus,20160812,on,7h,1',
  ])('broken twin: %j holds no row', (text) => {
    expect(read(text)).toMatchObject({ rows: [], strays: [2] });
  });

  test('every line is the header, a row or a stray one', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant('A,20,20160812 07:15'), fc.string()), { maxLength: 20 }), (lines) => {
        const { rows, strays, lines: all } = read(['loc,count,datetime', ...lines].join('\n'));
        expect(rows.length + strays.length + 1).toBe(all);
      }),
    );
  });
});
