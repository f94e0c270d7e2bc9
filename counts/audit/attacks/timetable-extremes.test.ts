import { describe, expect, test } from 'vitest';
import type { CountRow } from '../../derive/count-row.ts';
import { tableOf } from '../../derive/count-table.ts';
import { checkTimetable, type TimetableCell } from './timetable-extremes.ts';

const fed = (time: string, location: string, services: number, stops: number): TimetableCell => ({
  ...{ mode: 'bus', tap: 'on' as const, time, location, services, stops },
});

const TIMETABLE: TimetableCell[] = [
  // The night bus of the 2017 report is the only one in its postcode.
  fed('04:30', '2770', 1, 2),
  fed('08:00', '2770', 2, 2),
  // Two services, one stop.
  fed('04:45', '2148', 2, 1),
];

const cell = (time: string, location: string): CountRow => ({
  ...{ mode: 'bus', day: '2016-07-26', tap: 'on' as const },
  ...{ time, location, count: 21 },
});

// Nothing is random here.
describe('timetable extremes', () => {
  test('pass where several vehicles and stops share the published cells', () => {
    const check = checkTimetable(TIMETABLE, tableOf([cell('08:00', '2770')]));
    expect([check.verdict, check.statistic]).toEqual(['pass', 0]);
  });

  test('broken twin: the night bus and the lone stop are named, with the remedy', () => {
    const check = checkTimetable(
      TIMETABLE,
      tableOf([cell('04:30', '2770'), cell('04:45', '2148'), cell('08:00', '2770')]),
    );
    expect([check.verdict, check.statistic]).toEqual(['attention', 2]);
    expect(check.sentence).toContain('bus 2016-07-26 on 04:30 2770; bus 2016-07-26 on 04:45 2148');
    expect(check.sentence).toContain('coarser');
  });

  test('a long list is counted, not written out', () => {
    const times = Array.from({ length: 9 }, (_, hour) => `0${hour}:00`);
    const check = checkTimetable(
      times.map((time) => fed(time, '2770', 1, 1)),
      tableOf(times.map((time) => cell(time, '2770'))),
    );
    expect(check.sentence).toContain('and 4 more');
  });
});
