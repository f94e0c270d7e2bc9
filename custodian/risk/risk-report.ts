import { chosenRules, type RuleChoice } from './column-rules.ts';
import { CONFIDENTIAL } from './confidential-page.ts';
import { type ExposedRow, exposedRows } from './exposed-rows.ts';
import { ruleInWords } from './measures/generalisation.ts';
import type { Matrix } from './measures/utility.ts';
import {
  type Generalised,
  generalised,
  type MeasuredTable,
  measureTable,
  type RiskSlice,
  slices,
  type TableRisk,
} from './measures.ts';
import type { OpenedSubject } from './risk-subject.ts';
import { range } from './sql/coded-table.ts';
import { type SubSequences, subSequences } from './sql/sub-sequences.ts';
import { type DepthRisk, depthGains, rankRows } from './sql/trajectories.ts';

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
  { rules: ofSeries, levels, missing, ...opened }: OpenedSubject,
  question: RiskQuestion,
): Promise<RiskReport> {
  const { columns } = opened.staged;
  const taken = question.bins.map(() => 0);
  const rules = question.bins.length > 0 ? chosenRules(columns, question.bins, taken, levels) : ofSeries;
  const measured = await measureTable(opened, question.known);
  return {
    format: 'opaline-risk/1',
    confidential: CONFIDENTIAL,
    columns,
    known: measured.known.map((column) => columns[column]!),
    rows: measured.table.rows,
    missing,
    risk: measured.risk,
    shared: measured.shared,
    slices: await slices(measured),
    exposed: await exposedRows(measured, question.key),
    trajectories: opened.staged.hasIds ? await trajectories(measured) : null,
    changed: rules && {
      ...(await generalised(measured, 'coarse', rules)).measures,
      rules: rules.map((rule, column) => ruleInWords(columns[column]!, rule, levels)),
    },
  };
}

async function trajectories({ staged, table, gains }: MeasuredTable): Promise<Trajectories> {
  const ranked = await rankRows(table, staged.relation);
  const depth = await depthGains({ ranked, table, gains, depth: DEPTH });
  const known: SubSequences[][] = [];
  for (const column of range(table.width))
    known.push(await subSequences(table.database, ranked, { column, depth: DEPTH, longest: LONGEST_KNOWN }));
  return { ...depth, ids: depth.steps[0]?.ids ?? 0, known };
}
