import { describe, expect, test } from 'vitest';
import type { CountRow } from '../../derive/count-row.ts';
import { checkTimetableExtremes, feedsOfCells, type StopEvent } from './timetable-extremes.ts';

const event = (time: string, location: string, service: string, stop: string): StopEvent => ({
  ...{ mode: 'bus', day: '2016-07-26', tap: 'on' as const },
  ...{ time, location, service, stop },
});

const EVENTS: StopEvent[] = [
  // The night bus of the 2017 report is the only one in its postcode.
  event('04:30', '2770', 'N70', 'Mount Druitt'),
  event('04:30', '2770', 'N70', 'Westfield'),
  event('08:00', '2770', '674', 'Mount Druitt'),
  event('08:00', '2770', '675', 'Westfield'),
  // Two services, one stop.
  event('04:45', '2148', 'N71', 'Blacktown'),
  event('04:45', '2148', 'N70', 'Blacktown'),
];

const cell = (time: string, location: string): CountRow => ({
  ...{ mode: 'bus', day: '2016-07-26', tap: 'on' as const },
  ...{ time, location, count: 21 },
});

// Nothing is random here.
describe('timetable extremes', () => {
  test('count services and stops of each cell', () => {
    expect(feedsOfCells(EVENTS).map(({ time, services, stops }) => [time, services, stops])).toEqual([
      ['04:30', 1, 2],
      ['08:00', 2, 2],
      ['04:45', 2, 1],
    ]);
  });

  test('pass where several vehicles and stops share the published cells', () => {
    const check = checkTimetableExtremes(EVENTS, [cell('08:00', '2770')]);
    expect([check.verdict, check.statistic]).toEqual(['pass', 0]);
  });

  test('broken twin: the night bus and the lone stop are named, with the remedy', () => {
    const check = checkTimetableExtremes(EVENTS, [cell('04:30', '2770'), cell('04:45', '2148'), cell('08:00', '2770')]);
    expect([check.verdict, check.statistic]).toEqual(['attention', 2]);
    expect(check.sentence).toContain('bus 2016-07-26 on 04:30 2770; bus 2016-07-26 on 04:45 2148');
    expect(check.sentence).toContain('coarser');
  });

  test('a long list is counted, not written out', () => {
    const times = Array.from({ length: 9 }, (_, hour) => `0${hour}:00`);
    const check = checkTimetableExtremes(
      times.map((time) => event(time, '2770', 'N70', 'Mount Druitt')),
      times.map((time) => cell(time, '2770')),
    );
    expect(check.sentence).toContain('and 4 more');
  });
});
