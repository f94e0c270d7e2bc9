import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSelect } from './allow-list.ts';
import { LONGEST_VALUE, MOST_MADE } from './growth.ts';
import { ROW_SAFE_SETTING } from './row-safe.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(ROW_SAFE_SETTING);
});

const ask = async (sql: string, values: string[] = []): Promise<unknown> =>
  (await connection.runAndReadAll(sql, values)).getRowsJS()[0]?.[0];

async function problemsOf(items: string, where = ''): Promise<string[]> {
  const tree = await ask('SELECT json_serialize_sql($1::VARCHAR)', [`SELECT ${items} FROM source${where}`]);
  return readSelect(JSON.parse(String(tree)), () => true).problems;
}

/** One chosen row is blown up, so that the whole object fails: the attacks of the hostile reading. */
const ATTACKS: [items: string, culprit: string, where?: string][] = [
  [
    `CASE WHEN card = 'A' AND on_location = 'Central' THEN replace(replace(concat(on_location, lpad('x',100,'x')),
      'x','${'y'.repeat(4000)}'),'y','${'x'.repeat(4000)}') ELSE on_location END AS on_location`,
    'replace',
  ],
  [`concat(${Array(41).fill('a').join(', ')}) AS b`, 'concat'],
  [`${Array(10).fill('a').join(' || ')} AS b`, '\\|\\|'],
  [`concat_ws(a, ${Array(21).fill('b').join(', ')}) AS b`, 'concat_ws'],
  ['concat(a, a, a, a, a) AS b, concat(b, b, b) AS c, concat(c, c, c, c) AS d', 'concat'],
  ["regexp_replace(regexp_replace(a, '', '12345', 'g'), '', '12345', 'g') AS b", 'regexp_replace'],
  [`regexp_replace(a, '(.*)', '${'\\1'.repeat(50)}') AS b`, 'regexp_replace'],
  [`translate(translate(translate(a, 'a', 'é'), 'é', 'è'), 'è', '🚋') AS b`, 'translate'],
  [`strftime(t, '${'%c'.repeat(4000)}') AS b`, 'strftime'],
  [`'x' AS b`, 'replace', ` WHERE replace(a, 'a', '${'b'.repeat(50)}') = 'c'`],
  [`'x' AS b`, 'replace', ` WHERE a IN ('x', replace(a, 'a', '${'b'.repeat(50)}'))`],
  [Array.from({ length: 41 }, (_, n) => `trim(a) AS a${n}`).join(', '), 'trim'],
  [Array.from({ length: 41 }, (_, n) => `TRY_CAST(a AS VARCHAR) AS a${n}`).join(', '), 'a cast'],
  [Array.from({ length: 7 }, (_, n) => `j ->> '$.a' AS a${n}`).join(', '), '->>'],
  [`j ->> '$' AS a, ${Array.from({ length: 6 }, (_, n) => `j ->> '$.a.b' AS a${n}`).join(', ')}`, '->>'],
  [
    `${Array.from({ length: 7 }, (_, n) => `j ->> '$.${'a'.repeat(n)}*' AS a${n}`.replace('*', '"a"')).join(', ')}`,
    '->>',
  ],
  [
    "trim(j) AS j, j ->> 'a' AS a, j ->> 'b' AS b, j ->> 'c' AS c, j ->> 'd' AS d, j ->> 'e' AS e, j ->> 'f' AS f, j ->> 'g' AS g",
    '->>',
  ],
  [Array.from({ length: 41 }, (_, n) => `left(a, -1) AS a${n}, substr(a, 2) AS b${n}`).join(', '), 'left'],
  [`CASE WHEN concat(${Array(41).fill('a').join(', ')}) = 'x' THEN 'a' END AS b`, 'concat'],
];

/** Times such as 25:10:00 of nested events, as the next day. */
const GTFS_TIME = `json ->> '$.route.mode' AS mode, json ->> '$.stop.id' AS on_location,
  CASE WHEN TRY_CAST(left(json ->> '$.departure.time', 2) AS INTEGER) >= 24
    THEN strftime(try_strptime(json ->> '$.departure.date', '%Y%m%d') + to_days(1), '%Y-%m-%d') || ' '
      || lpad(TRY_CAST(TRY_CAST(left(json ->> '$.departure.time', 2) AS INTEGER) - 24 AS VARCHAR), 2, '0')
      || right(json ->> '$.departure.time', 6)
    ELSE strftime(try_strptime(json ->> '$.departure.date', '%Y%m%d'), '%Y-%m-%d') || ' '
      || (json ->> '$.departure.time') END AS on_time`;

