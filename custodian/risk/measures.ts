import { wrongUse } from '../../contracts/errors.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { columnOf } from './column-rules.ts';
import { mutualInformation } from './measures/entropy.ts';
import type { Rule } from './measures/generalisation.ts';
import { informationLoss, informationShare, type Matrix } from './measures/utility.ts';
import { bands, gainBands, quantiles } from './sql/bands.ts';
import { type CodedTable, code, codeTable, range, valuesOf, type Workspace } from './sql/coded-table.ts';
import { entropies } from './sql/entropies.ts';
import { cellGains, gain } from './sql/gains.ts';
import { coarse, recodeTable } from './sql/recoded-table.ts';
import type { StagedTable } from './table-file.ts';

/** Risk of a table. RIG95, the personal information factor, is `rows.percentile95`. */
export type TableRisk = Awaited<ReturnType<typeof tableRisk>>;

/** Rows are put into this number of slices of equal size, from the least exposed to the most. */
const SLICES = 20;

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
  const knowledge = names?.map((name) => columnOf(columns, name)) ?? range(columns.length);
  const table = await codeTable({ database, folder }, { name: 'source', width: columns.length, relation });
  if (table.rows === 0) throw wrongUse('The table has no rows.');
  const gains = await cellGains(table, knowledge);
  const risk = await tableRisk(table, gains);
  return { staged, table, known: knowledge, gains, risk, shared: await measurePairs(table, risk) };
}

async function tableRisk(table: CodedTable, gains: string) {
  const { database, name, width } = table;
  const groups = range(width).map((column) => [code(column)]);
  const bits = await entropies(table, groups);
  const ofCells = await gainBands(database, gains, width);
  return {
    /** What the values of each column reveal, in bits: the information gain of its cells, whose mean is FIG/n. */
    columns: await mapAtOnce(ofCells.entries(), 1, async ([column, gain]) => {
      const [row] = await database.rows(`SELECT count(*) FROM ${valuesOf(name, column)}`);
      return { values: Number(row?.[0]), entropy: bits[column]!, gain };
    }),
    /** Row information gain. */
    rows: await bands(database, { relation: gains, value: 'rig', rows: 'n' }),
  };
}

async function measurePairs(table: CodedTable, risk: TableRisk): Promise<Matrix> {
  const own = risk.columns.map(({ entropy }) => entropy);
  const pairs = range(table.width).flatMap((i) => range(i).map((j) => [i, j] as const));
  const groups = pairs.map((pair) => pair.map(code));
  const joint = await entropies(table, groups);
  const matrix = own.map((entropy, i) => own.map((_, j) => (i === j ? entropy : 0)));
  for (const [index, [i, j]] of pairs.entries()) {
    const bits = mutualInformation(own[i]!, own[j]!, joint[index]!);
    matrix[i]![j] = bits;
    matrix[j]![i] = bits;
  }
  return matrix;
}

/** The rows in slices of their gain. Rows of one gain are in one slice, so that a slice can be larger, or missing. */
export async function slices({ table: { database, width }, gains }: MeasuredTable) {
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
export async function generalise(
  { table, known, risk: before, shared }: MeasuredTable,
  name: string,
  rules: readonly Rule[],
) {
  const columns = range(table.width);
  const { table: coarser, both } = await recodeTable(table, { name, rules });
  const risk = await tableRisk(coarser, await cellGains(coarser, known));
  const pairs = columns.flatMap((i) => columns.map((j) => [code(i), coarse(j)]));
  const joint = await entropies({ ...table, codes: both }, pairs);
  const after = before.columns.map(({ entropy }, i) =>
    risk.columns.map((then, j) => mutualInformation(entropy, then.entropy, joint[i * table.width + j]!)),
  );
  const ofRows = async (one: CodedTable): Promise<number> => (await entropies(one, [columns.map(code)]))[0]!;
  return {
    measures: {
      risk,
      /** μ of each column, and of whole rows; null where there was nothing to keep. */
      kept: before.columns.map(({ entropy }, column) => informationShare(after[column]![column]!, entropy)),
      // The coarser row is a function of the row, so they share all that the coarser one reveals.
      keptOfRows: informationShare(await ofRows(coarser), await ofRows(table)),
      /** Loss of mutual information between each column as it was and each as it is then, in bits. */
      loss: informationLoss(shared, after),
    },
    table: coarser,
  };
}
