import type { Command } from 'commander';
import { remakePages } from '../../client/verify/remake-pages.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { seriesName } from '../../contracts/series.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { command } from '../command.ts';

export const siteCommand = (): Command =>
  command('site <series>', 'make the pages of a series again from its publications: index, feed, lists …')
    .required('--publication <folder>', 'the folder in which the folder of the series is')
    .option('--out <folder>', 'write them here, and not beside the publications')
    .option('--tables <file>', 'write the tables of all current releases into this new tar archive, too')
    .option('--trust <file>', 'the trust file: releases of other publishers are left out')
    .example('opaline site demo-taps --publication .opaline/stores/publication')
    .run(async ({ series }, { publication, out = publication, tables, trust }) => {
      if (!seriesName.safeParse(series).success) throw wrongUse(`${series} is no name of a series.`);
      const chain = trust === undefined ? null : await readTrustFile(trust);
      const site = await remakePages(series, { publication, out, trust: chain, tables });
      const over = site.writtenOver.length === 0 ? '' : ` Not made of these releases: ${site.writtenOver.join(', ')}.`;
      const text = `${site.pages.length} pages of ${site.releases} releases: ${site.pages.join(', ')}.${over}${tables === undefined ? '' : ` ${site.tables} tables are in ${tables}.`}`;
      return { value: site, text };
    });
