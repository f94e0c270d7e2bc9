import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays, weekdayIndex } from '../../core/calendar/civil-day.ts';
import { literal, withInstance } from '../../services/sql/duckdb.ts';
import { dayProfile, GUIDE, guideSql, QUARTERS } from './demo-profile.ts';

/**
 * The trips of the demo: made by DuckDB from the hash of a row number, so that everybody gets the same ones. The
 * long tail of locations follows the published Opal week, and so do the modes, except ferries, of which there are more;
 * nothing in it is anybody's trip.
 */

const TRIPS = 200_000;
const FIRST_DAY = '2026-03-02';
const DAYS = 14;
const SHARES = { train: 0.504, bus: 0.382, ferry: 0.1, lightrail: 0.014 };
/**
 * A ferry between two wharves that no other line calls at: one way until noon, back afterwards. All of its riders tap on
 * as they board and tap off when it lands, so that everybody knows pairs of counts that are equal; examples/demo.yaml
 * declares them. `percent` of the trips by ferry are its.
 */
const SHUTTLE = { wharves: ['Wrengrove Wharf', 'Beechgate Wharf'], percent: 35, everyMinutes: 5, minutes: 30 } as const;
/** Trips of a Saturday and a Sunday, where a weekday has 1. */
const WEEKEND_SHARE = { 5: 0.51, 6: 0.43 } as Readonly<Record<number, number>>;

const DICTIONARIES = fileURLToPath(new URL('../dictionaries/', import.meta.url));
const MODES = Object.keys(SHARES) as (keyof typeof SHARES)[];

/** How popular the location of a rank is: a power law with an end, fitted by eye to the Opal week. */
const popularity = (rank: number): number => (rank + 1) ** -0.9 * Math.exp(-rank / 120);

/** Locations of a mode, except those that the shuttle has for itself. */
async function locations(mode: string): Promise<string[]> {
  const text = await readFile(join(DICTIONARIES, `demo-${mode}.csv`), 'utf8');
  const names = [...text.matchAll(/^[^,\n]+/gm)].slice(1).map(([name]) => name);
  return names.filter((name) => !SHUTTLE.wharves.some((wharf) => wharf === name));
}

/** An integer in [0, n) from the trip and a salt. */
const draw = (salt: number, n: number): string => `CAST(hash(trip * 64 + ${salt}) % ${n} AS INTEGER)`;

/** A third week, for trying a retry: the trips of the first one, this many days later. */
const LATER_DAYS = 14;
/** An object of it that is delivered broken; the whole one is next to the deliveries. */
export const BROKEN_OBJECT = 'trips/2026-03-18/bus.parquet';
export const REPAIRED_OBJECT = 'repaired/2026-03-18-bus.parquet';

/**
 * Writes `trips/{date}/{mode}.parquet` below the folder: 14 days, four modes, 200,000 trips with card, on and off time
 * (local clock) and location. About 3 % have no tap-off, 1 % a location that no dictionary knows, and the late ones end
 * after midnight; but trips of the shuttle always end, and as declared. The trips of a mode are the same in every run. A
 * third week repeats the first, and one of its objects is broken.
 */
export async function generateDemo(target: string): Promise<void> {
  await withInstance({}, async (connection) => {
    const run = async (sql: string): Promise<void> => void (await connection.run(sql));
    const days = Array.from({ length: DAYS }, (_, index) => addDays(FIRST_DAY, index));
    const dayWeights = days.map((day) => WEEKEND_SHARE[weekdayIndex(day)] ?? 1);
    await run(guideSql('days', days, dayWeights));
    await run(guideSql('modes', MODES, Object.values(SHARES)));
    await run(guideSql('weekday', QUARTERS, dayProfile(false)));
    await run(guideSql('weekend', QUARTERS, dayProfile(true)));
    for (const mode of MODES) {
      const names = await locations(mode);
      const weights = names.map((_, rank) => popularity(rank));
      await run(guideSql(`places_${mode}`, names, weights));
    }
    await run(TRIPS_SQL);
    const later = days.slice(0, 7).map((of) => ({ of, day: addDays(of, LATER_DAYS), shift: LATER_DAYS }));
    for (const { of, day, shift } of [...days.map((day) => ({ of: day, day, shift: 0 })), ...later]) {
      await mkdir(join(target, 'trips', day), { recursive: true });
      const [on, off] = ['on_time', 'off_time'].map((name) =>
        shift === 0 ? name : `${name} + to_days(${shift}) AS ${name}`,
      );
      for (const mode of MODES) {
        const path = literal(join(target, 'trips', day, `${mode}.parquet`));
        await run(`COPY (SELECT card, ${on}, on_location, ${off}, off_location FROM trips
          WHERE day = '${of}' AND mode = '${mode}' ORDER BY trip) TO ${path} (FORMAT parquet)`);
      }
    }
    await breakObject(target);
  });
}

