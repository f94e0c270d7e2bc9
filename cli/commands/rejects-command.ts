import type { Command } from 'commander';
import { objectTable, partTable, reasonTable, rowTable } from '../../console/private/input-tables.ts';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { paragraphs } from '../../core/text/paragraphs.ts';
import { plainLine } from '../../core/text/plain-text.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { type InputReport, MOST_SAMPLES, releaseInput } from '../../custodian/preview/input-report.ts';
import { rejectWords } from '../../custodian/preview/reject-words.ts';
import { command } from '../command.ts';
import { custodianSide } from '../private-deployment.ts';
import { tableText } from './preview-command.ts';

export const rejectsCommand = (): Command =>
  command('rejects <release>', 'say exactly what a release read and what it left out; on the custodian side only')
    .option('--rows <n>', 'show n rejected rows of each object and reason: raw data')
    .example('opaline rejects demo-taps/2026-03-02/v1')
    .run(async ({ release }, { rows }) => {
      const samples = rows === undefined ? 0 : readWholeNumber('--rows', rows, MOST_SAMPLES);
      const report = await releaseInput(await custodianSide(), release, samples);
      return { value: report, text: inputText(report) };
    });

/** What a release read and what it left out, for a custodian. */
const inputText = (report: InputReport): string =>
  paragraphs(
    `CONFIDENTIAL: exact numbers of raw data, for custodians. Input of ${report.release}, round ${report.round}.`,
    report.warnings.map((warning) => `! ${plainLine(warning)}`),
    report.objects.length > 0 ? tableText(objectTable(report.objects)) : 'No object was counted.',
    tableText(partTable(report.totals)),
    report.faults.map(
      ({ object, code, partitions }) => `${code} in ${plainLine(object)}: ${partitionSpans(partitions)}`,
    ),
    tableText(reasonTable(report.objects)),
    rejectWords(report.objects.flatMap((one) => Object.keys(one.rejected))),
    report.withoutData.length > 0 ? `Without data: ${report.withoutData.join(', ')}.` : 'Every partition has data.',
    report.beyondBound !== null && `Beyond the bound of their card: ${report.beyondBound}.`,
    tableText(rowTable(report.samples)),
  );
