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
  [`CASE WHEN concat(${Array(41).fill('a').join(', ')}) = 'x' THEN 'a' END AS b`, 'concat'],
];

const HONEST = [
  "lpad(trim(lower(a)), 4, '0') || '-' || concat(b, c) AS location, trim(c) AS card",
  "regexp_replace(a, '\\s+', ' ', 'g') AS location, upper(b) AS mode",
  `CASE ${Array.from({ length: 60 }, (_, n) => `WHEN a = '${n}' THEN trim(b)`).join(' ')} END AS mode`,
  "a ->> '$.card' AS card, a ->> '$.time' AS time, a ->> '$.place.stop' AS location, a ->> 0 AS tap",
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
      { seed: 14, numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(100);
    expect(tooLong).toBeGreaterThan(4);
  });
});
