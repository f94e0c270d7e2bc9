import { z } from 'zod';
import type { Partition } from '../../contracts/names.ts';
import {
  byFields,
  columnsOfRows,
  rowsOfColumns,
  type TableColumn,
  type TableDefinition,
} from '../../core/table/published-table.ts';
import { parseTable } from '../../services/publication/table-csv.ts';
import type { OccupancyPrivacyFile } from './privacy-file.ts';
import { PUBLISHED_STATUSES, type PublishedStatus, type StatusRow, statusRowSchema } from './status.ts';
import { type RunTimetable, runsOf } from './timetable.ts';

type Facts = Pick<OccupancyPrivacyFile['domain'], 'parts' | 'timeZone'>;

const text = (
  field: Exclude<keyof StatusRow, 'sequence'>,
  meaning: TableColumn<keyof StatusRow, Facts>['meaning'],
): TableColumn<keyof StatusRow, Facts> => ({ name: field, field, type: 'text', meaning });

/** The statuses of a release. */
export const STATUSES: TableDefinition<keyof StatusRow, Facts> = {
  name: 'statuses',
  title: 'Statuses',
  description: 'One status for each scheduled departure.',
  columns: [
    text('part', ({ parts }) => ({ description: 'What is delivered together, such as a line.', values: parts })),
    { name: 'date', field: 'day', type: 'day', meaning: 'Day of service.' },
    text('run', 'Run of the timetable.'),
    { name: 'sequence', field: 'sequence', type: 'small', meaning: 'Place of the stop on the run.' },
    text('stop', 'Stop of the timetable.'),
    text('departure', ({ timeZone }) => ({
      description: `Scheduled departure, HH:MM or HH:MM:SS by the clock of ${timeZone}; beyond 24:00 it is after midnight.`,
    })),
    text('vehicle', 'Vehicle model of the timetable.'),
    text('status', () => ({
      description: 'How full the vehicle was, as drawn: the names of GTFS-Realtime.',
      values: PUBLISHED_STATUSES,
    })),
  ],
  key: ['day', 'part', 'run', 'sequence'],
};

/** The order of every publication (C18). */
export const byDeparture: (a: StatusRow, b: StatusRow) => number = byFields(STATUSES.key);

/** A row for each scheduled departure of a partition; its status by the places of its run and of itself. @contract C4 */
export const departureRows = (
  timetable: RunTimetable,
  { part, day }: Partition,
  statusOf: (run: number, departure: number) => PublishedStatus,
): StatusRow[] =>
  runsOf(timetable, { part, day }).flatMap(({ run, vehicle, departures }, number) =>
    departures.map((one, place) => ({ part, day, run, vehicle, ...one, status: statusOf(number, place) })),
  );

/** The rows in columns. */
export const statusColumns = (rows: readonly StatusRow[]) => columnsOfRows(STATUSES, rows);

/** Reads statuses.csv. Throws SyntaxError or ZodError for other texts. */
export const parseStatuses = (text: string): StatusRow[] =>
  z.array(statusRowSchema).parse(rowsOfColumns(parseTable(STATUSES, text)));
