import type { Tally } from '../../../activities/private/input-report/tally-file.ts';
import { type Database, literal } from '../../../activities/sql/duckdb.ts';
import type { LeftOutCount } from '../../../core/mechanisms/left-out.ts';
import { NO_TIME, type TapColumns } from './tap-keys.ts';

/**
 * Counting the taps of one object, in one scan: taps are grouped by mode, integer slot and location as the source
 * writes them; only the few distinct groups are then judged and converted. The tables of one database:
 *
 * modes(mode, unknown), dictionary(mode, source, location), calendar(reading, slot, day, label, problem),
 * wanted(mode, day): for the whole activity. declared(mode, day), tally, judged, counted: for one object, replaced by
 * the next.
 * cells(mode, day, tap, time, location, count): what the objects gave so far, several rows a cell.
 */

export const createTables = async (database: Database): Promise<void> =>
  database.run(`
    CREATE TABLE modes(mode VARCHAR, unknown VARCHAR);
    CREATE TABLE dictionary(mode VARCHAR, source VARCHAR, location VARCHAR);
    CREATE TABLE calendar(reading VARCHAR, slot BIGINT, day VARCHAR, label VARCHAR, problem VARCHAR);
    CREATE TABLE wanted(mode VARCHAR, day VARCHAR);
    CREATE TABLE cells(mode VARCHAR, day VARCHAR, tap VARCHAR, time VARCHAR, location VARCHAR, count BIGINT)`);

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

/** One row for each row of the object: (tap,) mode, and slot_n and location_n of each of its taps; and `more`. */
export function keyedRows(query: ObjectQuery, more = ''): string {
  const keys = query.taps.map(({ slot, location }, n) => `${slot} AS slot_${n}, ${location} AS location_${n}`);
  const tap = holdsEither(query) ? 'lower(trim(CAST(tap AS VARCHAR))) AS tap, ' : '';
  return `SELECT ${tap}${query.mode} AS mode, ${keys.join(', ')}${more} FROM (${query.canonical})`;
}

/** The scan. */
export async function tallyObject(database: Database, query: ObjectQuery): Promise<void> {
  const either = holdsEither(query);
  const sets = query.taps.map((_, n) => `(${either ? 'tap, ' : ''}mode, slot_${n}, location_${n})`);
  const pick = (value: (n: number) => string): string =>
    query.taps.length === 1 ? value(0) : `CASE WHEN GROUPING(slot_0) = 0 THEN ${value(0)} ELSE ${value(1)} END`;
  const tap = either ? 'tap' : pick((n) => literal(query.taps[n]!.tap));
  await database.run(`CREATE OR REPLACE TABLE tally AS
    WITH keyed AS (${keyedRows(query)})
    SELECT ${tap} AS tap, mode, ${pick((n) => literal(query.taps[n]!.reading))} AS reading,
      ${pick((n) => `slot_${n}`)} AS slot, ${pick((n) => `location_${n}`)} AS location, count(*) AS taps
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
 * ends `taps` that the series counts. A location that the dictionary does not know is the mode's unknown one (C4).
 */
export async function judgeTally(
  database: Database,
  dated: ObjectQuery['dated'],
  taps: readonly string[],
): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE judged AS ${judged('SELECT * FROM tally', dated)};
    CREATE OR REPLACE VIEW counted AS
    SELECT judged.mode, judged.day, judged.tap, judged.label AS time,
      coalesce(dictionary.location, judged.unknown) AS location, judged.slot, judged.location AS source, judged.taps
    FROM judged
    JOIN wanted ON wanted.mode = judged.mode AND wanted.day = judged.day
    LEFT JOIN dictionary ON dictionary.mode = judged.mode AND dictionary.source = trim(judged.location)
    WHERE judged.reason IS NULL AND judged.label IS NOT NULL AND judged.tap IN (${taps.map(literal).join(', ')})`);
}

/** What the object held, by reason, and by mode and day: after judgeTally. */
export async function readTally(
  database: Database,
  { taps }: ObjectQuery,
): Promise<Omit<Tally, 'format' | 'objects' | 'lines'>> {
  const [[all] = []] = await database.rows('SELECT sum(taps) FROM judged');
  const rejected = await database.rows(
    'SELECT reason, sum(taps) FROM judged WHERE reason IS NOT NULL GROUP BY reason ORDER BY reason',
  );
  const counted = await database.rows(`SELECT judged.mode, judged.day, sum(judged.taps),
      sum(CASE WHEN dictionary.location IS NULL THEN judged.taps ELSE 0 END)
    FROM judged LEFT JOIN dictionary ON dictionary.mode = judged.mode AND dictionary.source = trim(judged.location)
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
  return (await database.rows('SELECT 1 FROM judged WHERE reason IS NOT NULL LIMIT 1')).length > 0;
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

/** Key under which a file of cells says what its bound leaves out. */
export const LEFT_OUT = 'left-out';

/**
 * Writes the cells of one partition, sorted, to a Parquet file; one without taps is an empty table. Where left-out taps
 * are counted the footer of the file holds them, so that one put stores both; `leftOut` is null where they are not.
 */
export function writeCells(
  database: Database,
  mode: string,
  day: string,
  path: string,
  leftOut: readonly LeftOutCount[] | null,
): Promise<void> {
  const footer = leftOut ? `, KV_METADATA {${literal(LEFT_OUT)}: ${literal(JSON.stringify(leftOut))}}` : '';
  return database.run(`COPY (
    SELECT tap, time, location, CAST(sum(count) AS BIGINT) AS count FROM cells
    WHERE mode = ${literal(mode)} AND day = ${literal(day)}
    GROUP BY tap, time, location ORDER BY tap, time, location
  ) TO ${literal(path)} (FORMAT parquet${footer})`);
}
