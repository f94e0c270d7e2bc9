import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Database, literal, withDatabase } from '../../../services/sql/duckdb.ts';
import {
  entropyOf,
  depthGains as plainDepth,
  cellGains as plainGains,
  quantile,
  rowGains,
  type SmallTable,
  stepGains,
} from '../../../test/oracles/information-gain.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import vectors from '../../../test/vectors/pif.json' with { type: 'json' };
import { bands, quantiles } from './bands.ts';
import { code, codeTable, columnText, dropCodes, range, textCodes } from './coded-table.ts';
import { entropies } from './entropies.ts';
import { cellGains, gain } from './gains.ts';
import { subSequences } from './sub-sequences.ts';
import { depthGains, depthRows, rankRows, TRAJECTORY_READINGS } from './trajectories.ts';

/** Gains are kept to ten decimals. */
const NEAR = 9;

const folder = newFolder();

const onDatabase = <T>(work: (database: Database) => Promise<T>): Promise<T> =>
  withDatabase({ folder, memoryMiB: 256 }, work);

const cell = (value: string | null): string => (value === null ? 'NULL' : literal(value));

/** A relation of texts x0 … with an index of the row. */
const relationOf = (table: readonly (readonly (string | null)[])[]): string =>
  `(SELECT * FROM (VALUES ${table.map((row, index) => `(${index}, ${row.map(cell).join(', ')})`).join(', ')})
    AS texts(row, ${range(table[0]!.length).map(columnText).join(', ')}))`;

/** Gains of all rows in their order, rows down and columns across, and their sum last. */
async function gainsOf(database: Database, table: SmallTable, known = range(table[0]!.length)): Promise<number[][]> {
  const relation = relationOf(table);
  const coded = await codeTable({ database, folder }, { name: 'small', width: table[0]!.length, relation });
  const counted = await cellGains(coded, known);
  const columns = range(coded.width);
  const texts = textCodes(coded, relation);
  const rows = await database.rows(`SELECT ${columns.map(gain).join(', ')}, rig
    FROM (SELECT row, ${texts.codes} FROM ${texts.from})
    JOIN ${counted} USING (${columns.map(code).join(', ')}) ORDER BY row`);
  await dropCodes(coded);
  return rows.map((row) => row.map(Number));
}

function expectNear(actual: readonly (readonly number[])[], expected: readonly (readonly (number | string)[])[]): void {
  expect(actual.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
  for (const [i, row] of expected.entries())
    for (const [j, value] of row.entries())
      expect(actual[i]![j], `row ${i}, column ${j}`).toBeCloseTo(Number(value), NEAR);
}

const ofKind = <T>(kind: string): T[] => vectors.cases.filter((one) => one.kind === kind) as unknown as T[];
const asText = (rows: readonly (readonly unknown[])[]): string[][] => rows.map((row) => row.map(String));

type Cig = {
  id: string;
  in: { rows: unknown[][] };
  out: { cig: string[][]; rig: string[]; RIG95: string; fig_mean: string[] };
};
type Dig = {
  id: string;
  in: { rows: unknown[][] };
  out: Record<'dig_with_baseline' | 'dig_own_step_with_baseline', string[][]> & {
    cig_per_step: { ids: string[]; cig: string[][] }[];
    max_per_column: string[];
  };
};
type Sequences = {
  in: { sequences: Record<string, string[]>; max_length: number };
  out: { by_length: { length: number; distinct: number; unique: number; ids_exposed: string[] }[] };
};

describe('gains in SQL', () => {
  test.each(ofKind<Cig>('cig'))('are those of the vector $id', async ({ in: { rows }, out }) => {
    const gains = await onDatabase((database) => gainsOf(database, asText(rows)));
    expectNear(
      gains,
      out.cig.map((row, index) => [...row, out.rig[index]!]),
    );
  });

  test('are those of the plain way on any table, whatever is known', async () => {
    const value = fc.constantFrom('a', 'b', "c'", '');
    const tables = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.record({
        table: fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 14 }),
        known: fc.subarray(range(width)),
      }),
    );
    await onDatabase((database) =>
      fc.assert(
        fc.asyncProperty(tables, async ({ table, known }) => {
          const plain = plainGains(table, known);
          const sums = rowGains(plain);
          expectNear(
            await gainsOf(database, table, known),
            plain.map((row, index) => [...row, sums[index]!]),
          );
        }),
        { numRuns: 25 },
      ),
    );
  });

  test('tell an attacker who knows less apart', async () => {
    const table = asText(ofKind<Cig>('cig')[0]!.in.rows);
    const [all, less] = await onDatabase(async (database) => [
      await gainsOf(database, table),
      await gainsOf(database, table, [0]),
    ]);
    expect(less).not.toEqual(all);
    expect(Math.max(...less!.map((row) => row.at(-1)!))).toBeLessThan(Math.max(...all!.map((row) => row.at(-1)!)));
  });

  test('a missing value is a value of its own', async () => {
    const gains = await onDatabase(async (database) => {
      const relation = relationOf([
        ['a', null],
        ['a', null],
        ['b', ''],
        ['b', 'x'],
      ]);
      const coded = await codeTable({ database, folder }, { name: 'nulls', width: 2, relation });
      const counted = await cellGains(coded, [0, 1]);
      return database.rows(`SELECT g0, g1, CAST(n AS INTEGER) FROM ${counted} ORDER BY g0, g1, n`);
    });
    expect(gains).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 2],
    ]);
  });
});

