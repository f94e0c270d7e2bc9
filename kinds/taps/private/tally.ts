import type { Tally } from '../../../activities/private/input-report/tally-file.ts';
import { type Database, literal } from '../../../activities/sql/duckdb.ts';
import { nameNumber } from './public-tables.ts';
import { NO_TIME, type TapColumns } from './tap-keys.ts';

/**
 * Counting the taps of one object, in one scan: taps are grouped by mode, integer slot and place, all of them numbers
 * (public-tables.ts); only the few distinct pairs of mode and slot are then judged. The tables of one object, replaced by
 * the next:
 *
 * declared(mode, day); tally(tap, mode, reading, slot, place, taps), where mode and place are NULL when no list has them;
 * judged_slots: the modes and slots of the tally with day, label and reason; judged: the tally with both.
 * counted: the taps of the wanted partitions with the cell that each belongs to.
 */

/** What one object may hold by its names, and how its rows are read. */
export type ObjectQuery = {
  canonical: string;
  canonicalWithRow: string;
  taps: readonly TapColumns[];
  /** SQL for the mode of a row. */
  mode: string;
  /** SQL for the card of a row as text; null when the unit is no card. */
  card: string | null;
  /**
   * What every name of the object declares. `day`: a row of any other day is a reject. `days`, several of which may be of
   * other windows: a row of another day of this window is one. Null: nothing, and no day is a reject.
   */
  dated: 'day' | 'days' | null;
};

/** Does a row hold one tap, on or off, which it names itself? */
export const holdsEither = ({ taps }: ObjectQuery): boolean => taps[0]?.tap === 'either';

/** One row for each row of the object: (tap,) mode, and slot_n and place_n of each of its taps; and `more`. */
export function keyedRows(query: ObjectQuery, more = ''): string {
  const keys = query.taps.map(
    ({ slot, location }, n) => `${slot} AS slot_${n}, ${nameNumber(location, 'place_name')} AS place_${n}`,
  );
  const tap = holdsEither(query) ? `${nameNumber('lower(CAST(tap AS VARCHAR))', 'tap_name')} AS tap, ` : '';
  return `SELECT ${tap}${nameNumber(query.mode, 'mode_name')} AS mode, ${keys.join(', ')}${more} FROM (${query.canonical})`;
}

/** The end of a tap of keyed rows, which are called so, or not at all. */
export const endOf = (query: ObjectQuery, { tap }: TapColumns, rows: '' | 'keyed.' = ''): string =>
  holdsEither(query) ? `${rows}tap` : endName(tap);

const endName = (tap: string): string => `CAST(${literal(tap)} AS tap_name)`;

/** The scan. */
export async function tallyObject(database: Database, query: ObjectQuery): Promise<void> {
  const either = holdsEither(query);
  const sets = query.taps.map((_, n) => `(${either ? 'tap, ' : ''}mode, slot_${n}, place_${n})`);
  const pick = (value: (n: number) => string): string =>
    query.taps.length === 1 ? value(0) : `CASE WHEN GROUPING(slot_0) = 0 THEN ${value(0)} ELSE ${value(1)} END`;
  await database.run(`CREATE OR REPLACE TABLE tally AS
    WITH keyed AS (${keyedRows(query)})
    SELECT ${pick((n) => endOf(query, query.taps[n]!))} AS tap, mode,
      ${pick((n) => literal(query.taps[n]!.reading))} AS reading, ${pick((n) => `slot_${n}`)} AS slot,
      ${pick((n) => `place_${n}`)} AS place, count(*) AS taps
    FROM keyed GROUP BY GROUPING SETS (${sets.join(', ')})`);
}

const NO_TIME_REASONS = Object.entries(NO_TIME)
  .filter(([reason]) => reason !== 'absent')
  .map(([reason, slot]) => `WHEN ${slot} THEN ${literal(reason)}`)
  .join(' ');

/** When a row is of a day that its object does not declare. */
const UNDECLARED = {
  day: "WHEN declared.day IS NULL THEN 'day-undeclared'",
  days: "WHEN declared.day IS NULL AND calendar.day IS NOT NULL THEN 'day-undeclared'",
  never: '',
} as const;

/** Rows with (tap, mode, reading, slot, …) → the same with day, label and reason. */
const judged = (
  rows: string,
  dated: ObjectQuery['dated'],
): string => `SELECT rows.*, calendar.day, calendar.label, modes.unknown,
    CASE WHEN rows.slot <> ${NO_TIME.absent} THEN coalesce(CASE rows.slot ${NO_TIME_REASONS} END, CASE
      WHEN modes.mode IS NULL THEN 'mode-unknown'
      WHEN declared_modes.mode IS NULL THEN 'mode-undeclared'
      ${UNDECLARED[dated ?? 'never']}
      ELSE calendar.problem END) END AS reason
  FROM (${rows}) AS rows
  LEFT JOIN modes ON modes.mode = rows.mode
  LEFT JOIN calendar ON calendar.reading = rows.reading AND calendar.slot = rows.slot
  LEFT JOIN declared ON declared.mode = rows.mode AND declared.day = calendar.day
  LEFT JOIN (SELECT DISTINCT mode FROM declared) AS declared_modes ON declared_modes.mode = rows.mode`;

/**
 * Judges the tally. `counted` are the groups of taps in the wanted partitions with the cell that each belongs to, of the
 * ends `taps` that the series counts. A place that the list of its mode does not have is the mode's unknown one (C4).
 */
