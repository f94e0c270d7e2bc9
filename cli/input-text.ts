import { partitionSpans } from '../core/calendar/partition-spans.ts';
import { paragraphs, type TextParts } from '../core/text/paragraphs.ts';
import { plainLine } from '../core/text/plain-text.ts';
import { table } from '../core/text/text-table.ts';
import type { InputReport } from '../custodian/preview/input-report.ts';
import { rejectWords } from '../custodian/preview/reject-words.ts';
import type { ObjectReport } from '../custodian/preview/tallies.ts';
import type { PartitionTotal } from '../custodian/private-context.ts';

/** What a release read and what it left out, for a custodian. */
export const inputText = (report: InputReport): string =>
  paragraphs(
    `CONFIDENTIAL: exact numbers of raw data, for custodians. Input of ${report.release}, round ${report.round}.`,
    report.warnings.map((warning) => `! ${plainLine(warning)}`),
    report.objects.length > 0 ? objectTable(report.objects) : 'No object was counted.',
    partitionTable(report.totals),
    report.faults.map(
      ({ object, code, partitions }) => `${code} in ${plainLine(object)}: ${partitionSpans(partitions)}`,
    ),
    rejectLines(report.objects),
    report.withoutData.length > 0 ? `Without data: ${report.withoutData.join(', ')}.` : 'Every partition has data.',
    report.beyondBound !== null && `Beyond the bound of their card: ${report.beyondBound}.`,
    report.samples.map(({ object, reason, of, row }) => `${plainLine(object)}  ${reason}  ${of}  ${plainLine(row)}`),
  );

const objectTable = (objects: readonly ObjectReport[]): string =>
  table(
    ['object', 'rows', 'lines that are none', 'counted', 'rejected', 'at unknown places'],
    objects.map(({ objects: [name, ...copies], rows, lines, counted, rejected, unknown }) => [
      `${plainLine(name!)}${copies.length > 0 ? ` (and ${copies.length} with the same bytes)` : ''}`,
      ...[rows, lines, counted, Object.values(rejected).reduce((sum, one) => sum + one, 0), unknown].map(String),
    ]),
  );

/** What is counted of each part and day of a window, exactly. */
export const partitionTable = (totals: readonly PartitionTotal[]): string =>
  table(
    ['part', 'day', 'counted', 'at unknown places'],
    totals.map(({ part, day, ...of }) => [part, day, of.counted.toLocaleString('en'), of.unknown.toLocaleString('en')]),
  );

/** How much was rejected for each reason, over all objects; the most frequent first. */
function rejectLines(objects: readonly ObjectReport[]): TextParts {
  const reasons = new Map<string, number>();
  for (const { rejected } of objects)
    for (const [reason, number] of Object.entries(rejected)) reasons.set(reason, (reasons.get(reason) ?? 0) + number);
  const numbers = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, number]) => `  ${number}  ${reason}`);
  return numbers.length > 0 && ['Rejected, by reason:', numbers, '', rejectWords(reasons.keys())];
}
