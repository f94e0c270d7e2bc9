import { Command } from 'commander';
import type { RowsShown } from '../../activities/private/context.ts';
import { preview } from '../../activities/private/preview.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { partitionPath } from '../../contracts/names.ts';
import { table } from '../../core/text/table.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { define } from '../command.ts';
import { contextOf, custodianDeployment } from '../private-deployment.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { window: string };

/** What stands over everything that holds exact numbers. */
const CONFIDENTIAL = 'CONFIDENTIAL: exact numbers of raw data, for custodians alone.';

const RECORDED =
  'It is recorded that this was looked at: a series file of these people that is written from now on has to say so in privacy.chosenOn. This one need not.';

export function previewCommand(): Command {
  const command = new Command('preview')
    .description('show custodians what is made of the rows of a window, before anything is charged; it is recorded')
    .argument('<series>', 'the series file')
    .requiredOption('--window <YYYY-MM-DD>', 'first day of the window');
  define(command, 'opaline preview series.yaml --window 2026-03-02', async ([file], options: Options) => {
    const deployment = await custodianDeployment();
    const loaded = await loadSeriesFile(file!, CLIENT_KINDS, Object.keys(deployment.sources));
    const shown = await preview(await contextOf(deployment), loaded, options.window);
    print(options, { confidential: true, ...shown }, previewText(shown));
  });
  return command;
}

const number = (count: number): string => count.toLocaleString('en');
const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function previewText({ objects, faults, parts, unmatched, unmatchedNames, empty }: RowsShown): string {
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
    table(
      ['part', 'counted', 'not on the list', 'share'],
      parts.map(({ part, counted, unknown }) => [part, number(counted), number(unknown), share(unknown, counted)]),
    ),
  ];
  if (unmatched.length > 0)
    sections.push(
      `${number(unmatchedNames)} names that no list knows${unmatchedNames > unmatched.length ? ', the most frequent' : ''}:\n${table(
        ['part', 'name', 'counted'],
        unmatched.map(({ part, name, counted }) => [part, name, number(counted)]),
      )}`,
    );
  for (const { object, code } of faults) sections.push(`${code}: ${object}`);
  if (empty.length > 0) sections.push(`With nothing to count: ${empty.map(partitionPath).join(', ')}.`);
  sections.push(RECORDED);
  return sections.join('\n\n');
}
