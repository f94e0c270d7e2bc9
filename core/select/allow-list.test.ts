import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSelect } from './allow-list.ts';

const HOSTILE = [
  'SELECT count(*) AS card FROM source',
  'SELECT max(card) AS card FROM source',
  'SELECT any_value(card) AS card FROM source',
  'SELECT list(card) AS card FROM source',
  'SELECT string_agg(card) AS card FROM source',
  'SELECT sum(x) OVER () AS card FROM source',
  'SELECT row_number() OVER () AS card FROM source',
  'SELECT lag(card) OVER (ORDER BY time) AS card FROM source',
  'SELECT DISTINCT card FROM source',
  'SELECT DISTINCT ON (card) card, time FROM source',
  'SELECT card FROM source ORDER BY time',
  'SELECT card FROM source LIMIT 10',
  'SELECT card FROM source OFFSET 3',
  'SELECT card FROM source GROUP BY card',
  'SELECT card FROM source GROUP BY ALL',
  'SELECT card FROM source GROUP BY ROLLUP (card)',
  'SELECT card FROM source HAVING card > 1',
  'SELECT card FROM source QUALIFY card > 1',
  'SELECT card FROM source USING SAMPLE 10',
  'SELECT card FROM source TABLESAMPLE 10%',
  'SELECT unnest([card, card]) AS card FROM source',
  'SELECT generate_series(1, 9) AS card FROM source',
  'SELECT card FROM source, source AS other',
  'SELECT card FROM source JOIN source AS b USING (card)',
  'SELECT card FROM source POSITIONAL JOIN source',
  'SELECT card FROM source AS s',
  'SELECT card FROM (SELECT * FROM source)',
  'SELECT card FROM (VALUES (1)) AS source(card)',
  'WITH source AS (SELECT 1 AS card) SELECT card FROM source',
  'WITH RECURSIVE a AS (SELECT 1) SELECT card FROM source',
  'SELECT card FROM source UNION ALL SELECT card FROM source',
  'SELECT card FROM source EXCEPT SELECT card FROM source',
  'SELECT (SELECT max(card) FROM source) AS card FROM source',
  'SELECT card FROM source WHERE EXISTS (SELECT 1 FROM source)',
  'SELECT card FROM source WHERE card IN (SELECT card FROM source)',
  'SELECT card FROM source WHERE card = ANY (SELECT 1)',
  "SELECT card FROM read_csv('/etc/passwd')",
  "SELECT card FROM '/etc/passwd'",
  "SELECT content AS card FROM read_text('/etc/passwd')",
  "SELECT getenv('HOME') AS card FROM source",
  'SELECT random() AS card FROM source',
  'SELECT uuid() AS card FROM source',
  'SELECT now() AS time FROM source',
  'SELECT current_date AS day FROM source',
  'SELECT CURRENT_TIMESTAMP AS time FROM source',
  'SELECT today() AS day FROM source',
  "SELECT nextval('s') AS card FROM source",
  "SELECT current_setting('threads') AS card FROM source",
  'SELECT rowid AS card FROM source',
  'SELECT source.RowId AS card FROM source',
  'SELECT file_row_number AS card FROM source',
  'SELECT filename AS location FROM source',
  'SELECT * FROM source',
  'SELECT * REPLACE (max(card) AS card) FROM source',
  'SELECT * EXCLUDE (card) FROM source',
  "SELECT COLUMNS('card') FROM source",
  'SELECT #1 AS card FROM source',
  'SELECT $1 AS card FROM source',
  'SELECT ? AS card FROM source',
  'SELECT CAST(minute AS INTEGER) AS minute FROM source',
  'SELECT minute::INTEGER AS minute FROM source',
  "SELECT TRY_CAST(card AS ENUM ('a')) AS card FROM source",
  'SELECT TRY_CAST(card AS INTEGER[]) AS card FROM source',
  "SELECT error('stop') AS card FROM source",
  "SELECT strptime(time, '%Y') AS time FROM source",
  'SELECT repeat(card, 1000000000) AS card FROM source',
  "SELECT lpad(card, 1000000000, '0') AS card FROM source",
  "SELECT lpad(card, minute, '0') AS card FROM source",
  'SELECT replace(card, mode, card) AS card FROM source',
  'SELECT regexp_matches(card, mode) AS card FROM source',
  'SELECT timezone(mode, time) AS time FROM source',
  "SELECT time AT TIME ZONE 'Nowhere/City' AS time FROM source",
  'SELECT list_transform([card], lambda x: x) AS card FROM source',
  'SELECT card COLLATE NOCASE AS card FROM source',
  'SELECT lower(DISTINCT card) AS card FROM source',
  'SELECT lower(card) FILTER (WHERE true) AS card FROM source',
  'SELECT other.lower(card) AS card FROM source',
  'SELECT lower(card) FROM source',
  'SELECT card, mode AS card FROM source',
  'SELECT 170141183460469231731687303715884105727 AS card FROM source',
  'SELECT card',
  'SELECT card FROM other',
  'SELECT card FROM main.source',
  'FROM source',
  'VALUES (1)',
  'SELECT card FROM source; SELECT card FROM source',
  "COPY source TO '/tmp/x'",
  'CREATE TABLE a AS SELECT card FROM source',
  'SET threads = 1',
  'PIVOT source ON mode USING count(*)',
  'DESCRIBE source',
  'SELECT card FROM',
  '',
];

