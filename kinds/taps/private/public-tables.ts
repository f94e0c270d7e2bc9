import type { PrivateContext } from '../../../activities/private/context.ts';
import type { Database } from '../../../activities/sql/duckdb.ts';
import { insertRows } from '../../../activities/sql/insert-rows.ts';
import { readDictionary } from '../../../activities/stores/series-objects.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import type { Partition } from '../../../contracts/names.ts';
import { parseDictionary } from '../location-dictionary.ts';
import type { TapsSeries } from '../series.ts';
import { tapCalendar } from './tap-calendar.ts';

/**
 * What is public, in the database that counts: the calendar, what is wanted, modes and their locations. Every name in
 * it has a number there, so that rows and cells are grouped by small integers: the types tap_name, mode_name, day_name,
 * time_name, place_name (what the source calls a location, in any list) and location_name (what is published). Numbers
 * ascend as the names do.
 *
 * modes(mode, unknown), dictionary(mode, source, location), calendar(reading, slot, day, label, problem), wanted(mode,
 * day); places(mode, place, location): the dictionary in numbers.
 * cells(mode, day, tap, time, location, count): what the objects gave so far, several rows a cell.
 */
export async function publicTables(
  context: PrivateContext,
  database: Database,
  series: TapsSeries,
  calendarDays: readonly string[],
  scopes: readonly Partition[],
): Promise<void> {
  await createTables(database);
  const calendar = tapCalendar(series, calendarDays);
  await insertRows(
    database,
    'calendar',
    calendar.map(({ reading, slot, day, label, problem }) => [reading, slot, day, label, problem]),
  );
  await insertRows(
    database,
    'wanted',
    scopes.map(({ part: mode, day }) => [mode, day]),
  );
  for (const mode of series.modes) {
    const locations = series.bins.locations[mode];
    if (!locations) throw new OpalineError('SERIES_INVALID', `The series has no location dictionary for ${mode}.`);
    await insertRows(database, 'modes', [[mode, locations.unknown]]);
    const dictionary = parseDictionary(await readDictionary(context.releaseStore, locations.dictionary));
    await insertRows(
      database,
      'dictionary',
      [...dictionary].map(([source, location]) => [mode, source, location]),
    );
  }
  await numberNames(database);
}

/** Empty tables of what is public. */
export const createTables = (database: Database): Promise<void> =>
  database.run(`
    CREATE TABLE modes(mode VARCHAR, unknown VARCHAR);
    CREATE TABLE dictionary(mode VARCHAR, source VARCHAR, location VARCHAR);
    CREATE TABLE calendar(reading VARCHAR, slot BIGINT, day VARCHAR, label VARCHAR, problem VARCHAR);
    CREATE TABLE wanted(mode VARCHAR, day VARCHAR)`);

/** Numbers the names of the filled tables. */
export const numberNames = (database: Database): Promise<void> =>
  database.run(`
    CREATE TYPE tap_name AS ENUM ('off', 'on');
    CREATE TYPE mode_name AS ENUM (SELECT DISTINCT mode FROM modes ORDER BY mode);
    CREATE TYPE day_name AS ENUM (SELECT DISTINCT day FROM calendar ORDER BY day);
    CREATE TYPE time_name AS ENUM (SELECT DISTINCT label FROM calendar WHERE label IS NOT NULL ORDER BY label);
    CREATE TYPE place_name AS ENUM (SELECT DISTINCT source FROM dictionary ORDER BY source);
    CREATE TYPE location_name AS ENUM (SELECT location FROM dictionary UNION SELECT unknown FROM modes ORDER BY ALL);
    CREATE TABLE places AS SELECT CAST(mode AS mode_name) AS mode, CAST(source AS place_name) AS place,
      CAST(location AS location_name) AS location FROM dictionary;
    CREATE TABLE cells(
      mode mode_name, day day_name, tap tap_name, time time_name, location location_name, count BIGINT)`);

/** Types that numberNames makes, of which a text of a row may be one. */
type NameType = 'tap_name' | 'mode_name' | 'place_name';

/**
 * The number of a text without the blanks around it, NULL when no list has it. As a function of one column, and not as a
 * cast of it, it is worked out once for each distinct value where a file lists those: most Parquet files do.
 */
export const nameNumber = (text: string, type: NameType): string =>
  `list_transform([trim(${text})], lambda name: TRY_CAST(name AS ${type}))[1]`;
