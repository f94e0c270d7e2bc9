import { rm } from 'node:fs/promises';
import { Command } from 'commander';
import { nextNumber, signatureFile, signSeries } from '../../activities/orders/series-signature.ts';
import { writeNewFile } from '../../activities/people-files/new-file.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { define } from '../command.ts';
import { releaseStore } from '../deployment.ts';
import { type KeyOptions, readKey, withKey } from '../key-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

type SignOptions = OutputOptions & KeyOptions & { number?: string };

export function seriesCommand(): Command {
  return new Command('series').description('series files: say that one may be run').addCommand(signCommand());
}

function signCommand(): Command {
  const base = new Command('sign')
    .description('sign that a series file may be run: FILE.signature.json lies beside it, and is applied with it')
    .argument('<file>', 'the series file');
  const command = withKey(base, 'private key of the policy; it may be encrypted').option(
    '--number <n>',
    'grows with each change of the file; without it, the next one of the release store',
  );
  define(command, 'opaline series sign demo.yaml --key policy.pem', async ([file], options: SignOptions) => {
    const loaded = await loadSeriesFile(file!);
    const number =
      options.number === undefined
        ? await nextNumber(await releaseStore(), loaded)
        : readWholeNumber('--number', options.number);
    const bytes = signSeries(loaded, number, await readKey(options.key, options));
    const path = signatureFile(file!);
    await rm(path, { force: true });
    await writeNewFile(path, bytes.toString('utf8'), 0o644);
    const text = `The file of ${loaded.series.series} (SHA-256 ${loaded.digest}) is signed as number ${number}: ${path}. It is applied with the file.`;
    print(options, { series: loaded.series.series, digest: loaded.digest, number, signature: path }, text);
  });
  return command;
}
