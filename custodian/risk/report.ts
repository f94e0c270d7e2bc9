import { OpalineError } from '../../contracts/errors.ts';
import { type ExposedRow, exposedRows } from './exposed-rows.ts';
import { ruleInWords } from './measures/generalisation.ts';
import type { Matrix } from './measures/utility.ts';
import {
  type Generalised,
  generalised,
  type RiskSlice,
  sharedInformation,
  slices,
  type TableRisk,
  tableRisk,
} from './measures.ts';
import { chosenRules, columnOf, type RuleChoice } from './rules.ts';
import { codeTable, range } from './sql/coded-table.ts';
import { cellGains } from './sql/gains.ts';
import { type SubSequences, subSequences } from './sql/sub-sequences.ts';
import { type DepthRisk, depthGains, rankRows } from './sql/trajectories.ts';
import type { OpenedSubject } from './subject.ts';

/** Steps of a trajectory that are looked at; the paper's own example takes as many. */
export const DEPTH = 5;
/** Length of the sub-sequences that somebody may know. */
const LONGEST_KNOWN = 3;

/** Risk of the rows of one id taken together. */
export type Trajectories = DepthRisk & {
  /** Number of ids. */
  ids: number;
  /** For each column: what a few of its values, in their order, tell among the first DEPTH of everybody. */
  known: SubSequences[][];
};

/** What the bins that were chosen change. */
export type Changed = Generalised & { rules: string[] };

/**
 * How exposed raw data is, for custodians alone: every number in it is an exact
 * query of the data that no mechanism protects. All measures are in bits.
 */
export type RiskReport = {
  format: 'opaline-risk/1';
  confidential: string;
  /** Names of the columns, and of those that the attacker knows. */
  columns: string[];
  known: string[];
  rows: number;
  /** Source objects that the window expects and that are not there. */
  missing: string[];
  risk: TableRisk;
  shared: Matrix;
  slices: RiskSlice[];
  exposed: ExposedRow[];
  trajectories: Trajectories | null;
  changed: Changed | null;
};

export const CONFIDENTIAL =
  'Confidential: for the custodians of this data alone. Every number here is computed from the raw rows without noise; nothing of it may be published, and nothing here is a guarantee.';

/** What is asked of raw data, besides its measures. */
export type RiskQuestion = {
  /** Columns that the attacker knows of a person; null for the usual one, who knows all but one cell. */
  known: readonly string[] | null;
  /** Bins to compare with, in place of those of the series; empty to compare with these, or with nothing. */
  bins: readonly RuleChoice[];
  /** Key of the names of the most exposed rows. */
  key: Uint8Array;
};

/** The whole report. Throws USAGE for a table without rows, or without a column that is named. */
export async function riskReport(
  { database, folder, staged, rules: ofSeries, levels, missing }: OpenedSubject,
  question: RiskQuestion,
): Promise<RiskReport> {
  const width = staged.columns.length;
  const known = question.known?.map((name) => columnOf(staged.columns, name)) ?? range(width);
  const taken = question.bins.map(() => 0);
  const rules = question.bins.length > 0 ? chosenRules(staged.columns, question.bins, taken, levels) : ofSeries;
  const table = await codeTable(database, folder, { name: 'source', width, relation: staged.relation });
  if (table.rows === 0) throw new OpalineError('USAGE', 'The table has no rows.');
  const gains = await cellGains(database, folder, table, known);
  const risk = await tableRisk(database, table, gains);
  const own = risk.columns.map(({ entropy }) => entropy);
  const shared = await sharedInformation(database, table, own);
  const changed =
    rules === null
      ? null
      : (await generalised(database, folder, table, { name: 'coarse', rules, known, own, shared })).measures;
  let trajectories: Trajectories | null = null;
  if (staged.hasIds) {
    const ranked = await rankRows(database, folder, { relation: staged.relation, width }, table);
    const depth = await depthGains(database, folder, { ranked, table, gains, depth: DEPTH });
    const told: SubSequences[][] = [];
    for (const column of range(width))
      told.push(await subSequences(database, ranked, { column, depth: DEPTH, longest: LONGEST_KNOWN }));
    trajectories = { ...depth, ids: depth.steps[0]?.ids ?? 0, known: told };
  }
  return {
    format: 'opaline-risk/1',
    confidential: CONFIDENTIAL,
    columns: staged.columns,
    known: known.map((column) => staged.columns[column]!),
    rows: table.rows,
    missing,
    risk,
    shared,
    slices: await slices(database, width, gains),
    exposed: await exposedRows(database, { staged, table, gains, key: question.key }),
    trajectories,
    changed: changed && {
      ...changed,
      rules: rules!.map((rule, column) => ruleInWords(staged.columns[column]!, rule, levels)),
    },
  };
}
