import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { duckdb } from '../../kinds/taps/private/stages.fixture.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { generatePeople } from './generate-people.ts';

const CARDS = 20_000;
const root = newFolder();
const city = join(root, 'city');
const trips = `read_parquet('${city}/*/*.parquet')`;

beforeAll(() => generatePeople(city, { cards: CARDS, seed: 7 }), 120_000);

const one = async (expression: string, from = trips): Promise<number> =>
  Number((await duckdb(`SELECT ${expression} FROM ${from}`))[0]![0]);

const digestOf = (folder: string): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.parquet')) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
};

test('a seed gives the same bytes, and another one other trips', async () => {
  const digests: string[] = [];
  for (const [name, seed] of [
    ['a', 3],
    ['b', 3],
    ['c', 4],
  ] as const) {
    await generatePeople(join(root, name), { cards: 2000, seed });
    digests.push(digestOf(join(root, name)));
  }
  expect(digests[0]).toBe(digests[1]);
  expect(digests[0]).not.toBe(digests[2]);
}, 240_000);

test('the cards of a larger city begin with those of a smaller one', async () => {
  const smaller = join(root, 'smaller');
  await generatePeople(smaller, { cards: 1000, seed: 7 });
  const own = `SELECT * FROM read_parquet('${smaller}/*/*.parquet')`;
  const same = `SELECT * FROM ${trips} WHERE card < 1000`;
  expect(await one('count(*)', `(${own})`)).toBeGreaterThan(7000);
  expect(await one('count(*)', `((${own} EXCEPT ALL ${same}) UNION ALL (${same} EXCEPT ALL ${own}))`)).toBe(0);
});

test('a card has about 11.4 taps a week, two thirds of all trips are by bus, and weekends are quiet', async () => {
  const taps = (await one('count(*) + count(off_minute)')) / CARDS;
  expect(taps).toBeGreaterThan(11);
  expect(taps).toBeLessThan(12);
  expect(await one("avg(CAST(mode = 'bus' AS INTEGER))")).toBeCloseTo(0.665, 1);
  expect(await one("count(off_minute) FILTER (mode = 'bus')")).toBe(0);
  expect((await one('count(DISTINCT card)')) / CARDS).toBeCloseTo(0.86, 1);
  const perDay = (await duckdb(`SELECT day, count(*) FROM ${trips} GROUP BY day ORDER BY day`)).map((row) =>
    Number(row[1]),
  );
  expect(perDay).toHaveLength(7);
  const [sunday, monday] = perDay as [number, number];
  expect(sunday / monday).toBeGreaterThan(0.4);
  expect(sunday / monday).toBeLessThan(0.65);
});

test('people have habits: on most days they begin at home, and commuters do at nearly the same minute', async () => {
  const firsts = `(SELECT card, day, min_by(on_location, on_minute) AS place, min(on_minute) AS minute
    FROM ${trips} GROUP BY card, day)`;
  const cards = `(SELECT card, count(*) AS days, mode(place) AS home, stddev_pop(minute) AS minutes,
    count(*) FILTER (place = home) AS days_at_home FROM (SELECT *, mode(place) OVER (PARTITION BY card) AS home FROM ${firsts})
    GROUP BY card HAVING count(*) BETWEEN 4 AND 5)`;
  expect(await one('sum(days_at_home) / sum(days)', cards)).toBeGreaterThan(0.85);
  expect(await one('quantile_cont(minutes, 0.3)', cards)).toBeLessThan(15);
  // Two cards have another home as a rule.
  expect(await one('max(cards) / sum(cards)', `(SELECT count(*) AS cards FROM ${cards} GROUP BY home)`)).toBeLessThan(
    0.05,
  );
});

test('every place is one of the public list of its mode, and every minute one of the traffic day', async () => {
  const listOf = (name: string): string[] =>
    readFileSync(new URL(`../dictionaries/oyster-${name}.csv`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1);
  const places = await duckdb(`SELECT DISTINCT mode, unnest([on_location, off_location]) FROM ${trips}`);
  const lists = { bus: listOf('bus'), stations: listOf('stations') };
  const strangers = places.filter(
    ([mode, place]) => place !== null && !lists[mode === 'bus' ? 'bus' : 'stations'].includes(String(place)),
  );
  expect(strangers).toEqual([]);
  expect(new Set(places.map(([mode]) => mode))).toEqual(new Set(['bus', 'mixed', 'rail', 'tram', 'underground']));
  expect(await one('min(on_minute)')).toBeGreaterThanOrEqual(240);
  expect(await one('max(off_minute)')).toBeLessThan(1725);
  expect(await one('count(*) FILTER (off_minute < on_minute)')).toBe(0);
});

test('a city without cards, or without a seed, is refused', async () => {
  await expect(generatePeople(root, { cards: 0, seed: 1 })).rejects.toThrow(RangeError);
  await expect(generatePeople(root, { cards: 10, seed: 0.5 })).rejects.toThrow(RangeError);
});