describe('bands in SQL', () => {
  test.each(ofKind<Cig>('cig'))('RIG95 is that of the vector $id', async ({ in: { rows }, out }) => {
    const found = await onDatabase(async (database) => {
      const coded = await codeTable(
        { database, folder },
        {
          name: 'vector',
          width: rows[0]!.length,
          relation: relationOf(asText(rows)),
        },
      );
      const counted = await cellGains(coded, range(coded.width));
      const means = [];
      for (const column of range(coded.width))
        means.push((await bands(database, { relation: counted, value: gain(column), rows: 'n' })).mean);
      return { rows: await bands(database, { relation: counted, value: 'rig', rows: 'n' }), means };
    });
    expect(found.rows.percentile95).toBeCloseTo(Number(out.RIG95), NEAR);
    expectNear([found.means], [out.fig_mean]);
  });

  test('are the sorted values of any weighted column, ties and single values too', async () => {
    const runs = fc.array(fc.tuple(fc.double({ min: 0, max: 64, noNaN: true }), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 30,
    });
    const levels = [0, 0.05, 0.5, 0.95, 1];
    await onDatabase((database) =>
      fc.assert(
        fc.asyncProperty(runs, async (each) => {
          const relation = `(SELECT * FROM (VALUES ${each.map(([value, rows]) => `(${value}::DOUBLE, ${rows})`).join(', ')}) AS t(v, w))`;
          const values = each.flatMap(([value, rows]) => Array.from({ length: rows }, () => value));
          const found = await quantiles(database, { relation, value: 'v', rows: 'w' }, levels);
          expectNear([found], [levels.map((level) => quantile(values, level))]);
        }),
        { numRuns: 25 },
      ),
    );
  });

  test('nothing has no quantiles', async () => {
    const empty = { relation: '(SELECT 1.0 AS v, 1 AS w WHERE false)', value: 'v', rows: 'w' };
    await expect(onDatabase((database) => quantiles(database, empty, [0.5]))).rejects.toThrow(RangeError);
  });
});

test('entropies are those of the plain way, and FIG/n = H(f) − H(f | rest)', async () => {
  const table = asText(ofKind<Cig>('cig')[0]!.in.rows);
  const columns = range(table[0]!.length);
  await onDatabase(async (database) => {
    const coded = await codeTable(
      { database, folder },
      {
        name: 'entropies',
        width: columns.length,
        relation: relationOf(table),
      },
    );
    const groups = columns
      .map((column) => [column])
      .concat(
        [columns],
        columns.map((column) => columns.filter((other) => other !== column)),
      );
    const found = await entropies(
      coded,
      groups.map((group) => group.map(code)),
    );
    expectNear([found], [groups.map((group) => entropyOf(table, group))]);
    const gains = await gainsOf(database, table);
    const all = found[columns.length]!;
    for (const column of columns) {
      const mean = gains.reduce((sum, row) => sum + row[column]!, 0) / table.length;
      expect(mean).toBeCloseTo(found[column]! - (all - found[columns.length + 1 + column]!), NEAR);
    }
  });
});

