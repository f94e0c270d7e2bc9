import type { Command } from 'commander';
import { stringify } from 'yaml';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import {
  deliveryTable,
  type InputTable,
  nameTable,
  partTable,
  previewTable,
  sampleTable,
} from '../../console/private/input-tables.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { paragraphs, type TextParts } from '../../core/text/paragraphs.ts';
import { plainLine } from '../../core/text/plain-text.ts';
import { table } from '../../core/text/text-table.ts';
import { findUndeclared, lookNotice, preview } from '../../custodian/preview/preview.ts';
import { rejectWords } from '../../custodian/preview/reject-words.ts';
import type { RowsShown } from '../../custodian/private-context.ts';
import { clearanceCommand } from '../../custodian/source/clearances.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { command, WINDOW } from '../command.ts';
import { contextOf, custodianDeployment } from '../private-deployment.ts';

/** Heading of everything that holds exact numbers. */
const CONFIDENTIAL = 'CONFIDENTIAL: exact numbers of raw data, for custodians alone.';

export const previewCommand = (): Command =>
  command('preview', 'show custodians what is made of the rows of a window, before anything is charged; it is recorded')
    .argument('<series>', 'the series file')
    .required(...WINDOW)
    .example('opaline preview series.yaml --window 2026-03-02')
    .run(async ({ series: file }, { window }) => {
      const deployment = await custodianDeployment();
      const seriesFile = await loadSeriesFile(file, CLIENT_KINDS, Object.keys(deployment.sources));
      const context = await contextOf(deployment);
      const { shown, sample, hints } = await preview(context, seriesFile, window);
      const unsaid = await findUndeclared(context, seriesFile);
      return {
        value: { confidential: true, ...shown, hints, unsaid },
        text: paragraphs(
          previewText(shown),
          // Values of rows are for the eyes of whoever asked: not for a file or another program.
          process.stdout.isTTY === true && tableText(sampleTable(sample)),
          hints.length > 0 && [
            'Parts of a series file that would read more of it, if they are right:',
            ...hints.map((hint) => stringify(hint)),
          ],
          context.policy.policy.populations[seriesFile.series.population]?.clearance &&
            clearanceText({ series: seriesFile.series.series, window, version: 1 }, shown),
          lookNotice(seriesFile, unsaid),
        ),
      };
    });

/** A table with its caption above it; nothing where it would be empty. */
export const tableText = ([caption, headings, rows]: InputTable): TextParts =>
  rows.length > 0 && [
    `${caption}:`,
    table(
      headings,
      rows.map((cells) => cells.map(plainLine)),
    ),
  ];

/** What clears the deliveries of a release. */
const clearanceText = (release: ReleaseReference, view: RowsShown): TextParts => [
  'To be cleared, with --except for those that do not count:',
  tableText(deliveryTable(view)),
  `  ${clearanceCommand(release)}`,
];

const previewText = (view: RowsShown): string =>
  paragraphs(
    CONFIDENTIAL,
    view.warnings.map((warning) => `! ${plainLine(warning)}`),
    tableText(previewTable(view.objects)),
    rejectWords(view.objects.flatMap((one) => Object.keys(one.rejected))),
    tableText(partTable(view.totals)),
    tableText(nameTable(view)),
    ...view.faults.map(({ object, code }) => `${code}: ${plainLine(object)}`),
    view.empty.length > 0 && `With nothing to count: ${partitionSpans(view.empty)}.`,
  );
