import { rm } from 'node:fs/promises';
import { Command } from 'commander';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { writeNewFile } from '../../services/files/new-file.ts';
import { nextNumber, putSignature, signatureFile, signSeries } from '../../services/orders/series-signature.ts';
import { define } from '../command.ts';
import { hasClientDeployment, releaseStore } from '../deployment.ts';
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
    'grows with each change of the file; without it, the one after those of this key in the release store, and of the signature beside the file',
  );
  return define(command, 'opaline series sign demo.yaml --key policy.pem', async ([file], options: SignOptions) => {
    const loaded = await loadSeriesFile(file!);
    const store = hasClientDeployment() ? await releaseStore() : null;
    const key = await readKey(options.key, options);
    const number =
      options.number === undefined ? await nextNumber(store, loaded, key) : readWholeNumber('--number', options.number);
    const bytes = signSeries(loaded, number, key);
    const path = signatureFile(file!);
    await rm(path, { force: true });
    await writeNewFile(path, bytes.toString('utf8'), 0o644);
    // A release of this file may wait for the signature.
    const isApplied = store && (await store.head(RELEASE_KEYS.series(loaded.series.series, loaded.digest)));
    if (isApplied) await putSignature(store, { ...loaded, signature: bytes }, null);
    const next = isApplied ? 'It is handed over; retry what waits for it.' : 'It is applied with the file.';
    const text = `The file of ${loaded.series.series} (SHA-256 ${loaded.digest}) is signed as number ${number}: ${path}. ${next}`;
    print(options, { series: loaded.series.series, digest: loaded.digest, number, signature: path }, text);
  });
}
