import { type Database, literal } from '../../services/sql/duckdb.ts';
import { mutualInformation } from './measures/entropy.ts';
import type { Rule } from './measures/generalisation.ts';
import type { Bands } from './measures/quantiles.ts';
import { informationLoss, keptInformation, type Matrix } from './measures/utility.ts';
import { bands, quantiles } from './sql/bands.ts';
import { type CodedTable, code, range, valuesOf } from './sql/coded-table.ts';
import { entropies } from './sql/entropies.ts';
import { cellGains, gain } from './sql/gains.ts';
import { coarse, recodeTable } from './sql/recoded-table.ts';

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

export async function tableRisk(database: Database, table: CodedTable, gains: string): Promise<TableRisk> {
  const relation = `SELECT * FROM read_parquet(${literal(gains)})`;
  const entropy = await entropies(
    database,
    table.file,
    range(table.width).map((column) => [code(column)]),
  );
  const columns: ColumnRisk[] = [];
  for (const column of range(table.width)) {
    const [row] = await database.rows(`SELECT count(*) FROM ${valuesOf(table.name, column)}`);
    const found = await bands(database, { relation, value: gain(column), rows: 'n' });
    columns.push({ values: Number(row?.[0]), entropy: entropy[column]!, gain: found });
  }
  return { columns, rows: await bands(database, { relation, value: 'rig', rows: 'n' }) };
}

/** I of every pair of columns, in bits; of a column with itself its entropy. */
export async function sharedInformation(
  database: Database,
  table: CodedTable,
  own: readonly number[],
): Promise<Matrix> {
  const columns = range(table.width);
  const pairs = columns.flatMap((i) => columns.filter((j) => j > i).map((j) => [i, j] as const));
  const joint = await entropies(
    database,
    table.file,
    pairs.map((pair) => pair.map(code)),
  );
  const shared = columns.map((i) => columns.map((j) => (i === j ? own[i]! : 0)));
  for (const [index, [i, j]] of pairs.entries()) {
    const bits = mutualInformation(own[i]!, own[j]!, joint[index]!);
    shared[i]![j] = bits;
    shared[j]![i] = bits;
  }
  return shared;
}

/** The rows in slices of their gain. Rows of one gain are in one slice, so that a slice can be larger, or missing. */
export async function slices(database: Database, width: number, gains: string): Promise<RiskSlice[]> {
  const relation = `SELECT * FROM read_parquet(${literal(gains)})`;
  const levels = Array.from({ length: SLICES - 1 }, (_, index) => (index + 1) / SLICES);
  const limits = await quantiles(database, { relation, value: 'rig', rows: 'n' }, levels);
  const above = limits.map((limit) => `CAST(rig > ${limit} AS INTEGER)`).join(' + ');
  const means = [...range(width).map(gain), 'rig'].map((value) => `sum(n * ${value}) / sum(n)`);
  const rows = await database.rows(
    `SELECT ${above} AS slice, CAST(sum(n) AS BIGINT), ${means.join(', ')} FROM (${relation}) GROUP BY slice ORDER BY slice`,
  );
  return rows.map(([, count, ...bits]) => {
    const values = bits.map((value) => Number(Number(value).toFixed(6)));
    return { rows: Number(count), gains: values.slice(0, -1), mean: values.at(-1)! };
  });
}

/** What a generalisation does to a table: its risk afterwards, and what is left of its information. */
export type Generalised = {
  risk: TableRisk;
  /** μ of each column, and of whole rows; null where there was nothing to keep. */
  kept: (number | null)[];
  keptOfRows: number | null;
  /** Loss of mutual information between each column as it was and each as it is then, in bits. */
  loss: { matrix: Matrix; total: number };
};

/** The measures of the table under the rules, and the coded table that they make. */
export async function generalised(
  database: Database,
  folder: string,
  table: CodedTable,
  {
    name,
    rules,
    known,
    own,
    shared,
  }: {
    name: string;
    rules: readonly Rule[];
    known: readonly number[];
    /** Entropies and mutual information of the table as it is. */
    own: readonly number[];
    shared: Matrix;
  },
): Promise<{ measures: Generalised; table: CodedTable }> {
  const columns = range(table.width);
  const { table: coarser, both } = await recodeTable(database, folder, table, { name, rules });
  const gains = await cellGains(database, folder, coarser, known);
  const risk = await tableRisk(database, coarser, gains);
  const pairs = columns.flatMap((i) => columns.map((j) => [code(i), coarse(j)]));
  const joint = await entropies(database, both, pairs);
  const after = columns.map((i) =>
    columns.map((j) => mutualInformation(own[i]!, risk.columns[j]!.entropy, joint[i * table.width + j]!)),
  );
  const [before, then] = [
    (await entropies(database, table.file, [columns.map(code)]))[0]!,
    (await entropies(database, coarser.file, [columns.map(code)]))[0]!,
  ];
  return {
    measures: {
      risk,
      kept: columns.map((column) => keptInformation(after[column]![column]!, own[column]!)),
      // The coarser row is a function of the row, so that they share all that the coarser one tells.
      keptOfRows: keptInformation(then, before),
      loss: informationLoss(shared, after),
    },
    table: coarser,
  };
}
