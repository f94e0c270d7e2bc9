import { Command } from 'commander';
import { remakePages } from '../../client/verify/remake-pages.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { seriesName } from '../../contracts/series.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { define } from '../command.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { publication: string; out?: string; trust?: string };

export function siteCommand(): Command {
  const command = new Command('site')
    .description(
      'make the pages of a series again from its publications: index, changes, feed, lists and readers’ pages',
    )
    .argument('<series>')
    .requiredOption('--publication <folder>', 'the folder in which the folder of the series lies')
    .option('--out <folder>', 'write them here, and not beside the publications')
    .option('--trust <file>', 'the trust file: releases of other publishers are left out');
  const example = 'opaline site demo-taps --publication .opaline/stores/publication';
  return define(command, example, async ([series], { publication, out, trust, ...options }: Options) => {
    if (!seriesName.safeParse(series).success) throw new OpalineError('USAGE', `${series} is no name of a series.`);
    const chain = trust === undefined ? null : await readTrustFile(trust);
    const made = await remakePages(series!, { publication, out: out ?? publication, trust: chain });
    const over = made.writtenOver.length === 0 ? '' : ` Not made of these releases: ${made.writtenOver.join(', ')}.`;
    print(options, made, `${made.pages.length} pages of ${made.releases} releases: ${made.pages.join(', ')}.${over}`);
  });
}
