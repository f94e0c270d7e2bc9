import { z } from 'zod';
import {
  byFields,
  columnsFor,
  columnsOfRows,
  rowsOfColumns,
  type TableDefinition,
} from '../../core/table/published-table.ts';
import { parseTable } from '../../services/publication/table-csv.ts';
import type { OccupancyPrivacyFile } from './privacy-file.ts';
import { PUBLISHED_STATUSES, type StatusRow, statusRowSchema } from './status.ts';

type Facts = Pick<OccupancyPrivacyFile['domain'], 'parts' | 'timeZone'>;

const column = columnsFor<Facts>();

/** The statuses of a release. */
export const STATUSES: TableDefinition<keyof StatusRow, Facts> = {
  name: 'statuses',
  title: 'Statuses',
  description: 'One status for each scheduled departure.',
  columns: [
    column('part', 'part', 'text', ({ parts }) => ({
      description: 'What is delivered together, such as a line.',
      values: parts,
    })),
    column('date', 'day', 'day', 'Day of service.'),
    column('run', 'run', 'text', 'Run of the timetable.'),
    column('sequence', 'sequence', 'small', 'Place of the stop on the run.'),
    column('stop', 'stop', 'text', 'Stop of the timetable.'),
    column('departure', 'departure', 'text', ({ timeZone }) => ({
      description: `Scheduled departure, HH:MM or HH:MM:SS by the clock of ${timeZone}; beyond 24:00 it is after midnight.`,
    })),
    column('vehicle', 'vehicle', 'text', 'Vehicle model of the timetable.'),
    column('status', 'status', 'text', () => ({
      description: 'How full the vehicle was, as drawn: the names of GTFS-Realtime.',
      values: PUBLISHED_STATUSES,
    })),
  ],
  key: ['day', 'part', 'run', 'sequence'],
};

/** The order of every publication (C18). */
export const byDeparture: (a: StatusRow, b: StatusRow) => number = byFields(STATUSES.key);

/** The rows in columns. */
export const statusColumns = (rows: readonly StatusRow[]) => columnsOfRows(STATUSES, rows);

/** Reads statuses.csv. Throws SyntaxError or ZodError for other texts. */
export const parseStatuses = (text: string): StatusRow[] =>
  z.array(statusRowSchema).parse(rowsOfColumns(parseTable(STATUSES, text)));
