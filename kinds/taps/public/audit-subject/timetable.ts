import type { TimetableCell } from '../../../../counts/audit/subject.ts';
import { isTap } from '../../../../counts/tables/tap-tables.ts';
import { type ReadList, readPublicList, soundList } from '../../../public-list.ts';

const NEEDED = ['mode', 'location', 'tap', 'time', 'services', 'stops'];
const COLUMNS = { needed: NEEDED, others: [], sentence: `The first line names the columns: ${NEEDED.join(',')}.` };

/**
 * Reads the timetable that a series declares: a CSV with the columns mode,location,tap,time,services,stops, in any
 * order. Throws SERIES_INVALID with the number of the first line that is not one.
 */
export const parseTimetable = soundList(readTimetableCells, 'the timetable');

/** The same with every mistake, in the order of the lines. */
export function readTimetableCells(bytes: Uint8Array): ReadList<TimetableCell[]> {
  const cells: TimetableCell[] = [];
  const mistakes = readPublicList(bytes, COLUMNS, (row) => {
    const { mode = '', location = '', tap = '', time = '', services = '', stops = '' } = row;
    const areCounts = [services, stops].every((count) => /^\d{1,6}$/.test(count));
    if (!areCounts || !isTap(tap) || !/^\d{2}:\d{2}$/.test(time))
      return 'Write a mode, a location, a tap (on or off), a time HH:MM and two numbers.';
    cells.push({ mode, tap, time, location, services: Number(services), stops: Number(stops) });
    return null;
  });
  return { content: cells, mistakes };
}
