import { Command } from 'commander';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { table } from '../../core/text/table.ts';
import type { RowsShown } from '../../custodian/context.ts';
import { preview, unsaidLook } from '../../custodian/preview/preview.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { define } from '../command.ts';
import { contextOf, custodianDeployment } from '../private-deployment.ts';
import { rejectWords } from '../reject-words.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { window: string };

/** What stands over everything that holds exact numbers. */
const CONFIDENTIAL = 'CONFIDENTIAL: exact numbers of raw data, for custodians alone.';

/** What a custodian has to know of the look, and whether this file says what it has to (C17). */
function recordedText({ series }: LoadedSeries, unsaid: string | null): string {
  const always =
    'It is recorded that this was looked at: a series file of these people that is written from now on has to say so in privacy.chosenOn, unless nothing but custodians, gate, publication and schedule is other than here.';
  if (series.privacy.chosenOn !== undefined) return `${always} This one says it.`;
  return unsaid === null ? `${always} This one need not.` : `${always} This one has to already: ${unsaid}`;
}

export function previewCommand(): Command {
  const command = new Command('preview')
    .description('show custodians what is made of the rows of a window, before anything is charged; it is recorded')
    .argument('<series>', 'the series file')
    .requiredOption('--window <YYYY-MM-DD>', 'first day of the window');
  return define(command, 'opaline preview series.yaml --window 2026-03-02', async ([file], options: Options) => {
    const deployment = await custodianDeployment();
    const loaded = await loadSeriesFile(file!, CLIENT_KINDS, Object.keys(deployment.sources));
    const context = await contextOf(deployment);
    const shown = await preview(context, loaded, options.window);
    const unsaid = await unsaidLook(context, loaded);
    print(options, { confidential: true, ...shown, unsaid }, previewText(shown, recordedText(loaded, unsaid)));
  });
}

const number = (count: number): string => count.toLocaleString('en');
const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function previewText(
  { objects, faults, parts, unmatched, unmatchedNames, empty }: RowsShown,
  recorded: string,
): string {
  const rejected = (one: RowsShown['objects'][number]): string =>
    Object.entries(one.rejected)
      .map(([reason, count]) => `${reason} ${number(count)}`)
      .join(', ');
  const sections = [
    CONFIDENTIAL,
    table(
      ['object', 'rows', 'rejected'],
      objects.map((one) => [one.object, number(one.rows), one.fault ?? rejected(one)]),
    ),
    rejectWords(objects.flatMap((one) => Object.keys(one.rejected))).join('\n'),
    table(
      ['part', 'counted', 'not on the list', 'share'],
      parts.map(({ part, counted, unknown }) => [part, number(counted), number(unknown), share(unknown, counted)]),
    ),
  ];
  if (unmatched.length > 0)
    sections.push(
      `Names that no list knows: ${number(unmatchedNames)}${unmatchedNames > unmatched.length ? ', the most frequent' : ''}:\n${table(
        ['part', 'name', 'counted'],
        unmatched.map(({ part, name, counted }) => [part, name, number(counted)]),
      )}`,
    );
  for (const { object, code } of faults) sections.push(`${code}: ${object}`);
  if (empty.length > 0) sections.push(`With nothing to count: ${partitionSpans(empty)}.`);
  sections.push(recorded);
  return sections.filter((section) => section !== '').join('\n\n');
}
