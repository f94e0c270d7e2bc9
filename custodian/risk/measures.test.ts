import { expect, test } from 'vitest';
import { literal, withDatabase } from '../../services/sql/duckdb.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import vectors from '../../test/vectors/pif.json' with { type: 'json' };
import { generalise, measureTable, slices } from './measures.ts';
import { columnText, range } from './sql/coded-table.ts';
import { addLevels, timeBin } from './sql/recoded-table.ts';

const NEAR = 9;

type Utility = {
  id: string;
  in: { rows: unknown[][]; protected: unknown[][] };
  out: Record<'mi' | 'mmi_loss', string[][]> &
    Record<'mu_whole_row' | 'mmi_loss_total' | 'RIG95_original' | 'RIG95_protected', string> & { mu: string[] };
};

const cases = vectors.cases.filter(({ kind }) => kind === 'utility-mmi') as unknown as Utility[];
const asText = (rows: unknown[][]): string[][] => rows.map((row) => row.map(String));

/** The table of a vector, its measures as it is, and under the generalisation of the vector. */
async function measured({ in: { rows, protected: after } }: Utility) {
  const folder = newFolder();
  const [fine, coarse] = [asText(rows), asText(after)];
  const columns = range(fine[0]!.length);
  return await withDatabase({ folder, memoryMiB: 256 }, async (database) => {
    const relation = `(SELECT * FROM (VALUES ${fine.map((row) => `(${row.map(literal).join(', ')})`).join(', ')})
      AS texts(${columns.map(columnText).join(', ')}))`;
    const staged = { columns: columns.map(String), relation, hasIds: false };
    const before = await measureTable({ database, folder, staged }, null);
    for (const column of columns)
      await addLevels(database, column, new Map(fine.map((row, index) => [row[column]!, [coarse[index]![column]!]])));
    const rules = columns.map(() => ({ kind: 'level', level: 1 }) as const);
    const { measures } = await generalise(before, 'coarse', rules);
    return { risk: before.risk, shared: before.shared, measures, slices: await slices(before) };
  });
}

test.each(cases)('utility, loss and PIF under a generalisation are those of the vector $id', async (vector) => {
  const { risk, shared, measures, slices: parts } = await measured(vector);
  const { out } = vector;
  const near = (actual: readonly number[], expected: readonly string[]): void => {
    for (const [index, value] of expected.entries()) expect(actual[index]!).toBeCloseTo(Number(value), NEAR);
    expect(actual).toHaveLength(expected.length);
  };
  near(shared.flat(), out.mi.flat());
  near(measures.loss.matrix.flat(), out.mmi_loss.flat());
  near(
    measures.kept.map((part) => part ?? Number.NaN),
    out.mu,
  );
  near(
    [measures.keptOfRows!, measures.loss.total, risk.rows.percentile95, measures.risk.rows.percentile95],
    [out.mu_whole_row, out.mmi_loss_total, out.RIG95_original, out.RIG95_protected],
  );
  // Slices part the rows: none is lost, and they rise.
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(vector.in.rows.length);
  expect(parts.map(({ mean }) => mean)).toEqual(parts.map(({ mean }) => mean).toSorted((a, b) => a - b));
  const whole = parts.reduce((sum, { rows, mean }) => sum + rows * mean, 0) / vector.in.rows.length;
  expect(whole).toBeCloseTo(risk.rows.mean, 5);
});

test('a time becomes the start of its bin, however it is written; what is no time stays', async () => {
  const binned = [
    ['2026-03-02 08:44:59', 15, '2026-03-02 08:30'],
    ['2026-03-02T08:44:59.5+10:00', 60, '2026-03-02 08:00'],
    ['2026-03-02 23:59', 1440, '2026-03-02'],
    ['8:05', 10, '08:00'],
    ['28:29:59', 30, '28:00'],
    ['1709', 30, '1680'],
    ['515.0', 15, '510'],
    ['2026-03-02', 15, '2026-03-02'],
    ['late', 15, 'late'],
    ['', 15, ''],
    [null, 15, null],
  ] as const;
  const folder = newFolder();
  const found = await withDatabase({ folder, memoryMiB: 64 }, (database) =>
    Promise.all(
      binned.map(([value, minutes]) =>
        database.rows(
          `SELECT ${timeBin('value', minutes)} FROM (SELECT ${value === null ? 'NULL::VARCHAR' : literal(value)} AS value)`,
        ),
      ),
    ),
  );
  expect(found.map(([row]) => row![0])).toEqual(binned.map(([, , start]) => start));
});