const HONEST = [
  'SELECT mode, card, on_time, on_location, off_time, off_location FROM source',
  "SELECT DATE '2009-11-01' + (TRY_CAST(downo AS INTEGER) - 1) AS on_day FROM source",
  "SELECT CASE subsystem WHEN 'LTB' THEN 'bus' WHEN 'LUL' THEN 'tube' END AS mode FROM source",
  "SELECT CASE WHEN subsystem LIKE 'NR%' THEN 'rail' ELSE NULL END AS mode FROM source",
  'SELECT TRY_CAST(entry AS INTEGER) AS on_minute FROM source',
  "SELECT TRY_CAST(nullif(leave, '0') AS INTEGER) AS off_minute FROM source",
  'SELECT trim(lower(station)) AS on_location FROM source',
  "SELECT coalesce(station, 'none') AS on_location FROM source",
  "SELECT try_strptime(stamp, '%d/%m/%Y %H:%M') AS time FROM source",
  "SELECT regexp_extract(stop, '^([0-9]{4})', 1) AS location FROM source",
  "SELECT split_part(route, '/', 2) AS location FROM source",
  "SELECT 'bus' AS mode, route AS location FROM source WHERE subsystem = 'LTB'",
  "SELECT card FROM source WHERE station NOT IN ('Unstarted', 'Unfinished') AND station IS NOT NULL",
  'SELECT card FROM source WHERE NOT (a = 1 OR b BETWEEN 2 AND 3)',
  "SELECT TIMESTAMP '2026-03-02 00:00:00' + INTERVAL 15 MINUTE AS time FROM source",
  'SELECT day + to_minutes(TRY_CAST(minute AS BIGINT)) AS time FROM source',
  "SELECT (stamp AT TIME ZONE 'UTC') AT TIME ZONE 'Australia/Sydney' AS time FROM source",
  'SELECT extract(hour FROM stamp) * 60 + extract(minute FROM stamp) AS minute FROM source',
  "SELECT lpad(route, 4, '0') || '-' || concat(a, b) AS location FROM source",
  'SELECT substring(stop FROM 1 FOR 4) AS location, upper(left(mode, 1)) AS tap FROM source',
  "SELECT payload ->> '$.card' AS card, place.postcode AS location FROM source",
  "SELECT if(kind = 'I', 'on', 'off') AS tap, to_timestamp(seconds) AS time FROM source",
  'SELECT greatest(a, b) AS minute, -a AS card, TRUE AS mode, 1.5 AS tap FROM source',
  'SELECT LOWER(card) AS card FROM source -- with a comment',
];

let read: (select: string) => Promise<ReturnType<typeof readSelect>>;

beforeAll(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  read = async (select) => {
    const rows = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [select]);
    return readSelect(JSON.parse(String(rows.getRows()[0]?.[0])), (zone) => zone !== 'Nowhere/City');
  };
});

describe('the allow-list of selects', () => {
  it.each(HOSTILE)('@contract C3: refuses %s', async (select) => {
    expect((await read(select)).problems).not.toEqual([]);
  });

  it.each(HONEST)('@contract C3: accepts what is row-wise: %s', async (select) => {
    expect((await read(select)).problems).toEqual([]);
  });

  it('@contract C3: refuses every member that it does not know, at every place of the tree', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const select =
      'SELECT CASE WHEN a = 1 THEN lower(b) ELSE TRY_CAST(c AS VARCHAR) END AS card FROM source WHERE d BETWEEN 1 AND 2 AND e IS NULL';
    const rows = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [select]);
    const serialized = String(rows.getRows()[0]?.[0]);
    const places = [...serialized.matchAll(/"(class|type)":"(?!INTEGER|VARCHAR|ORDER)/g)].map(({ index }) => index);
    expect(places.length).toBeGreaterThan(20);
    for (const place of places) {
      const changed = `${serialized.slice(0, place)}"novelty":true,${serialized.slice(place)}`;
      expect(readSelect(JSON.parse(changed), () => true).problems, changed.slice(place - 30, place + 60)).toHaveLength(
        1,
      );
    }
  });

  it('says every reason at once, none of them twice', async () => {
    const { problems } = await read(
      'SELECT max(a) AS card, max(b) AS mode, CAST(c AS DATE) AS day FROM source LIMIT 1',
    );
    expect(problems).toEqual([
      'The select uses DISTINCT, ORDER BY, LIMIT or OFFSET.',
      'The function max is not on the list of row-wise functions, which is in docs/series.md.',
      'Casts of columns are written TRY_CAST (INTERVAL over a column as to_minutes and its like).',
    ]);
  });

  it('names the columns that a select yields', async () => {
    expect((await read('SELECT mode, s.place, trim(x) AS card FROM source')).columns).toEqual([
      'mode',
      'place',
      'card',
    ]);
  });

  it('refuses what is no tree', () => {
    for (const tree of [null, [], 'x', {}, { error: false }, { error: false, statements: [{}] }]) {
      expect(readSelect(tree, () => true).problems).toHaveLength(1);
    }
  });
});
