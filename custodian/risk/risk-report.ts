import { createHmac } from 'node:crypto';
import { mapAtOnce } from '../../services/at-once.ts';
import { chooseRules, type RuleChoice } from './column-rules.ts';
import { CONFIDENTIAL } from './confidential-page.ts';
import { ruleInWords } from './measures/generalisation.ts';
import { generalise, type MeasuredTable, measureTable, slices } from './measures.ts';
import type { OpenedSubject } from './risk-subject.ts';
import { code, columnText, range, textCodes } from './sql/coded-table.ts';
import { gain } from './sql/gains.ts';
import { subSequences } from './sql/sub-sequences.ts';
import { depthGains, rankRows } from './sql/trajectories.ts';

/** Steps of a trajectory that are looked at; the paper's own example takes as many. */
export const DEPTH = 5;
/** Length of the sub-sequences that somebody may know. */
const LONGEST_KNOWN = 3;

/** What is asked of raw data, besides its measures. */
export type RiskQuestion = {
  /** Columns that the attacker knows of a person; null for the usual one, who knows all but one cell. */
  known: readonly string[] | null;
  /** Bins to compare with, in place of those of the series; empty to compare with these, or with nothing. */
  bins: readonly RuleChoice[];
  /** Key of the names of the most exposed rows. */
  key: Uint8Array;
};

export type RiskReport = Awaited<ReturnType<typeof riskReport>>;

/**
 * How exposed raw data is, for custodians alone: every number in it is an exact
 * query of the data that no mechanism protects. All measures are in bits. Throws USAGE for a table without rows, or
 * without a column that is named.
 */
export async function riskReport(
  { rules: ofSeries, levels, missing, ...opened }: OpenedSubject,
  question: RiskQuestion,
) {
  const { columns } = opened.staged;
  const point = question.bins.map(() => 0);
  const rules = question.bins.length > 0 ? chooseRules(columns, question.bins, point, levels) : ofSeries;
  const original = await measureTable(opened, question.known);
  return {
    format: 'opaline-risk/1' as const,
    confidential: CONFIDENTIAL,
    columns,
    /** Those that the attacker knows. */
    known: original.known.map((column) => columns[column]!),
    rows: original.table.rows,
    /** Source objects that the window expects and that are not there. */
    missing,
    risk: original.risk,
    shared: original.shared,
    slices: await slices(original),
    exposed: await listExposed(original, question.key),
    trajectories: opened.staged.hasIds ? await trajectories(original) : null,
    /** What the bins that were chosen change. */
    changed: rules && {
      ...(await generalise(original, 'coarse', rules)).measures,
      rules: rules.map((rule, column) => ruleInWords(columns[column]!, rule, levels)),
    },
  };
}

/** Risk of the rows of one id taken together. */
async function trajectories({ staged, table, gains }: MeasuredTable) {
  const ranks = await rankRows(table, staged.relation);
  const depth = await depthGains({ ranked: ranks, table, gains, depth: DEPTH });
  return {
    ...depth,
    ids: depth.steps[0]?.ids ?? 0,
    /** For each column: what a few of its values, in their order, reveal among the first DEPTH of everybody. */
    known: await mapAtOnce(range(table.width), 1, (column) =>
      subSequences(table.database, ranks, { column, depth: DEPTH, longest: LONGEST_KNOWN }),
    ),
  };
}

/** How many of the most exposed rows are shown. */
const SHOWN = 10;
/** Hexadecimal digits of a name: enough to distinguish the rows of one report. */
const DIGITS = 12;

/** The rows of the greatest gain. Neither ids nor values leave DuckDB but as a hash under the key. */
async function listExposed({ table, gains, staged }: MeasuredTable, key: Uint8Array) {
  const columns = range(table.width);
  const codes = columns.map(code).join(', ');
  const bits = columns.map(gain).join(', ');
  const own = columns.map((column) => `coalesce(texts.${columnText(column)}, chr(0))`).join(', ');
  const texts = textCodes(table, staged.relation);
  const rows = await table.database.rows(`WITH exposed AS (
      SELECT * FROM ${gains} ORDER BY rig DESC, ${codes} LIMIT ${SHOWN})
    SELECT min(who), n, rig, ${bits} FROM exposed JOIN (
      SELECT ${staged.hasIds ? 'texts.id' : `concat_ws(chr(31), ${own})`} AS who, ${texts.codes}
      FROM ${texts.from}) USING (${codes})
    GROUP BY ${codes}, n, rig, ${bits} ORDER BY rig DESC, ${codes}`);
  return rows.map(([who, count, total, ...each]) => ({
    /** A keyed hash of the id, or of the row's values where no id is named. The key is of this report alone. */
    name: createHmac('sha256', key).update(String(who)).digest('hex').slice(0, DIGITS),
    /** Rows with exactly these values. */
    rows: Number(count),
    gains: each.map(Number),
    /** Row information gain, in bits. */
    total: Number(total),
  }));
}
