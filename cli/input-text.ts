import { partitionSpans } from '../core/calendar/partition-spans.ts';
import { plainLine } from '../core/text/plain-text.ts';
import { table } from '../core/text/table.ts';
import type { InputReport } from '../custodian/preview/input-report.ts';
import type { ObjectReport } from '../custodian/preview/tallies.ts';
import { rejectWords } from './reject-words.ts';

/** What a release read and what it left out, for a custodian. */
export function inputText(report: InputReport): string {
  const { release, objects, faults, withoutData, beyondBound, warnings, samples } = report;
  const parts = [
    [`CONFIDENTIAL: exact numbers of raw data, for custodians. Input of ${release}, round ${report.round}.`],
    warnings.map((warning) => `! ${plainLine(warning)}`),
    objects.length > 0 ? [objectTable(objects)] : ['No object was counted.'],
    faults.map(({ object, code, partitions }) => `${code} in ${plainLine(object)}: ${partitionSpans(partitions)}`),
    rejectLines(objects),
    withoutData.length > 0 ? [`Without data: ${withoutData.join(', ')}.`] : ['Every partition has data.'],
    beyondBound === null ? [] : [`Beyond the bound of their card: ${beyondBound}.`],
    samples.map(({ object, reason, of, row }) => `${plainLine(object)}  ${reason}  ${of}  ${plainLine(row)}`),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const objectTable = (objects: readonly ObjectReport[]): string =>
  table(
    ['object', 'rows', 'lines that are none', 'counted', 'rejected', 'at unknown places'],
    objects.map(({ objects: [name, ...copies], rows, lines, counted, rejected, unknown }) => [
      `${plainLine(name!)}${copies.length > 0 ? ` (and ${copies.length} with the same bytes)` : ''}`,
      ...[rows, lines, counted, Object.values(rejected).reduce((sum, one) => sum + one, 0), unknown].map(String),
    ]),
  );

/** How much was rejected for each reason, over all objects; the most frequent first. */
function rejectLines(objects: readonly ObjectReport[]): string[] {
  const reasons = new Map<string, number>();
  for (const { rejected } of objects)
    for (const [reason, number] of Object.entries(rejected)) reasons.set(reason, (reasons.get(reason) ?? 0) + number);
  const lines = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, number]) => `  ${number}  ${reason}`);
  return lines.length > 0 ? ['Rejected, by reason:', ...lines, '', ...rejectWords(reasons.keys())] : [];
}
