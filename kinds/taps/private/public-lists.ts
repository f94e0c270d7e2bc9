import { OpalineError } from '../../../contracts/errors.ts';
import type { Partition } from '../../../contracts/names.ts';
import type { PrivateContext } from '../../../custodian/private-context.ts';
import { type Database, literal } from '../../../services/sql/duckdb.ts';
import { readDictionary } from '../../../services/stores/series-objects.ts';
import { type Dictionary, parseDictionary } from '../location-dictionary.ts';
import type { TapsSeries } from '../series.ts';
import { type CalendarRow, slotMinutes, tapCalendar } from './tap-calendar.ts';

/** What is public and known before a row is read: all that decides what becomes of a tap but the name of its object. */
export type PublicLists = {
  /** Of each mode its list, and the location of places that it does not have. */
  modes: ReadonlyMap<string, { unknown: string; dictionary: Dictionary }>;
  calendar: readonly CalendarRow[];
  /** Minutes of a slot of the calendar. */
  slotMinutes: number;
  /** The partitions whose taps are counted. */
  wanted: readonly Partition[];
};

export async function publicLists(
  context: PrivateContext,
  series: TapsSeries,
  calendarDays: readonly string[],
  targets: readonly Partition[],
): Promise<PublicLists> {
  const modes: [string, { unknown: string; dictionary: Dictionary }][] = [];
  for (const mode of series.modes) {
    const locations = series.bins.locations[mode];
    if (!locations) throw new OpalineError('SERIES_INVALID', `The series has no location dictionary for ${mode}.`);
    const dictionary = parseDictionary(await readDictionary(context.releaseStore, locations.dictionary));
    modes.push([mode, { unknown: locations.unknown, dictionary }]);
  }
  return {
    modes: new Map(modes),
    calendar: tapCalendar(series, calendarDays),
    slotMinutes: slotMinutes(series),
    wanted: targets,
  };
}

/** Names that a row may hold and that have numbers: ends, modes, and what the source calls a location, in any list. */
const NUMBERED = ['taps', 'modes', 'places'] as const;
type Numbered = (typeof NUMBERED)[number];

/** Names in the order of their bytes, each once. */
export const byBytes = (names: Iterable<string>): string[] =>
  Array.from(new Set(names), (name) => Buffer.from(name))
    .sort(Buffer.compare)
    .map(String);

/** Makes the names known to the database that reads rows. No name is empty: that is the number 0. */
export async function numberNames(database: Database, names: Record<Numbered, readonly string[]>): Promise<void> {
  for (const list of NUMBERED)
    await database.run(`CREATE TYPE ${list}_name AS ENUM (${['', ...names[list]].map(literal).join(', ')})`);
}

/**
 * SQL for the number, from 1, of a text without the blanks around it; 0 when no list has it. It has no more bits than
 * the list needs. As a function of one column, and not as a cast of it, it is worked out once for each distinct value
 * where a file lists those: most Parquet files do.
 */
export const nameNumber = (text: string, list: Numbered): string =>
  `list_transform([${text}], lambda name: coalesce(enum_code(TRY_CAST(trim(name) AS ${list}_name)), 0))[1]`;
