import { paragraphs } from '../core/text/paragraphs.ts';
import { table } from '../core/text/text-table.ts';
import { short } from '../core/text/wording.ts';
import type { RiskAdvice } from '../custodian/risk/advice.ts';
import { binsInWords, goalInWords } from '../custodian/risk/advice-page.ts';
import { shareText } from '../custodian/risk/confidential-page.ts';
import type { RiskReport } from '../custodian/risk/risk-report.ts';
import type { SafetyReport } from '../custodian/risk/safety.ts';

/** The report in the terminal: what it comes to, and a line for each column. */
export function riskText(report: RiskReport): string {
  const { columns, rows, risk, trajectories, changed, missing } = report;
  const { percentile95, median, maximum } = risk.rows;
  return paragraphs(
    report.confidential,
    `PIF (RIG95) ${short(percentile95)} bits; half of the rows ${short(median)}, the most exposed ${short(maximum)}. A single cell tells at most ${short(Math.log2(rows))} bits, which find one of ${rows} rows.`,
    table(
      ['column', 'values', 'entropy', 'mean gain', 'median', '95 %', 'most'],
      columns.map((name, column) => {
        const { values, entropy, gain } = risk.columns[column]!;
        return [name, String(values), ...[entropy, gain.mean, gain.median, gain.percentile95, gain.maximum].map(short)];
      }),
    ),
    missing.length > 0 && `Missing objects: ${missing.join(', ')}.`,
    trajectories &&
      table(
        ['first rows', 'people', 'alone with theirs'],
        trajectories.steps.map(({ step, ids, unique }) => [step, ids, unique].map(String)),
      ),
    changed &&
      `With the bins (${columns.map((name, column) => `${name}: ${changed.rules[column]}`).join(', ')}) the PIF is ${short(changed.risk.rows.percentile95)} bits${changed.keptOfRows === null ? '' : `, and ${short(100 * changed.keptOfRows)} % of the information of the rows is kept`}.`,
  );
}

/** Divergences in the terminal, a line for each partition. */
export const safetyText = ({ confidential, meaning, release, partitions, mean, relative }: SafetyReport): string =>
  paragraphs(
    confidential,
    meaning,
    table(
      ['partition', 'draws', 'mean, bits', 'variance'],
      partitions.map((one) => [one.partition, one.draws, short(one.mean), short(one.variance)].map(String)),
    ),
    `Mean divergence of ${release}: ${short(mean)} bits.`,
    relative &&
      (relative.safety === null
        ? `Nothing of ${release} is distorted; no number compares it with ${relative.to}.`
        : `Safety relative to ${relative.to}: ${short(relative.safety)}; above 1 ${release} needs less distortion.`),
  );

/** The advice in the terminal: the frontier, what was chosen, and what it is in a series file. */
export const adviceText = ({ confidential, columns, tried, original, ...advice }: RiskAdvice): string =>
  paragraphs(
    confidential,
    `${tried.length} choices were tried; these are beaten by no other. The table as it is has a PIF of ${short(original)} bits.`,
    table(
      ['', 'PIF, bits', 'kept', 'lost, bits', 'published', 'bins'],
      advice.frontier.map((one) => [
        one === advice.chosen ? '>' : '',
        short(one.risk),
        shareText(one.utility),
        short(one.loss),
        shareText(one.published),
        binsInWords(columns, one),
      ]),
    ),
    advice.snippet === null
      ? `Nothing that was tried reaches ${goalInWords(advice.goal)}.`
      : `Chosen for ${goalInWords(advice.goal)}; in a series file:\n\n${advice.snippet}`,
    advice.warning,
  );
