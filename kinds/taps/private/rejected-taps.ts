import type { DistinctObject } from '../../../activities/private/source/inventory.ts';
import { type Database, literal } from '../../../activities/sql/duckdb.ts';
import { partitionPath } from '../../../contracts/names.ts';
import { addDays } from '../../../core/calendar/civil-day.ts';
import type { LeftOutCount } from '../../../core/mechanisms/left-out.ts';
import { isInPeriod } from '../../../core/source-pattern/object-time.ts';
import type { ObjectName } from '../../../core/source-pattern/pattern.ts';
import type { TapsSeries } from '../series.ts';
import { countedTaps } from './tap-keys.ts';

/** rejected(mode, day, tap, taps): how many rejects of each partition and end there are, in any number of rows. */
export const createRejected = (database: Database): Promise<void> =>
  database.run('CREATE TABLE rejected(mode VARCHAR, day VARCHAR, tap VARCHAR, taps BIGINT)');

/**
 * Counts the rejects of the object that was judged last (tally.ts), `lines` that were no rows among them, for the day on
 * which its name begins. Those of an object that begins outside the window, whose `days` these are, are of another
 * release. A reject counts for its mode where the object may hold it, else for the first that it may hold; without an end
 * it counts for the first that is published. rejected-taps.proof.md says how many of them one unit can make.
 *
 * @contract C5
 */
export async function addRejects(
  database: Database,
  series: TapsSeries,
  days: readonly string[],
  { names, lines }: { names: DistinctObject['names']; lines: number },
): Promise<void> {
  const [home] = names.flatMap((name) => {
    const day = days.find((one) => beginsOn(name, one));
    return day === undefined ? [] : [{ day, modes: name.mode === undefined ? series.modes : [name.mode] }];
  });
  if (!home) return;
  const [day, mode] = [literal(home.day), literal(home.modes[0]!)];
  const ends = countedTaps(series).map(literal);
  const own = `CAST(mode AS VARCHAR) IN (${home.modes.map(literal).join(', ')})`;
  await database.run(`INSERT INTO rejected
    SELECT CASE WHEN ${own} THEN CAST(mode AS VARCHAR) ELSE ${mode} END, ${day}, coalesce(CAST(tap AS VARCHAR), ${ends[0]!}) AS tap, taps
    FROM judged WHERE reason IS NOT NULL AND (tap IS NULL OR CAST(tap AS VARCHAR) IN (${ends.join(', ')}))
    UNION ALL SELECT ${mode}, ${day}, ${ends[0]!}, ${lines}`);
}

/** Is this the first day of what the name says? One that names no time begins on none. */
const beginsOn = ({ date, period }: ObjectName, day: string): boolean =>
  day === date || (period !== undefined && isInPeriod(day, period) && !isInPeriod(addDays(day, -1), period));

/** How many rejects of each end of the partitions there are; who has none may be absent. */
export async function rejectedTaps(database: Database): Promise<Map<string, LeftOutCount[]>> {
  const rows = await database.rows(
    'SELECT mode, day, tap, CAST(sum(taps) AS BIGINT) FROM rejected GROUP BY ALL ORDER BY ALL',
  );
  const found = new Map<string, LeftOutCount[]>();
  for (const [part, day, tap, taps] of rows) {
    const path = partitionPath({ part: String(part), day: String(day) });
    found.set(path, [...(found.get(path) ?? []), [tap === 'on' ? 'on' : 'off', Number(taps)]]);
  }
  return found;
}
