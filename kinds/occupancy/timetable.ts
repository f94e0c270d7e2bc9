import type { Partition } from '../../contracts/names.ts';
import { WEEKDAYS } from '../../contracts/series.ts';
import { weekdayIndex } from '../../core/calendar/civil-day.ts';
import { byFields } from '../../core/table/published-table.ts';
import { type ListRow, type ReadList, readPublicList, soundList } from '../public-list.ts';
import type { RunShape } from './mechanism/ride-mechanism.ts';

export type ScheduledDeparture = {
  /** As the timetable numbers stops; ascending along the run. */
  sequence: number;
  stop: string;
  departure: string;
};

/** A run that the timetable has on some days of the week, with the departures that get a status. */
export type ScheduledRun = {
  part: string;
  run: string;
  vehicle: string;
  /** Places of weekdays, 0 is Monday. */
  weekdays: readonly number[];
  departures: readonly ScheduledDeparture[];
};

/** All runs by name. */
export type RunTimetable = readonly ScheduledRun[];

const NEEDED = ['part', 'run', 'sequence', 'stop', 'departure', 'vehicle'];
const DAYS_COLUMN = 'days';
const COLUMNS = {
  needed: NEEDED,
  others: [DAYS_COLUMN],
  sentence: `The first line names the columns: ${NEEDED.join(',')} and perhaps ${DAYS_COLUMN}.`,
};
const EVERY_DAY = 'daily';
const LONGEST = 200;
/** A status for each departure, and a profile or tree over all of them. */
const MOST_DEPARTURES = 200;

/**
 * The public timetable of a series (C4): a CSV with the columns part, run, sequence, stop, departure, vehicle, and days
 * when not all runs are daily (weekdays with blanks between them). A row is a departure that gets a status; the last stop
 * of a run, which nobody departs from, is not one. Throws SERIES_INVALID with the first mistake.
 */
export const parseRunTimetable = soundList(readRunTimetable, 'the timetable');

type Row = ScheduledDeparture & Pick<ScheduledRun, 'part' | 'run' | 'vehicle' | 'weekdays'>;
type Building = Omit<ScheduledRun, 'departures'> & { departures: ScheduledDeparture[] };

/** The same with every mistake, in the order of the lines. */
export function readRunTimetable(bytes: Uint8Array): ReadList<RunTimetable> {
  const runs = new Map<string, Building>();
  const mistakes = readPublicList(bytes, COLUMNS, (fields) => {
    const row = readRow(fields);
    return typeof row === 'string' ? row : addRow(runs, row);
  });
  if (runs.size + mistakes.length === 0)
    mistakes.push({ line: 1, sentence: 'The timetable has no departures; add some.' });
  return { content: [...runs.values()].sort((a, b) => (a.run < b.run ? -1 : 1)), mistakes };
}

/** The row of a line, or what is wrong with it. */
function readRow(fields: ListRow): Row | string {
  const { part = '', run = '', stop = '', vehicle = '', sequence = '', departure = '', [DAYS_COLUMN]: days } = fields;
  if ([part, run, stop, vehicle].some((field) => field === '')) return 'A field is empty; fill it.';
  if ([run, stop].some((field) => [...field].length > LONGEST)) return `A name has at most ${LONGEST} characters.`;
  if (!/^\d{1,6}$/.test(sequence)) return 'A sequence is a whole number from 0 on.';
  if (secondsOf(departure) === null) return 'Write a departure as HH:MM or HH:MM:SS; 25:10 is after midnight.';
  const weekdays = weekdaysOf(days ?? EVERY_DAY);
  if (weekdays === null) return `Write ${EVERY_DAY}, or weekdays with blanks between them, in ${DAYS_COLUMN}.`;
  return { part, run, stop, vehicle, sequence: Number(sequence), departure, weekdays };
}

/** Seconds after midnight of a scheduled time; null when it is not one. */
export function secondsOf(time: string): number | null {
  const match = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(time);
  if (!match) return null;
  return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0);
}

function weekdaysOf(text: string): number[] | null {
  if (text === EVERY_DAY) return WEEKDAYS.map((_, place) => place);
  const names = text.split(/\s+/);
  const places = names.map((name) => (WEEKDAYS as readonly string[]).indexOf(name));
  return places.includes(-1) || new Set(places).size < places.length ? null : places.sort((a, b) => a - b);
}

/** Adds a departure to its run; what is wrong with it, or null. */
function addRow(runs: Map<string, Building>, { sequence, stop, departure, ...row }: Row): string | null {
  const run = runs.get(row.run) ?? { ...row, departures: [] };
  runs.set(row.run, run);
  if (run.part !== row.part || run.vehicle !== row.vehicle || run.weekdays.join() !== row.weekdays.join())
    return 'Another row of the run has another part, vehicle or days; a run has one of each.';
  const last = run.departures.at(-1);
  if (last && sequence <= last.sequence) return 'The sequence must grow along a run, row by row.';
  if (last && secondsOf(departure)! < secondsOf(last.departure)!)
    return 'A run cannot depart earlier than it did before.';
  const seconds = secondsOf(departure)!;
  if (run.departures.some((one) => one.stop === stop && secondsOf(one.departure) === seconds))
    return 'The run departs from this stop at this time already.';
  if (run.departures.length === MOST_DEPARTURES) return `A run has at most ${MOST_DEPARTURES} departures.`;
  run.departures.push({ sequence, stop, departure });
  return null;
}

/** What an event and a scheduled departure have in common. */
export const departureKey = (run: string, stop: string, seconds: number): string =>
  JSON.stringify([run, stop, seconds]);

/** The runs of a partition, in the order of their names: its public domain. @contract C4 */
export const runsOf = (timetable: RunTimetable, { part, day }: Partition): ScheduledRun[] =>
  timetable.filter((run) => run.part === part && run.weekdays.includes(weekdayIndex(day)));

/** The shapes of all runs, by vehicle, then by the number of departures, each once. */
export function shapesOf(timetable: RunTimetable): RunShape[] {
  const shapes = timetable.map(({ vehicle, departures }) => ({ vehicle, departures: departures.length }));
  const byName = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
  return [...byName.values()].sort(byFields(['vehicle', 'departures']));
}
