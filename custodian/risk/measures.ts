import { wrongUse } from '../../contracts/errors.ts';
import { columnOf } from './column-rules.ts';
import { mutualInformation } from './measures/entropy.ts';
import type { Rule } from './measures/generalisation.ts';
import type { Bands } from './measures/quantiles.ts';
import { informationLoss, keptInformation, type Matrix } from './measures/utility.ts';
import { bands, gainBands, quantiles } from './sql/bands.ts';
import { type CodedTable, code, codeTable, range, valuesOf, type Workspace } from './sql/coded-table.ts';
import { entropies } from './sql/entropies.ts';
import { cellGains, gain } from './sql/gains.ts';
import { coarse, recodeTable } from './sql/recoded-table.ts';
import type { StagedTable } from './table-file.ts';

/** What the values of one column tell, in bits. */
export type ColumnRisk = {
  /** Number of different values. */
  values: number;
  entropy: number;
  /** Cell information gain of its cells; the mean is FIG/n. */
  gain: Bands;
};

/** Risk of a table. RIG95, the personal information factor, is `rows.percentile95`. */
export type TableRisk = {
  columns: ColumnRisk[];
  /** Row information gain. */
  rows: Bands;
};

/** Rows are put into so many slices of equal size, from the least exposed to the most. */
const SLICES = 20;

/** Mean gains of the cells of some rows with nearly the same row gain. */
export type RiskSlice = { rows: number; gains: number[]; mean: number };

/** A table as it is: its codes, its gains for an attacker who knows some of its columns, and its measures. */
export type MeasuredTable = Awaited<ReturnType<typeof measureTable>>;

/**
 * Measures a table for an attacker who knows these columns; null: all. `gains`: SQL for the rows with their gains;
 * `shared`: I of every pair of columns, in bits, of a column with itself its entropy. Throws USAGE, for a table without
 * rows too.
 */
export async function measureTable(
  { database, folder, staged }: Workspace & { staged: StagedTable },
  names: readonly string[] | null,
) {
  const { columns, relation } = staged;
  const known = names?.map((name) => columnOf(columns, name)) ?? range(columns.length);
  const table = await codeTable({ database, folder }, { name: 'source', width: columns.length, relation });
  if (table.rows === 0) throw wrongUse('The table has no rows.');
  const gains = await cellGains(table, known);
  const risk = await tableRisk(table, gains);
  return { staged, table, known, gains, risk, shared: await sharedInformation(table, risk) };
}

async function tableRisk({ database, name, width, codes }: CodedTable, gains: string): Promise<TableRisk> {
  const bits = await entropies(
    database,
    codes,
    range(width).map((column) => [code(column)]),
  );
  const columns: ColumnRisk[] = [];
  for (const [column, gain] of (await gainBands(database, gains, width)).entries()) {
    const [row] = await database.rows(`SELECT count(*) FROM ${valuesOf(name, column)}`);
    columns.push({ values: Number(row?.[0]), entropy: bits[column]!, gain });
  }
  return { columns, rows: await bands(database, { relation: gains, value: 'rig', rows: 'n' }) };
}

async function sharedInformation({ database, width, codes }: CodedTable, risk: TableRisk): Promise<Matrix> {
  const own = risk.columns.map(({ entropy }) => entropy);
  const pairs = range(width).flatMap((i) => range(i).map((j) => [i, j] as const));
  const joint = await entropies(
    database,
    codes,
    pairs.map((pair) => pair.map(code)),
  );
  const shared = own.map((entropy, i) => own.map((_, j) => (i === j ? entropy : 0)));
  for (const [index, [i, j]] of pairs.entries()) {
    const bits = mutualInformation(own[i]!, own[j]!, joint[index]!);
    shared[i]![j] = bits;
    shared[j]![i] = bits;
  }
  return shared;
}

/** The rows in slices of their gain. Rows of one gain are in one slice, so that a slice can be larger, or missing. */
export async function slices({ table: { database, width }, gains }: MeasuredTable): Promise<RiskSlice[]> {
  const levels = range(SLICES - 1).map((index) => (index + 1) / SLICES);
  const limits = await quantiles(database, { relation: gains, value: 'rig', rows: 'n' }, levels);
  const above = limits.map((limit) => `CAST(rig > ${limit} AS INTEGER)`).join(' + ');
  const means = [...range(width).map(gain), 'rig'].map((value) => `sum(n * ${value}) / sum(n)`);
  const rows = await database.rows(
    `SELECT ${above} AS slice, CAST(sum(n) AS BIGINT), ${means.join(', ')} FROM ${gains} GROUP BY slice ORDER BY slice`,
  );
  return rows.map(([, count, ...bits]) => {
    const values = bits.map((value) => Number(Number(value).toFixed(6)));
    return { rows: Number(count), gains: values.slice(0, -1), mean: values.at(-1)! };
  });
}

/** The measures of the table under the rules, and the coded table of this name that they make. */
export async function generalised(
  { table, known, risk: before, shared }: MeasuredTable,
  name: string,
  rules: readonly Rule[],
) {
  const columns = range(table.width);
  const { table: coarser, both } = await recodeTable(table, { name, rules });
  const risk = await tableRisk(coarser, await cellGains(coarser, known));
  const pairs = columns.flatMap((i) => columns.map((j) => [code(i), coarse(j)]));
  const joint = await entropies(table.database, both, pairs);
  const after = before.columns.map(({ entropy }, i) =>
    risk.columns.map((then, j) => mutualInformation(entropy, then.entropy, joint[i * table.width + j]!)),
  );
  const ofRows = async ({ database, codes }: CodedTable): Promise<number> =>
    (await entropies(database, codes, [columns.map(code)]))[0]!;
  return {
    measures: {
      risk,
      /** μ of each column, and of whole rows; null where there was nothing to keep. */
      kept: before.columns.map(({ entropy }, column) => keptInformation(after[column]![column]!, entropy)),
      // The coarser row is a function of the row, so that they share all that the coarser one tells.
      keptOfRows: keptInformation(await ofRows(coarser), await ofRows(table)),
      /** Loss of mutual information between each column as it was and each as it is then, in bits. */
      loss: informationLoss(shared, after),
    },
    table: coarser,
  };
}
