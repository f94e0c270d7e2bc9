import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { ALLOWED_FUNCTIONS } from '../../core/select/functions.ts';
import { ROW_SAFE_SETTING } from '../../core/select/row-safe.ts';
import { checkSelect } from './select-check.ts';

describe('a select of a series', () => {
  it.each([
    'SELECT max(card) AS card FROM source',
    "SELECT regexp_extract(card, '(') AS card FROM source",
    "SELECT time AT TIME ZONE 'Nowhere/City' AS time FROM source",
    'SELECT card FROM',
    "COPY source TO '/tmp/x'",
    '',
    `SELECT card FROM source${' '.repeat(20_001)}`,
  ])('@contract C3: is refused: %s', async (select) => {
    await expect(checkSelect(select)).rejects.toMatchObject({ code: 'SELECT_REFUSED' });
  });

  it('@contract C3: comes back with its columns, each safe on its own', async () => {
    const select = "SELECT mode, DATE '2009-11-01' + (TRY_CAST(d AS INTEGER) - 1) AS on_day FROM source WHERE d <> '0'";
    expect(await checkSelect(select)).toEqual({
      columns: ['mode', 'on_day'],
      sourceColumns: ['mode', 'd'],
      cardColumns: [],
      sql: `SELECT "mode", TRY((CAST('2009-11-01' AS DATE) + (TRY_CAST(d AS INTEGER) - 1))) AS on_day FROM "source" WHERE TRY((d != '0'))`,
    });
  });
});

/** One call of each allowed function, with every argument that may vary taken from the row. */
const CALLS = [
  ...['lower', 'upper', 'lcase', 'ucase', 'trim', 'ltrim', 'rtrim', 'length', 'strlen', 'reverse', 'strip_accents'].map(
    (name) => `${name}(v)`,
  ),
  ...['substring(v, n, n)', 'substr(v, n)', 'left(v, n)', 'right(v, n)', 'split_part(v, v, n)', 'trim(v, v)'],
  ...['concat(v, n)', 'concat_ws(v, v, n)', 'v || n', 'nullif(v, 1)', 'starts_with(v, v)', 'ends_with(v, v)'],
  ...['prefix(v, v)', 'suffix(v, v)', 'contains(v, v)', 'position(v IN v)', 'instr(v, v)', 'strpos(v, v)'],
  ...[
    "replace(v, '', 'y')",
    "translate(v, 'x', '')",
    "lpad(v, 5, '')",
    "rpad(v, -5, 'x')",
    "v LIKE '%\\'",
    "v NOT LIKE '_'",
  ],
  ...[
    "v ILIKE 'X'",
    "v NOT ILIKE 'X'",
    "v GLOB '[a'",
    "regexp_extract(v, '(x)|(1)', 2)",
    "regexp_replace(v, 'x', '\\9')",
  ],
  ...["regexp_matches(v, 'x', 'i')", "regexp_full_match(v, '.*')", "v SIMILAR TO 'x'"],
  ...['n + n', 'n - 1', '-n', 'n * n', 'n / 0', 'n // 0', 'n % 0', 'mod(n, n)', 'abs(n)', 'round(n, 5)', 'floor(f)'],
  ...[
    'ceil(f)',
    'ceiling(f)',
    'trunc(f)',
    'sign(f)',
    'greatest(n, f)',
    'least(n, f)',
    'v = 1',
    'n BETWEEN n - 1 AND 2',
  ],
  ...[
    'year(d)',
    'month(d)',
    'day(d)',
    'hour(t)',
    'minute(t)',
    'second(t)',
    'dayofweek(d)',
    'isodow(d)',
    'dayofyear(d)',
  ],
  ...['epoch(t)', 'epoch_ms(t)', 'epoch_ms(n)', 'epoch_us(t)', 'make_date(n, n, n)', 'make_time(n, n, f)'],
  ...['make_timestamp(n)', 'make_timestamp(n, n, n, n, n, f)', 'to_timestamp(n)', 'to_timestamp(f)'],
  ...[
    'd + TRY_CAST(n AS INTEGER)',
    'd - d',
    't - t',
    't + to_days(TRY_CAST(n AS INTEGER))',
    't + to_hours(n)',
    't + to_minutes(n)',
    't + to_seconds(f)',
  ],
  ...['date_add(t, to_minutes(n))', "date_part('hour', t)", "datepart('epoch', t)", "date_trunc('hour', t)"],
  ...["datetrunc('day', d)", "date_diff('day', d, t)", "datediff('minute', t, t)", "strftime(t, '%H:%M')"],
  ...["try_strptime(v, '%H:%M')", "json_extract_string(v, '$.a')", "v ->> '$.a'", "t AT TIME ZONE 'Australia/Sydney'"],
  ...[
    'v IN (1, 2, 3, 4, 5, 6, 7, 8)',
    'n + 1 IN (1, 2)',
    'v = 1 OR v = 2',
    'CASE WHEN v THEN 1 END',
    'v AND TRUE',
    'NOT v',
  ],
  ...[
    'TRY_CAST(v AS DATE)',
    'TRY_CAST(v AS DECIMAL(4, 1))',
    'TRY_CAST(n AS TINYINT)',
    'TRY(n + 1)',
    'n IS DISTINCT FROM 1',
  ],
  ...['(n + 1) * 2', '(n + 1) * 3', 'd + 1', 'coalesce(n + 1, 0)', 'if(v = 1, n + 1, n - 1)', 'v IS NULL', 'd = v'],
];

