import { describe, expect, test } from 'vitest';
import type { CountRow } from '../../derive/count-row.ts';
import { type CountTable, tableOf } from '../../derive/count-table.ts';
import type { TimetableCell } from '../subject.ts';
import { checkTimetable } from './timetable-extremes.ts';

const fed = (time: string, location: string, services: number, stops: number): TimetableCell => ({
  mode: 'bus',
  tap: 'on' as const,
  time,
  location,
  services,
  stops,
});

const TIMETABLE: TimetableCell[] = [
  // The night bus of the 2017 report is the only one in its postcode.
  fed('04:30', '2770', 1, 2),
  fed('08:00', '2770', 2, 2),
  // Two services, one stop.
  fed('04:45', '2148', 2, 1),
];

const cell = (time: string, location: string): CountRow => ({
  mode: 'bus',
  day: '2016-07-26',
  tap: 'on' as const,
  time,
  location,
  count: 21,
});

const check = (timetable: readonly TimetableCell[], cells: CountTable) =>
  checkTimetable({ cells, knowledge: { timetable } });

// Nothing is random here.
describe('timetable extremes', () => {
  test('pass where several vehicles and stops share the published cells', () => {
    const found = check(TIMETABLE, tableOf([cell('08:00', '2770')]));
    expect([found.verdict, found.statistic]).toEqual(['pass', 0]);
  });

  test('broken twin: the night bus and the lone stop are named, with the remedy', () => {
    const found = check(TIMETABLE, tableOf([cell('04:30', '2770'), cell('04:45', '2148'), cell('08:00', '2770')]));
    expect([found.verdict, found.statistic]).toEqual(['attention', 2]);
    expect(found.sentence).toContain('bus 2016-07-26 on 04:30 2770; bus 2016-07-26 on 04:45 2148');
    expect(found.sentence).toContain('coarser');
  });

  test('a long list is counted, not written out', () => {
    const times = Array.from({ length: 9 }, (_, hour) => `0${hour}:00`);
    const found = check(
      times.map((time) => fed(time, '2770', 1, 1)),
      tableOf(times.map((time) => cell(time, '2770'))),
    );
    expect(found.sentence).toContain('and 4 more');
  });
});
