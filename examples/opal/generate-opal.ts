import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';
import { weekdayIndex } from '../../core/calendar/civil-day.ts';
import { literal, withInstance } from '../../services/sql/duckdb.ts';
import { dayProfile, GUIDE, guideSql, QUARTERS } from '../demo/demo-profile.ts';

/** One count of the published file; `day` is YYYY-MM-DD. */
type PublishedCount = { mode: string; day: string; tap: string; location: string; count: number };

const FILE = 'location_20160808-14.csv';
/** Mixed into every hash: the time of day is drawn with this seed, and is the same for everybody. */
const SEED = 1;

/** Reads the published counts; the file ends with two stray lines that are not counts. */
export function parsePublishedCounts(text: string): PublishedCount[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const match = /^([a-z]+),(\d{4})(\d{2})(\d{2}),(on|off),([^,]*),(\d+)$/.exec(line);
    if (!match) return [];
    const [, mode, year, month, day, tap, location, count] = match as unknown as string[];
    return [{ mode: mode!, day: `${year}-${month}-${day}`, tap: tap!, location: location!, count: Number(count) }];
  });
}

/**
 * Turns the published Opal week (CC BY 4.0, Transport for NSW) into taps: each count becomes that many taps at its
 * location on its day. The published location table has no time of day; it is drawn from the demo's profile and is
 * synthetic. Writes `taps/{date}/{mode}.parquet` with tap, time (local clock) and location.
 * Throws OBJECT_MISSING when the published file is not in the folder.
 */
export async function generateOpal(source: string, target: string): Promise<void> {
  const text = await readFile(join(source, FILE), 'utf8').catch(() => {
    throw new OpalineError('OBJECT_MISSING', `The folder of the published Opal week holds no ${FILE}.`);
  });
  const counts = parsePublishedCounts(text);
  await withInstance({ preserve_insertion_order: 'false' }, async (connection) => {
    await connection.run(`CREATE TABLE counts AS SELECT * FROM (VALUES ${counts.map(values).join(', ')})
      AS t(mode, day, tap, location, count)`);
    for (const weekend of [false, true])
      await connection.run(guideSql(`profile_${weekend}`, QUARTERS, dayProfile(weekend)));
    for (const { mode, day } of partitions(counts)) {
      await mkdir(join(target, 'taps', day), { recursive: true });
      const path = literal(join(target, 'taps', day, `${mode}.parquet`));
      await connection.run(`COPY (${tapsSql(mode, day)}) TO ${path} (FORMAT parquet)`);
    }
  });
}

const values = ({ mode, day, tap, location, count }: PublishedCount): string =>
  `('${mode}', '${day}', '${tap}', ${literal(location)}, ${count})`;

const partitions = (counts: readonly PublishedCount[]): { mode: string; day: string }[] => [
  ...new Map(counts.map(({ mode, day }) => [`${mode} ${day}`, { mode, day }])).values(),
];

function tapsSql(mode: string, day: string): string {
  const profile = `profile_${weekdayIndex(day) >= 5}`;
  return `SELECT tap, TIMESTAMP '${day}' + to_seconds(value * 900 + CAST(random // ${GUIDE} % 900 AS INTEGER)) AS time, location
    FROM (
      SELECT tap, location, hash(tap, location, copy, '${mode}', '${day}', ${SEED}) AS random
      FROM (SELECT tap, location, unnest(range(count)) AS copy FROM counts WHERE mode = '${mode}' AND day = '${day}')
    ) JOIN ${profile} ON place = random % ${GUIDE}`;
}
