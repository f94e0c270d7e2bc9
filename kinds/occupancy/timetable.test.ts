import { describe, expect, test } from 'vitest';
import { TIMETABLE, WINDOW } from './small-occupancy.fixture.ts';
import { parseRunTimetable, readRunTimetable, runsOf, secondsOf, shapesOf } from './timetable.ts';

const read = (text: string) => readRunTimetable(Buffer.from(text));
const HEAD = 'part,run,sequence,stop,departure,vehicle';

describe('a timetable', () => {
  const timetable = parseRunTimetable(Buffer.from(TIMETABLE));

  test('C4: gives the runs of a part and a day, whatever happened on it', () => {
    const names = (part: string, day: string) => runsOf(timetable, { part, day }).map(({ run }) => run);
    expect(names('north', WINDOW)).toEqual(['n1', 'n2']);
    expect(names('north', '2026-03-03')).toEqual(['n1']);
    expect(names('south', WINDOW)).toEqual(['s1']);
    expect(names('south', '2026-03-08')).toEqual(['s1', 's9']);
    expect(names('west', WINDOW)).toEqual([]);
  });

  test('has shapes: each vehicle with each number of departures, once and in order', () => {
    expect(shapesOf(timetable)).toEqual([
      { vehicle: 'bus', departures: 1 },
      { vehicle: 'bus', departures: 2 },
      { vehicle: 'mini', departures: 3 },
    ]);
  });

  test('takes columns in any order, a mark at the start of the file, and times after midnight', () => {
    const other = parseRunTimetable(
      Buffer.from(`\uFEFFrun,part,stop,vehicle,departure,sequence\r\nr,p,"A, B",v,25:10,0\r\n`),
    );
    expect(other[0]).toMatchObject({ run: 'r', departures: [{ stop: 'A, B', departure: '25:10', sequence: 0 }] });
    expect(['25:10', '8:00:01', '08:60', 'x'].map(secondsOf)).toEqual([90_600, 28_801, null, null]);
  });

  test.each([
    ['', 1, /names the columns/],
    ['part,run\n', 1, /names the columns/],
    [`${HEAD},colour\n`, 1, /names the columns/],
    [`${HEAD}\n`, 1, /no departures/],
    [`${HEAD}\np,r,1,A,8:00\n`, 2, /well-formed fields/],
    [`${HEAD}\np,r,1,,8:00,v\n`, 2, /field is empty/],
    [`${HEAD}\np,r,first,A,8:00,v\n`, 2, /whole number/],
    [`${HEAD}\np,r,1,A,noon,v\n`, 2, /Write a departure/],
    [`${HEAD},days\np,r,1,A,8:00,v,someday\n`, 2, /weekdays/],
    [`${HEAD}\np,r,1,A,8:00,v\nq,r,2,B,8:10,v\n`, 3, /one of each/],
    [`${HEAD}\np,r,2,A,8:00,v\np,r,1,B,8:10,v\n`, 3, /must grow/],
    [`${HEAD}\np,r,1,A,8:00,v\np,r,2,B,7:10,v\n`, 3, /earlier/],
    [`${HEAD}\np,r,1,A,8:00,v\np,r,2,A,8:00,v\n`, 3, /already/],
  ])('%j is refused with its line', (text, line, sentence) => {
    const { mistakes } = read(text);
    expect(mistakes[0]).toMatchObject({ line, sentence: expect.stringMatching(sentence) });
    expect(() => parseRunTimetable(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'SERIES_INVALID' }));
  });

  test('is refused when it is not UTF-8, and when a run has more departures than a mechanism is made for', () => {
    expect(readRunTimetable(Buffer.from([0xff, 0xfe])).mistakes[0]?.sentence).toContain('not UTF-8');
    const rows = Array.from({ length: 201 }, (_, at) => `p,r,${at},S${at},10:00,v`);
    expect(read([HEAD, ...rows].join('\n')).mistakes.map(({ line }) => line)).toEqual([202]);
  });
});