/** Rows of ids as the trajectories take them; their order is the place. */
const orderedRelation = (rows: readonly (readonly string[])[]): string =>
  `(SELECT x0 AS id, row AS place, ${range(rows[0]!.length - 1)
    .map((column) => `${columnText(column + 1)} AS ${columnText(column)}`)
    .join(', ')}
    FROM ${relationOf(rows)})`;

/** Depth gains of every row, by id and step, under both readings; and what the report says of the steps. */
async function depthOf(rows: readonly (readonly string[])[], depth = 9) {
  return onDatabase(async (database) => {
    const width = rows[0]!.length - 1;
    const relation = orderedRelation(rows);
    const table = await codeTable({ database, folder }, { name: 'rows', width, relation });
    const gains = await cellGains(table, range(width));
    const ranked = await rankRows(table, relation);
    const risk = await depthGains({ ranked, table, gains, depth });
    const files = risk.steps.map(
      ({ step }) => `SELECT ${step} AS at, * FROM read_parquet('${folder}/step-${step}.parquet')`,
    );
    const cells = [];
    for (const reading of TRAJECTORY_READINGS)
      cells.push(
        (
          await database.rows(
            `SELECT * FROM (${depthRows({ ranked, gains, table, files, reading })}) ORDER BY id, step`,
          )
        ).map((row) => row.slice(2).map(Number)),
      );
    return { risk, every: cells[0]!, own: cells[1]! };
  });
}

/** The rows of a table in the order of their ids; those of one id keep theirs. */
const byId = <T>(rows: readonly (readonly string[])[], values: readonly T[]): T[] =>
  values
    .map((value, index) => ({ value, id: rows[index]![0]! }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ value }) => value);

describe('depth gains in SQL', () => {
  test.each(ofKind<Dig>('dig'))('are those of the vector $id, by both readings', async ({ in: { rows }, out }) => {
    const { risk, every, own } = await depthOf(asText(rows));
    expectNear(every, byId(asText(rows), out.dig_with_baseline));
    expectNear(own, byId(asText(rows), out.dig_own_step_with_baseline));
    expectNear([risk.columns['every-sequence'].map(({ maximum }) => maximum)], [out.max_per_column]);
    expect(risk.steps.map(({ ids }) => ids)).toEqual(out.cig_per_step.map(({ ids }) => ids.length));
    for (const [index, { columns }] of risk.steps.entries())
      expectNear(
        [columns.map(({ maximum }) => maximum)],
        [columns.map((_, column) => Math.max(...out.cig_per_step[index]!.cig.map((row) => Number(row[column]))))],
      );
  });

  test('are those of the plain way for any cards, and no reading is the other', async () => {
    const row = fc.tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.constantFrom('s', 't'),
      fc.constantFrom('7', '8', '9'),
    );
    let different = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 9 }), async (rows) => {
        const cards = rows.map(([id, ...cells]) => ({ id, cells }));
        const baseline = plainGains(cards.map(({ cells }) => cells));
        const { risk, every, own } = await depthOf(rows);
        expectNear(every, byId(rows, plainDepth(cards, 'every-sequence', baseline)));
        expectNear(own, byId(rows, plainDepth(cards, 'own-step', baseline)));
        for (const { step, ids } of risk.steps) expect(ids).toBe(stepGains(cards, step).ids.length);
        if (JSON.stringify(every) !== JSON.stringify(own)) different += 1;
      }),
      { numRuns: 6 },
    );
    expect(different).toBeGreaterThan(0);
  });

  test('stop at the depth that is asked for', async () => {
    const rows = asText(ofKind<Dig>('dig')[0]!.in.rows);
    expect((await depthOf(rows, 2)).risk.steps).toHaveLength(2);
    expect((await depthOf(rows)).risk.steps).toHaveLength(3);
  });
});

test.each(ofKind<Sequences>('sub-sequences'))('sub-sequences are those of the vector', async ({ in: input, out }) => {
  const rows = Object.entries(input.sequences).flatMap(([id, values]) => values.map((value) => [id, value]));
  const found = await onDatabase(async (database) => {
    const relation = orderedRelation(rows);
    const table = await codeTable({ database, folder }, { name: 'sequences', width: 1, relation });
    const ranked = await rankRows(table, relation);
    return subSequences(database, ranked, { column: 0, depth: 9, longest: input.max_length });
  });
  expect(found).toEqual(out.by_length.map(({ ids_exposed, ...rest }) => ({ ...rest, exposed: ids_exposed.length })));
});
