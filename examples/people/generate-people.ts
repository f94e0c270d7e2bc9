import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { addDays, weekdayIndex } from '../../core/calendar/civil-day.ts';
import { literal, withInstance } from '../../services/sql/duckdb.ts';
import { dayProfile, GUIDE, guideSql, QUARTERS } from '../demo/demo-profile.ts';

/** How many cards there are, of which about one in seven stays at home, and the seed of all of their trips. */
type City = { cards: number; seed: number };

/** The week that is made: seven traffic days, Sunday first. */
export const PEOPLE_WEEK = '2009-11-01';

/** Cards whose trips are made at once: what is in memory does not grow with the city. */
const CARDS_AT_ONCE = 200_000;

/**
 * People by how regularly they travel: which part of all cards they have, and the chances of their usual trip and of
 * another one, on a weekday and on a day of the weekend. Invented, so that a card has about 11.4 taps a week.
 */
const PEOPLE = [
  { kind: 'commuter', share: 0.35, usual: [0.88, 0.05], other: [0.1, 0.18], away: [450, 120] },
  { kind: 'regular', share: 0.3, usual: [0.3, 0.25], other: [0.1, 0.15], away: [60, 240] },
  { kind: 'occasional', share: 0.35, usual: [0.07, 0.08], other: [0.06, 0.1], away: [60, 240] },
] as const;

/** Ways to travel, and how many of a hundred people use each: by which of the two parts of a way they go. */
const WAYS = [
  { share: 34, first: 'bus', second: null },
  { share: 18, first: 'bus', second: 'bus' },
  { share: 24, first: null, second: 'train' },
  { share: 24, first: 'bus', second: 'train' },
] as const;

/** Of the journeys that were not by bus: taps in the week of the published sample (docs/utility.md). */
const TRAIN_MODES = { underground: 1_152_281, mixed: 83_700, rail: 66_265, tram: 8_883 };

/** How many of a hundred journeys end without a tap; tram journeys hardly ever end with one. */
const UNFINISHED = { train: 4, tram: 93 };

/** The traffic day in minutes after midnight: from 04:00 to the end of the bin of 28:30. */
const DAY = { first: 240, last: 1724, minutes: 1440 };

const DICTIONARIES = new URL('../dictionaries/', import.meta.url);