const HONEST = [
  "lpad(trim(lower(a)), 4, '0') || '-' || concat(b, c) AS location, trim(c) AS card",
  "regexp_replace(a, '\\s+', ' ', 'g') AS location, upper(b) AS mode",
  `CASE ${Array.from({ length: 60 }, (_, n) => `WHEN a = '${n}' THEN trim(b)`).join(' ')} END AS mode`,
  "a ->> '$.card' AS card, a ->> '$.time' AS time, a ->> '$.place.stop' AS location, a ->> 0 AS tap",
  Array.from({ length: 30 }, (_, n) => `j ->> '$.trip[${n}].place' AS a${n}`).join(', '),
  GTFS_TIME,
  Array.from({ length: 41 }, (_, n) => `left(a, 8) AS a${n}, right(a, 4) AS b${n}, substr(a, 4, 2) AS c${n}`).join(
    ', ',
  ),
  "replace(replace(a, ' Station', ''), '&', 'and') AS location, strftime(t, '%H:%M') AS time",
  'trim(mode) AS mode, trim(card) AS card, trim(tap) AS tap',
];

describe('what a select can make of one row', () => {
  it.each(ATTACKS.map(([items, culprit, where], index) => [index, culprit, items, where] as const))(
    '@contract C3 @contract C6: is bounded: attack %i, by %s',
    async (_, culprit, items, where) => {
      const problems = await problemsOf(items, where);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(
        new RegExp(
          `^The select can make \\d+ times the longest value of one row, mostly by ${culprit}; at most 40 times is allowed: .*\\.$`,
        ),
      );
    },
  );

  it.each(HONEST.map((items) => [items.slice(0, 60), items]))(
    'is enough for what people write: %s',
    async (_, items) => {
      expect(await problemsOf(items)).toEqual([]);
    },
  );

  it('refuses a JSON path that gives nested parts again and again', async () => {
    expect(await problemsOf("j ->> '$.**' AS a")).toEqual([
      'The path in ->> must be a plain text without *, or a number.',
    ]);
  });

  it('what is refused would end the scan for one row, and TRY does not catch it', async () => {
    const long = (letter: string): string => letter.repeat(1000);
    const attack = `replace(replace(concat(v, lpad('x', 100, 'x')), 'x', '${long('y')}'), 'y', '${long('x')}')`;
    expect(await problemsOf(`${attack} AS a`)).toHaveLength(1);
    const small = await (await DuckDBInstance.create(':memory:', { memory_limit: '32MiB' })).connect();
    const rows = (value: string) => `SELECT TRY(CASE WHEN v = 'A' THEN ${attack} END) FROM (SELECT '${value}' || i AS v
      FROM (SELECT unnest(['', '1']) AS i))`;
    await small.runAndReadAll(rows('B'));
    await expect(small.runAndReadAll(rows('A'))).rejects.toThrow('Out of Memory');
  });

  /** Values at the limit that grow as much as any: letters, matches, numbers with many digits, quotes. */
  const VALUES = ['a', 'Ⱥ', 'ab', ' ', '"'].map((text) => `repeat('${text}', ${LONGEST_VALUE} // strlen('${text}'))`);
  const NUMBERS = `'[' || repeat('1e20,', ${(LONGEST_VALUE - 6) / 5} ::INTEGER) || '1]'`;
  const expression = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 4 },
      fc.constant('v'),
      tie('text').map((text) => `lower(${text})`),
      fc
        .tuple(tie('text'), fc.nat(60_000))
        .map(([text, many]) => `right(left(substr(${text}, 2, ${many}), ${many}), ${many})`),
      tie('text').map((text) => `translate(${text}, 'ab ', 'é🚋é')`),
      tie('text').map((text) => `json_extract_string(${text}, '$[0]')`),
      tie('text').map((text) => `(${text} ->> '$')`),
      tie('text').map((text) => `lpad(${text}, 1000, '🚋')`),
      tie('text').map((text) => `TRY_CAST(${text} AS VARCHAR)`),
      fc
        .tuple(tie('text'), fc.constantFrom('a', 'ab', 'aaa'), fc.nat(40))
        .map(([text, from, length]) => `replace(${text}, '${from}', '${'é'.repeat(length)}')`),
      fc
        .tuple(tie('text'), fc.constantFrom("'<\\0\\1>', 'g'", "'12345678', 'g'", "'\\0\\0\\0'"))
        .map(([text, rest]) => `regexp_replace(${text}, '(a*)', ${rest})`),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `concat(${a}, ${b}, 'x')`),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `concat_ws(${a}, 'x', ${b}, 'y', 'z')`),
    ),
  })).text;

  it('@contract C6: an accepted expression never makes more, and many that make more are there to be refused', async () => {
    let [accepted, tooLong] = [0, 0];
    await fc.assert(
      fc.asyncProperty(expression, fc.constantFrom(...VALUES, NUMBERS), async (text, value) => {
        const problems = await problemsOf(`${text} AS a`);
        await connection.run(`CREATE OR REPLACE TABLE one AS SELECT ${value} AS v`);
        const length = Number(await ask(`SELECT strlen(TRY(${text})) FROM one`));
        if (length > MOST_MADE) tooLong += 1;
        if (problems.length > 0) return;
        accepted += 1;
        expect(length).toBeLessThanOrEqual(MOST_MADE);
      }),
      { seed: 14, numRuns: 700 },
    );
    expect(accepted).toBeGreaterThan(100);
    expect(tooLong).toBeGreaterThan(4);
  });

  /** Documents in which one path has all that there is room for, as numbers that grow. */
  const LISTS: [path: string, document: (list: string) => string][] = [
    ['$', (list) => list],
    ['$.a', (list) => `{"a":${list}}`],
    ['$.a.b', (list) => `{"a":{"b":${list}}}`],
    ['$.a.b[1]', (list) => `{"a":{"b":[0,${list}]}}`],
    ['$.c', (list) => `{"a":0,"c":${list}}`],
  ];
  const FEW = LISTS.flatMap(([path]) => [path, path === '$.c' ? 'c' : path]);

  it('@contract C6: parts of a document that are accepted make no more together, whichever part has all of it', async () => {
    let accepted = 0;
    const documents = LISTS.map(([, document]) => {
      const room = Math.floor((LONGEST_VALUE - document('[1]').length) / 5);
      return document(`[${'1e20,'.repeat(room)}1]`);
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...FEW), { minLength: 1, maxLength: 14 }), async (paths) => {
        const items = paths.map((path, n) => `v ->> '${path}' AS a${n}`).join(', ');
        if ((await problemsOf(items)).length > 0) return;
        accepted += 1;
        for (const document of documents) {
          const sum = paths.map((path) => `coalesce(strlen(v ->> '${path}'), 0)`).join(' + ');
          const made = await ask(`SELECT ${sum} FROM (SELECT $1::VARCHAR AS v)`, [document]);
          expect(Number(made)).toBeLessThanOrEqual(MOST_MADE);
        }
      }),
      { seed: 30, numRuns: 200 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('a constant number of characters bounds what is left of a text', async () => {
    for (const value of ['🚋'.repeat(50), 'é́'.repeat(50), '👨‍👩‍👧'.repeat(50), 'ab'])
      for (const part of ['left(v, 3)', 'right(v, 3)', 'substr(v, 2, 3)', 'substring(v, -3, 3)'])
        expect(Number(await ask(`SELECT strlen(${part}) FROM (SELECT $1::VARCHAR AS v)`, [value]))).toBeLessThan(13);
  });

  it('times past midnight of nested events are read as the next day', async () => {
    const event = (time: string) => JSON.stringify({ departure: { time, date: '20260302' }, route: { mode: 'bus' } });
    for (const [time, read] of [
      ['25:10:00', '2026-03-03 01:10:00'],
      ['23:59:00', '2026-03-02 23:59:00'],
    ])
      expect(
        await ask(`SELECT on_time FROM (SELECT ${GTFS_TIME} FROM (SELECT $1::JSON AS json))`, [event(time!)]),
      ).toBe(read);
  });
});