const ODD_ROWS = [
  "('x', 9223372036854775807, 'nan', '2020-01-01', '2020-01-01 10:00:00')",
  "('1', -9223372036854775808, 'infinity', 'infinity', 'infinity')",
  "('', 0, '-infinity', '-infinity', '-infinity')",
  "('(', -1, 1e308, DATE '5881580-07-10', TIMESTAMP '294246-01-01 00:00:00')",
  "('\\', 7, -1e308, DATE '5877642-06-25 (BC)', '0044-03-15 (BC) 00:00:00')",
  '(\'{"a": \', 2147483647, 0, NULL, NULL)',
  '(NULL, NULL, NULL, NULL, NULL)',
  "(concat(chr(0), chr(127843), 'é'), 4294967296, 5e-324, '0001-01-01', '1969-12-31 23:59:59.999999')",
];

async function runOverOddRows(selects: readonly string[], settings: readonly string[]): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  for (const setting of settings) await connection.run(setting);
  await connection.run('CREATE TABLE source (v VARCHAR, n BIGINT, f DOUBLE, d DATE, t TIMESTAMP)');
  await connection.run(`INSERT INTO source VALUES ${ODD_ROWS.join(', ')}`);
  const failures: string[] = [];
  for (const sql of selects) {
    for (const query of [sql, `SELECT a0, count(*) FROM (${sql}) WHERE a0 IS NOT NULL GROUP BY a0`]) {
      await connection.run(query).catch((error: unknown) => failures.push(String(error)));
    }
  }
  instance.closeSync();
  return failures;
}

describe('an accepted select over odd values', () => {
  // In parts: a select makes only so much of a row.
  const parts = [0, 1, 2, 3].map((part) => CALLS.filter((_, index) => index % 4 === part));
  const selects = [
    ...parts.flatMap((calls) => {
      const filters = calls.map((call) => `(${call}) IS NOT NULL`);
      return [
        `SELECT ${calls.map((call, index) => `${call} AS a${index}`).join(', ')} FROM source`,
        `SELECT v AS a0 FROM source WHERE ${filters.join(' OR ')}`,
        `SELECT v AS a0 FROM source WHERE ${filters.join(' AND ')}`,
      ];
    }),
    ...['v IN (1, 2, 3, 4, 5, 6, 7, 8)', 'v = 1 OR v = 2', 'n + 1 > 0'].map(
      (filter) => `SELECT v AS a0 FROM source WHERE ${filter}`,
    ),
    'SELECT (n + 1) * 2 AS a0, (n + 1) * 3 AS a1 FROM source WHERE (n + 1) * 2 > 0',
    'SELECT v IN (1, 2, 3, 4, 5, 6, 7, 8) AS a0 FROM source',
  ];
  const settings = ["SET TimeZone = 'UTC'", ROW_SAFE_SETTING];

  it('is tried with every function of the list', () => {
    const tried = CALLS.join(' ');
    const written: Record<string, string> = {
      '~~': 'LIKE',
      '!~~': 'NOT LIKE',
      '~~*': 'ILIKE',
      '!~~*': 'NOT ILIKE',
      '~~~': 'GLOB',
      timezone: 'AT TIME ZONE',
    };
    for (const name of ALLOWED_FUNCTIONS.keys()) expect(tried).toContain(written[name] ?? name);
  });

  it('@contract C6: never fails because of a row', async () => {
    const safe = await Promise.all(selects.map(async (select) => (await checkSelect(select)).sql));
    expect(await runOverOddRows(safe, settings)).toEqual([]);
  });

  it('@contract C5: gives NULL where a value has no result, and every other row its value', async () => {
    const { sql } = await checkSelect('SELECT n + 1 AS a FROM source');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run('CREATE TABLE source AS SELECT unnest([9223372036854775807, 1]) AS n');
    expect((await connection.runAndReadAll(sql)).getRowsJS()).toEqual([[null], [2n]]);
    instance.closeSync();
  });

  it('would fail as it was written, and without the setting: both twins are caught', async () => {
    expect((await runOverOddRows(selects, settings)).length).toBeGreaterThan(5);
    const safe = await Promise.all(selects.map(async (select) => (await checkSelect(select)).sql));
    expect((await runOverOddRows(safe, settings.slice(0, 1))).length).toBeGreaterThan(2);
  });
  it('means the same as it was written, whatever its texts and names hold', async () => {
    const items = [
      `'it''s "so"' || v`,
      `"odd ""name""" || 'é 🚋'`,
      "CASE v WHEN 'x' THEN 1.50 ELSE -2 END",
      "DATE '2026-03-02' + INTERVAL 90 MINUTE",
      "TIMESTAMP '2026-03-02 10:00:00' - INTERVAL '1 day 2 hours'",
      "regexp_replace(v, '^(.)\\s*', '<\\1>', 'g')",
      "v IS DISTINCT FROM 'x' AND (v LIKE '_' OR NOT v = 'y')",
      'TRY_CAST(v AS DECIMAL(9, 3)) * 3 - -1',
      "coalesce(nullif(v, 'x'), 'none')",
    ];
    const columns = items.map((item, index) => `${item} AS a${index}`);
    const select = `SELECT ${columns.join(', ')} FROM source WHERE v <> 'no''' OR v IS NULL`;
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`CREATE TABLE source AS SELECT unnest(['x', '1.5', NULL]) AS v, 'b' AS "odd ""name"""`);
    const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    expect(await rows((await checkSelect(select)).sql)).toEqual(await rows(select));
  });
});