/** A public list in an order that has nothing to do with its names: the first will be the busiest. */
async function rankList(list: string): Promise<string[]> {
  const [, ...names] = (await readFile(new URL(list, DICTIONARIES), 'utf8')).trimEnd().split('\n');
  const place = (name: string): string => createHash('sha256').update(name).digest('hex');
  return names.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** Homes spread over the whole list; work and leisure gather at its first places. */
const WEIGHTS = {
  home: (rank: number, places: number): number => Math.exp((-2 * rank) / places),
  away: (rank: number, places: number): number => (rank + 1) ** -0.6 * Math.exp((-4 * rank) / places),
};

/**
 * Writes `{day}/{part}.parquet` below the folder: a week of trips of people with a home, a place of work or another
 * usual aim, a usual way, a usual hour and occasional trips elsewhere, over the public lists of the Oyster example.
 * Columns: card, mode, day (the traffic day), on_minute and off_minute (after its midnight), on_location, off_location.
 * Everything is invented, from a hash of the seed, the card and the day: the same city is the same bytes, on one thread
 * of DuckDB. Cost: about eight seconds and 330 MiB of memory for 200,000 cards, which are made at once.
 *
 * Throws RangeError when the city has no card, or the seed is not valid.
 */
export async function generatePeople(target: string, { cards, seed }: City): Promise<void> {
  if (!(cards >= 1 && cards < 2 ** 26 && seed >= 0 && seed < 2 ** 20 && Number.isInteger(seed)))
    throw new RangeError('a city has from 1 to 2^26 cards, and its seed is an integer below 2^20');
  await withInstance({ threads: '1' }, async (connection) => {
    // In the order that it chooses 200,000 cards had no day of trips after ten minutes.
    await connection.run("SET disabled_optimizers = 'join_order'");
    await makeGuides(connection);
    const days = Array.from({ length: 7 }, (_, at) => addDays(PEOPLE_WEEK, at));
    for (const day of days) await mkdir(join(target, day), { recursive: true });
    for (let first = 0, part = 0; first < cards; first += CARDS_AT_ONCE, part++) {
      await connection.run(peopleSql(first, Math.min(cards, first + CARDS_AT_ONCE), seed));
      for (const [at, day] of days.entries()) {
        const path = literal(join(target, day, `${String(part).padStart(3, '0')}.parquet`));
        await connection.run(`COPY (${tripsSql(day, at + 1, seed)}) TO ${path} (FORMAT parquet)`);
      }
    }
  });
}

async function makeGuides(connection: DuckDBConnection): Promise<void> {
  const stations = await rankList('oyster-stations.csv');
  const isTram = (name: string): boolean => name.includes('TRAM');
  const lists = {
    bus: await rankList('oyster-bus.csv'),
    train: stations.filter((name) => !isTram(name)),
    tram: stations.filter(isTram),
  };
  const guides: [name: string, values: readonly (string | number)[], weights: readonly number[]][] = [
    ['kinds', PEOPLE.map((_, at) => at), PEOPLE.map(({ share }) => share)],
    ['ways', WAYS.map((_, at) => at), WAYS.map(({ share }) => share)],
    ['modes', Object.keys(TRAIN_MODES), Object.values(TRAIN_MODES)],
    // Usual trips begin from 05:00 to 15:00.
    ['mornings', QUARTERS.slice(20, 60), dayProfile(false).slice(20, 60)],
    ['weekday', QUARTERS, dayProfile(false)],
    ['weekend', QUARTERS, dayProfile(true)],
  ];
  for (const [name, values, weights] of guides) await connection.run(guideSql(name, values, weights));
  for (const end of ['home', 'away'] as const) {
    for (const [list, names] of Object.entries(lists)) {
      const weights = names.map((_, rank) => WEIGHTS[end](rank, names.length));
      await connection.run(guideSql(`${end}_${list}`, names, weights));
    }
    const parts = Object.keys(lists).map((list) => `SELECT '${list}' AS list, place, value FROM ${end}_${list}`);
    await connection.run(`CREATE TABLE ${end} AS ${parts.join(' UNION ALL ')}`);
  }
}

/** An integer in [0, n), from the seed, the card, the day (0 for what is the same every day) and a salt below 64. */
const draw = (seed: number, day: number | string, salt: number | string, n: number): string =>
  `CAST(hash(${seed} * ${2 ** 36} + card * 512 + (${day}) * 64 + ${salt}) % ${n} AS INTEGER)`;

/** One of the values of a list, by the position that a column gives: that of the way, or of the kind of people. */
const ofWay = (values: readonly (string | null)[]): string => nth(values, 'way');
const ofKind = (values: readonly number[]): string => nth(values, 'kind');
const nth = (values: readonly (string | number | null)[], at: string): string =>
  `[${values.map((value) => (typeof value === 'string' ? `'${value}'` : `${value}`)).join(', ')}][${at} + 1]`;

/** What a card keeps for the whole week. */
function peopleSql(first: number, end: number, seed: number): string {
  const own = (salt: number, n = GUIDE): string => draw(seed, 0, salt, n);
  const part = (which: 'first' | 'second'): string => ofWay(WAYS.map((one) => one[which]));
  const away = (at: 0 | 1): string => ofKind(PEOPLE.map((one) => one.away[at]));
  return `CREATE OR REPLACE TABLE people AS
    WITH drawn AS (
      SELECT card, kinds.value AS kind, ways.value AS way, modes.value AS train_mode,
        if(modes.value = 'tram', 'tram', 'train') AS list, mornings.value * 15 + ${own(4, 15)} AS out_minute
      FROM (SELECT range AS card FROM range(${first}, ${end}))
      JOIN kinds ON kinds.place = ${own(0)} JOIN ways ON ways.place = ${own(1)}
      JOIN modes ON modes.place = ${own(2)} JOIN mornings ON mornings.place = ${own(3)})
    SELECT card, kind, way, train_mode, drawn.list, out_minute, ${part('first')} AS first_part,
      ${part('second')} AS second_part,
      ${away(0)} + ${own(5, 1000)} * ${away(1)} // 1000 AS stay,
      6 + ${own(6, 25)} + ${own(7, 25)} AS ride, home_bus.value AS home_route, away_bus.value AS away_route,
      home.value AS home_station, away.value AS away_station
    FROM drawn JOIN home_bus ON home_bus.place = ${own(8)} JOIN away_bus ON away_bus.place = ${own(9)}
    JOIN home ON home.list = drawn.list AND home.place = ${own(10)}
    JOIN away ON away.list = drawn.list AND away.place = ${own(11)}
    ORDER BY card`;
}

/**
 * The trips of one day: who goes the usual way or another one, there and back, by bus, train or both. A bus comes
 * before the train on the way there and after it on the way back.
 */
function tripsSql(day: string, number: number, seed: number): string {
  const weekend = weekdayIndex(day) >= 5;
  const of = (salt: number | string, n = GUIDE): string => draw(seed, number, salt, n);
  const chances = (name: 'usual' | 'other'): string =>
    ofKind(PEOPLE.map((one) => Math.round(one[name][weekend ? 1 : 0] * 1000)));
  const other = (salt: number): string => of(`${salt} + 8 * back + 4 * part`);
  const jitter = `${of('24 + 4 * other + 2 * back', 8)} + ${of('25 + 4 * other + 2 * back', 8)} - 7`;
  return `WITH going AS (
      SELECT people.*, 0 AS other, out_minute AS starts, stay AS away_for FROM people WHERE ${of(0, 1000)} < ${chances('usual')}
      UNION ALL
      SELECT people.*, 1 AS other, IF(hours.value < 16, ${DAY.minutes}, 0) + hours.value * 15 + ${of(2, 15)} AS starts,
        60 + ${of(3, 180)} AS away_for
      FROM people JOIN ${weekend ? 'weekend' : 'weekday'} AS hours ON hours.place = ${of(4)}
      WHERE ${of(1, 1000)} < ${chances('other')}),
    legs AS (
      SELECT *, if(part = 0, first_part, second_part) AS vehicle, starts + back * away_for + ${jitter}
        + if(part <> back AND first_part IS NOT NULL AND second_part IS NOT NULL, 6 + if(back = 1, ride, ${of('32 + back', 12)}), 0) AS minute
      FROM going CROSS JOIN (VALUES (0, 0), (0, 1), (1, 0), (1, 1)) AS ends(back, part)
      WHERE if(part = 0, first_part, second_part) IS NOT NULL),
    placed AS (
      SELECT legs.*, if(other = 1, elsewhere.value, away_station) AS far, if(other = 1, route.value, if(part = 0, home_route, away_route)) AS bus
      FROM legs JOIN away AS elsewhere ON elsewhere.list = legs.list AND elsewhere.place = ${of(34)}
      JOIN away_bus AS route ON route.place = ${other(36)})
    SELECT card, if(vehicle = 'bus', 'bus', train_mode) AS mode, DATE '${day}' AS day,
      CAST(greatest(${DAY.first}, least(${DAY.last - 60}, minute)) AS SMALLINT) AS on_minute,
      if(vehicle = 'bus', bus, if(back = 1, far, home_station)) AS on_location,
      CAST(if(ends, greatest(${DAY.first}, least(${DAY.last - 60}, minute)) + ride, NULL) AS SMALLINT) AS off_minute,
      if(ends, if(back = 1, home_station, far), NULL) AS off_location
    FROM (SELECT *, vehicle <> 'bus' AND ${of('60 + back', 100)} >= if(list = 'tram', ${UNFINISHED.tram}, ${UNFINISHED.train}) AS ends FROM placed)
    ORDER BY card, on_minute, mode, on_location, off_minute`;
}