/** Cuts an object off in its middle, as a transfer that breaks leaves it, and keeps the whole one aside. */
async function breakObject(target: string): Promise<void> {
  const whole = await readFile(join(target, BROKEN_OBJECT));
  await mkdir(dirname(join(target, REPAIRED_OBJECT)), { recursive: true });
  await writeFile(join(target, REPAIRED_OBJECT), whole);
  await writeFile(join(target, BROKEN_OBJECT), whole.subarray(0, Math.floor(whole.length / 2)));
}

/** A location, or for one trip in a hundred a place that is in no dictionary. */
const place = (salt: number, table: string): string =>
  `CASE WHEN ${draw(salt + 1, 100)} = 0 THEN 'Depot ' || ${draw(salt + 2, 9)} ELSE ${table}.value END`;

/** The wharf at one end of a trip by the shuttle: 0 where it begins, 1 where it ends. */
const wharf = (end: 0 | 1): string =>
  `CASE WHEN hour(on_time) < 12 THEN '${SHUTTLE.wharves[end]}' ELSE '${SHUTTLE.wharves[1 - end]}' END`;

/** Seconds after the quarter hour at which somebody boards a shuttle: within a minute of one of its departures. */
const BOARDING = `${draw(6, 15 / SHUTTLE.everyMinutes)} * ${SHUTTLE.everyMinutes * 60} + ${draw(18, 60)}`;

const PLACES = `CREATE TABLE places AS ${MODES.map((mode) => `SELECT '${mode}' AS mode, * FROM places_${mode}`).join(' UNION ALL ')}`;

const TRIPS_SQL = `${PLACES};
  CREATE TABLE drawn AS
  SELECT trip, days.value AS day, modes.value AS mode,
    ${draw(3, GUIDE)} AS time_place, ${draw(4, GUIDE)} AS on_place, ${draw(5, GUIDE)} AS off_place,
    modes.value = 'ferry' AND ${draw(17, 100)} < ${SHUTTLE.percent} AS by_shuttle
  FROM (SELECT range AS trip FROM range(${TRIPS}))
  JOIN days ON days.place = ${draw(1, GUIDE)} JOIN modes ON modes.place = ${draw(2, GUIDE)};
  CREATE TABLE timed AS
  SELECT drawn.*, CAST(day AS TIMESTAMP)
      + to_minutes(CASE WHEN isodow(CAST(day AS DATE)) < 6 THEN weekday.value ELSE weekend.value END * 15)
      + to_seconds(CASE WHEN by_shuttle THEN ${BOARDING} ELSE ${draw(6, 900)} END) AS on_time
  FROM drawn JOIN weekday ON weekday.place = time_place JOIN weekend ON weekend.place = time_place;
  CREATE TABLE trips AS
  SELECT trip, day, timed.mode AS mode, 'card-' || ${draw(7, 60_000)} AS card, on_time,
    CASE WHEN by_shuttle THEN ${wharf(0)} ELSE ${place(8, 'starts')} END AS on_location,
    CASE WHEN by_shuttle THEN on_time + to_minutes(${SHUTTLE.minutes})
      WHEN ${draw(14, 100)} >= 3 THEN on_time + to_seconds(240 + ${draw(15, 1500)} + ${draw(16, 1500)}) END AS off_time,
    CASE WHEN by_shuttle THEN ${wharf(1)} WHEN ${draw(14, 100)} >= 3 THEN ${place(11, 'ends')} END AS off_location
  FROM timed
  JOIN places AS starts ON starts.mode = timed.mode AND starts.place = on_place
  JOIN places AS ends ON ends.mode = timed.mode AND ends.place = off_place`;
