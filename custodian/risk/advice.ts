import { wrongUse } from '../../contracts/errors.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { chooseRules, columnOf, type RuleChoice } from './column-rules.ts';
import { CONFIDENTIAL } from './confidential-page.ts';
import { type AdviceGoal, choose, frontier } from './measures/frontier.ts';
import { ruleInWords } from './measures/generalisation.ts';
import { averageShare, type CellNoise } from './measures/published-share.ts';
import { seriesSnippet } from './measures/series-snippet.ts';
import { generalise, measureTable } from './measures.ts';
import type { OpenedSubject } from './risk-subject.ts';
import { type CodedTable, code, dropCodes, valuesOf } from './sql/coded-table.ts';
import { countsOfCounts } from './sql/entropies.ts';

/** Points of a lattice that are tried at most; each costs as much as a report. */
export const MOST_POINTS = 200;

/** Bins that were tried. */
export type Tried = RiskAdvice['tried'][number];

export type AdviceQuestion = {
  known: readonly string[] | null;
  /** What to try; null for what the series can be changed to. */
  choices: readonly RuleChoice[] | null;
  goal: AdviceGoal;
  /** Cells of the tables that a release would publish: the columns that a cell is made of; null for the usual ones. */
  cells: readonly (readonly string[])[] | null;
  noise: CellNoise | null;
};

export type RiskAdvice = Awaited<ReturnType<typeof riskAdvice>>;

export const WARNING =
  'These bins were chosen by looking at raw data, without a charge. A release of the same window is not covered by its certificate (C17): choose on another period that is never released, or take bins from public knowledge. The series file has to say so in privacy.chosenOn, and then the certificate does.';

/**
 * Tries every combination of the choices, for custodians alone: the bins of a period that was looked at are not covered
 * by its certificate. Throws USAGE when there are too many, or names do not fit.
 */
export async function riskAdvice(
  { levels, usual, chosenOn, ...opened }: OpenedSubject,
  { known, choices: asked, goal, cells: askedCells, noise }: AdviceQuestion,
) {
  const { columns } = opened.staged;
  const choices = asked ?? usual.choices;
  const cells = askedCells ?? usual.cells;
  if (choices.length === 0) throw wrongUse('Name what to try in --try.');
  const points = lattice(choices);
  const tables = cells.map((names) => names.map((name) => columnOf(columns, name)));
  const rules = points.map((point) => chooseRules(columns, choices, point, levels));
  const original = await measureTable(opened, known);
  const outcomes = await mapAtOnce(rules.entries(), 1, async ([index, each]) => {
    const { measures, table } = await generalise(original, `point_${index}`, each);
    const counts: (readonly [number, number])[] = [];
    for (const cell of noise === null ? [] : tables) counts.push(...(await cellCounts(table, cell)));
    await dropCodes(table);
    return {
      /** The rule of each column, as data and in words. */
      rules: each,
      words: each.map((rule, column) => ruleInWords(columns[column]!, rule, levels)),
      /** RIG95 in bits. */
      risk: measures.risk.rows.percentile95,
      /** Part of the information of whole rows that is kept, and loss of shared information in bits. */
      utility: measures.keptOfRows ?? 1,
      loss: measures.loss.total,
      /** Part of the taps, those of all tables together, that the mechanism would publish; null without a mechanism. */
      published: noise && averageShare(counts, noise),
    };
  });
  const best = choose(outcomes, goal);
  return {
    format: 'opaline-risk-advice/1' as const,
    confidential: CONFIDENTIAL,
    warning: WARNING,
    columns,
    rows: original.table.rows,
    /** The risk of the table as it is. */
    original: original.risk.rows.percentile95,
    goal,
    tried: outcomes,
    frontier: frontier(outcomes),
    chosen: best,
    /** What the chosen bins are in a series file; null when nothing meets the goal. */
    snippet: best && seriesSnippet(columns, best.rules, levels, chosenOn),
  };
}

/** Counts of the cells of these columns; a row without one of the values, as a trip without its end, has no such cell. */
function cellCounts(table: CodedTable, cell: readonly number[]) {
  const present = cell.map(
    (column) => `${code(column)} IN (SELECT code FROM ${valuesOf(table.name, column)} WHERE value IS NOT NULL)`,
  );
  return countsOfCounts(table, cell.map(code), present.join(' AND '));
}

/** Every way to take one word of each choice, the first words first. Throws USAGE when they are too many. */
export function lattice(choices: readonly RuleChoice[]): number[][] {
  const points = choices.reduce((product, { words }) => product * words.length, 1);
  if (points > MOST_POINTS) throw wrongUse(`--try makes ${points} combinations; at most ${MOST_POINTS} are tried.`);
  return choices.reduce<number[][]>(
    (sofar, { words }) => sofar.flatMap((point) => words.map((_, index) => [...point, index])),
    [[]],
  );
}
