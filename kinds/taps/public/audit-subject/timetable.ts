import { OpalineError } from '../../../../contracts/errors.ts';
import { csvFields } from '../../../../core/text/csv.ts';
import type { TimetableCell } from '../../../../counts/audit/subject.ts';
import { isTap } from '../../../../counts/tables/tap-tables.ts';

const COLUMNS = ['mode', 'location', 'tap', 'time', 'services', 'stops'] as const;

/**
 * Reads the timetable that a series declares: a CSV with the columns mode,location,tap,time,services,stops, in any
 * order. Throws SERIES_INVALID with the number of the first line that is not one.
 */
export function parseTimetable(bytes: Buffer): TimetableCell[] {
  const [head = '', ...lines] = bytes.toString('utf8').trimEnd().split(/\r?\n/);
  const header = csvFields(head).map((field) => field.trim());
  if (header.length !== COLUMNS.length || !COLUMNS.every((column) => header.includes(column)))
    throw new OpalineError('SERIES_INVALID', `Line 1 of the timetable does not name the columns ${COLUMNS.join(',')}.`);
  return lines.map((line, index) => {
    const fields = csvFields(line).map((field) => field.trim());
    const field = (column: (typeof COLUMNS)[number]): string => fields[header.indexOf(column)] ?? '';
    const [tap, services, stops] = [field('tap'), field('services'), field('stops')];
    const counted = [services, stops].every((count) => /^\d{1,6}$/.test(count));
    if (fields.length !== COLUMNS.length || !counted || !isTap(tap) || !/^\d{2}:\d{2}$/.test(field('time')))
      throw new OpalineError(
        'SERIES_INVALID',
        `Line ${index + 2} of the timetable is no mode, location, tap (on or off), time HH:MM and two numbers.`,
      );
    const cell = { mode: field('mode'), tap, time: field('time'), location: field('location') };
    return { ...cell, services: Number(services), stops: Number(stops) };
  });
}
