import { table } from '../core/text/table.ts';
import { short } from '../core/text/wording.ts';
import type { RiskAdvice } from '../custodian/risk/advice.ts';
import { binsInWords, goalInWords, shareText } from '../custodian/risk/advice-page.ts';
import type { RiskReport } from '../custodian/risk/report.ts';
import type { SafetyReport } from '../custodian/risk/safety.ts';

/** The report in the terminal: what it comes to, and a line for each column. */
export function riskText(report: RiskReport): string {
  const { columns, rows, risk, trajectories, changed, missing } = report;
  const parts = [
    report.confidential,
    `PIF (RIG95) ${short(risk.rows.percentile95)} bits; half of the rows ${short(risk.rows.median)}, the most exposed ${short(risk.rows.maximum)}. A single cell tells at most ${short(Math.log2(rows))} bits, which find one of ${rows} rows.`,
    columnTable(report),
  ];
  if (missing.length > 0) parts.push(`Missing objects: ${missing.join(', ')}.`);
  if (trajectories) {
    const steps = trajectories.steps.map(({ step, ids, unique }) => [step, ids, unique].map(String));
    parts.push(table(['first rows', 'people', 'alone with theirs'], steps));
  }
  if (changed) {
    const kept =
      changed.keptOfRows === null
        ? ''
        : `, and ${short(100 * changed.keptOfRows)} % of the information of the rows is kept`;
    parts.push(
      `With the bins (${columns.map((name, column) => `${name}: ${changed.rules[column]}`).join(', ')}) the PIF is ${short(changed.risk.rows.percentile95)} bits${kept}.`,
    );
  }
  return parts.join('\n\n');
}

const columnTable = ({ columns, risk }: RiskReport): string =>
  table(
    ['column', 'values', 'entropy', 'mean gain', 'median', '95 %', 'most'],
    columns.map((name, column) => {
      const { values, entropy, gain } = risk.columns[column]!;
      return [name, String(values), ...[entropy, gain.mean, gain.median, gain.percentile95, gain.maximum].map(short)];
    }),
  );

/** Divergences in the terminal, a line for each partition. */
export function safetyText({ confidential, meaning, release, partitions, mean, relative }: SafetyReport): string {
  const rows = partitions.map((one) => [one.partition, one.draws, short(one.mean), short(one.variance)].map(String));
  const compared =
    relative === null
      ? []
      : [
          relative.safety === null
            ? `Nothing of ${release} is distorted; no number compares it with ${relative.to}.`
            : `Safety relative to ${relative.to}: ${short(relative.safety)}; above 1 ${release} needs less distortion.`,
        ];
  return [
    confidential,
    meaning,
    table(['partition', 'draws', 'mean, bits', 'variance'], rows),
    `Mean divergence of ${release}: ${short(mean)} bits.`,
    ...compared,
  ].join('\n\n');
}

/** The advice in the terminal: the frontier, what was chosen, and what it is in a series file. */
export function adviceText(advice: RiskAdvice): string {
  const { columns, frontier, chosen, snippet, goal } = advice;
  const rows = frontier.map((one) => [
    one === chosen ? '>' : '',
    short(one.risk),
    shareText(one.utility),
    short(one.loss),
    shareText(one.published),
    binsInWords(columns, one),
  ]);
  const parts = [
    advice.confidential,
    `${advice.tried.length} choices were tried; these are beaten by no other. The table as it is has a PIF of ${short(advice.original)} bits.`,
    table(['', 'PIF, bits', 'kept', 'lost, bits', 'published', 'bins'], rows),
    snippet === null
      ? `Nothing that was tried reaches ${goalInWords(goal)}.`
      : `Chosen for ${goalInWords(goal)}; in a series file:\n\n${snippet}`,
    advice.warning,
  ];
  return parts.join('\n\n');
}