export async function judgeTally(
  database: Database,
  dated: ObjectQuery['dated'],
  taps: readonly string[],
): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE judged_slots AS
    SELECT mode, reading, slot, CAST(day AS day_name) AS day, CAST(label AS time_name) AS label,
      CAST(unknown AS location_name) AS unknown, reason
    FROM (${judged('SELECT DISTINCT mode, reading, slot FROM tally', dated)});
    CREATE OR REPLACE VIEW judged AS
    SELECT tally.*, slots.day, slots.label, slots.reason
    FROM tally JOIN judged_slots AS slots ON slots.mode IS NOT DISTINCT FROM tally.mode
      AND slots.reading = tally.reading AND slots.slot = tally.slot;
    CREATE OR REPLACE VIEW counted AS
    SELECT tally.mode, slots.day, tally.tap, slots.label AS time, coalesce(places.location, slots.unknown) AS location,
      places.location IS NULL AS unlisted, tally.slot, tally.place, tally.taps
    FROM tally
    JOIN (SELECT judged_slots.* FROM judged_slots SEMI JOIN wanted USING (mode, day)
      WHERE reason IS NULL AND label IS NOT NULL) AS slots
      ON slots.mode = tally.mode AND slots.reading = tally.reading AND slots.slot = tally.slot
    LEFT JOIN places ON places.mode = tally.mode AND places.place = tally.place
    WHERE tally.tap IN (${taps.map(endName).join(', ')})`);
}

/**
 * The query for counted taps at places that the list of their mode does not have, as (mode, name, taps), by the name that
 * the source gives, so much of it: after judgeTally. It is a second scan, for people who look.
 */
export function unlistedTaps(query: ObjectQuery, characters: number): string {
  const ends = query.taps.map(
    (columns, n) => `SELECT mode, left(trim(name), ${characters}) AS name
    FROM (${keyedRows(query, `, ${columns.location} AS name`)}) AS keyed
    SEMI JOIN counted ON counted.tap = ${endOf(query, columns, 'keyed.')} AND counted.mode = keyed.mode
      AND counted.slot = keyed.slot_${n} AND counted.place IS NOT DISTINCT FROM keyed.place_${n} AND counted.unlisted`,
  );
  return `SELECT mode, name, count(*) AS taps FROM (${ends.join(' UNION ALL ')}) GROUP BY ALL`;
}

/** What the object held, by reason, and by mode and day: after judgeTally. */
export async function readTally(
  database: Database,
  { taps }: ObjectQuery,
): Promise<Omit<Tally, 'format' | 'objects' | 'lines'>> {
  const [[all] = []] = await database.rows('SELECT sum(taps) FROM tally');
  const rejected = (await hasRejects(database))
    ? await database.rows(
        'SELECT reason, sum(taps) FROM judged WHERE reason IS NOT NULL GROUP BY reason ORDER BY reason',
      )
    : [];
  const counted = await database.rows(`SELECT judged.mode, judged.day, sum(judged.taps),
      sum(CASE WHEN places.location IS NULL THEN judged.taps ELSE 0 END)
    FROM judged LEFT JOIN places ON places.mode = judged.mode AND places.place = judged.place
    WHERE judged.reason IS NULL AND judged.label IS NOT NULL
    GROUP BY judged.mode, judged.day ORDER BY judged.mode, judged.day`);
  return {
    // Each row is in as many groupings as it has ends.
    rows: Number(all ?? 0) / taps.length,
    rejected: Object.fromEntries(rejected.map(([reason, count]) => [String(reason), Number(count)])),
    taps: counted.map(([part, day, count, unknown]) => ({
      part: String(part),
      day: String(day),
      taps: Number(count),
      unknown: Number(unknown),
    })),
  };
}

/** Adds the taps of the object to the cells, after judgeTally. */
export const addCells = (database: Database): Promise<void> =>
  database.run('INSERT INTO cells SELECT mode, day, tap, time, location, taps FROM counted');

/** Has the object rows to list as rejects? After judgeTally. */
export async function hasRejects(database: Database): Promise<boolean> {
  return (await database.rows('SELECT 1 FROM judged_slots WHERE reason IS NOT NULL LIMIT 1')).length > 0;
}

/**
 * Writes the rejects of the object to a Parquet file (reason, tap, row): taps of rows that were read, when `rows` says
 * that there are any, and lines that were none. Reads the object a second time, which only an object with rejects costs.
 */
export async function writeRejects(
  database: Database,
  query: ObjectQuery,
  from: { rows: boolean; lines: string | null },
  path: string,
): Promise<void> {
  const tap = (columns: TapColumns): string =>
    columns.tap === 'either' ? 'CAST(tap AS VARCHAR)' : literal(columns.tap);
  const rows = query.taps.map(
    (columns) => `SELECT ${tap(columns)} AS tap, ${query.mode} AS mode, ${literal(columns.reading)} AS reading,
      ${columns.slot} AS slot, source_row FROM (${query.canonicalWithRow})`,
  );
  const parts: string[] = [];
  if (from.rows) {
    const reasons = judged(rows.join(' UNION ALL '), query.dated);
    parts.push(`SELECT reason, tap, source_row AS row FROM (${reasons}) WHERE reason IS NOT NULL`);
  }
  if (from.lines !== null) {
    parts.push(`SELECT reason, NULL AS tap, row FROM read_json(${literal(from.lines)}, format = 'newline_delimited',
      columns = {reason: 'VARCHAR', row: 'VARCHAR'})`);
  }
  await database.run(`COPY (${parts.join(' UNION ALL ')}) TO ${literal(path)} (FORMAT parquet)`);
}
