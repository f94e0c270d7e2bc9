import type { Command } from 'commander';
import { stringify } from 'yaml';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { paragraphs, type TextParts } from '../../core/text/paragraphs.ts';
import { plainLine } from '../../core/text/plain-text.ts';
import { table } from '../../core/text/text-table.ts';
import { lookNotice, preview, undeclaredLook } from '../../custodian/preview/preview.ts';
import { rejectWords } from '../../custodian/preview/reject-words.ts';
import type { RowsShown, SampleColumn } from '../../custodian/private-context.ts';
import { clearanceCommand } from '../../custodian/source/clearances.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { command, WINDOW } from '../command.ts';
import { partitionTable } from '../input-text.ts';
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
      const loaded = await loadSeriesFile(file, CLIENT_KINDS, Object.keys(deployment.sources));
      const context = await contextOf(deployment);
      const { shown, sample, hints } = await preview(context, loaded, window);
      const unsaid = await undeclaredLook(context, loaded);
      return {
        value: { confidential: true, ...shown, hints, unsaid },
        text: paragraphs(
          previewText(shown),
          // Values of rows are for the eyes of whoever asked: not for a file or another program.
          process.stdout.isTTY === true && sampleText(sample),
          hints.length > 0 && [
            'Parts of a series file that would read more of it, if they are right:',
            ...hints.map((hint) => stringify(hint)),
          ],
          context.policy.policy.populations[loaded.series.population]?.clearance &&
            clearanceText({ series: loaded.series.series, window, version: 1 }, shown),
          lookNotice(loaded, unsaid),
        ),
      };
    });

const number = (count: number): string => count.toLocaleString('en');

const sampleText = (sample: readonly SampleColumn[]): string =>
  table(
    ['column', 'values of the first rows'],
    sample.map(({ column, values }) => [
      plainLine(column),
      values.map((value) => plainLine(JSON.stringify(value))).join('  '),
    ]),
  );

/** What clears the deliveries of a release. */
const clearanceText = (release: ReleaseReference, { deliveries }: RowsShown): TextParts => [
  'To be cleared, with --except for those that do not count:',
  table(
    ['object', 'bytes', 'SHA-256'],
    deliveries.map(({ object, size, sha256 }) => [plainLine(object), number(size), sha256.slice(0, 16)]),
  ),
  `  ${clearanceCommand(release)}`,
];

function previewText({ objects, faults, warnings, totals, unmatched, unmatchedNames, empty }: RowsShown): string {
  const rejected = (one: RowsShown['objects'][number]): string =>
    Object.entries(one.rejected)
      .map(([reason, count]) => `${reason} ${number(count)}`)
      .join(', ');
  return paragraphs(
    CONFIDENTIAL,
    warnings.map((warning) => `! ${plainLine(warning)}`),
    table(
      ['object', 'rows', 'rejected'],
      objects.map((one) => [one.object, number(one.rows), one.fault ?? rejected(one)]),
    ),
    rejectWords(objects.flatMap((one) => Object.keys(one.rejected))),
    partitionTable(totals),
    unmatched.length > 0 && [
      `Names that no list knows: ${number(unmatchedNames)}${unmatchedNames > unmatched.length ? ', the most frequent' : ''}:`,
      table(
        ['part', 'name', 'counted'],
        unmatched.map(({ part, name, counted }) => [part, name, number(counted)]),
      ),
    ],
    ...faults.map(({ object, code }) => `${code}: ${object}`),
    empty.length > 0 && `With nothing to count: ${partitionSpans(empty)}.`,
  );
}
