import { describe, expect, test } from 'vitest';
import { parseTimetable } from './timetable.ts';

const HEAD = 'mode,location,tap,time,services,stops';
const parse = (...lines: string[]) => parseTimetable(Buffer.from(`${lines.join('\r\n')}\n`, 'utf8'));

describe('a timetable', () => {
  test('gives services and stops of each cell, whatever the order of its columns', () => {
    expect(parse(HEAD, 'ferry,"Quay, Circular",on,07:15,1,2', 'bus,2770,off,25:45,3,1')).toEqual([
      { mode: 'ferry', location: 'Quay, Circular', tap: 'on', time: '07:15', services: 1, stops: 2 },
      { mode: 'bus', location: '2770', tap: 'off', time: '25:45', services: 3, stops: 1 },
    ]);
    expect(parse('stops,services,time,tap,location,mode', '1,2,07:15,on,Quay,ferry')).toEqual([
      { mode: 'ferry', location: 'Quay', tap: 'on', time: '07:15', services: 2, stops: 1 },
    ]);
    expect(parse(HEAD)).toEqual([]);
  });

  test.each([
    ['mode,location,tap,time,services', 'Line 1 '],
    [`${HEAD},more`, 'Line 1 '],
    [`${HEAD}\nferry,Quay,on,07:15,1,2\nferry,Quay,in,07:15,1,2`, 'Line 3 '],
    [`${HEAD}\nferry,Quay,on,7:15,1,2`, 'Line 2 '],
    [`${HEAD}\nferry,Quay,on,07:15,1`, 'Line 2 '],
    [`${HEAD}\nferry,Quay,on,07:15,1,-2`, 'Line 2 '],
  ])('%j is refused, and the sentence names the line', (text, line) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'SERIES_INVALID', message: expect.stringContaining(line) }),
    );
  });
});
