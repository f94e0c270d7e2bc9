import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { writeNewFile } from '../../services/files/new-file.ts';
import { nextNumber, putSignature, signatureFile, signSeries } from '../../services/orders/series-signature.ts';
import { hasClientDeployment, releaseStore } from '../client-deployment.ts';
import { command, group } from '../command.ts';
import { PASSPHRASE, POLICY_KEY, readKey } from '../key-options.ts';

export const seriesCommand = (): Command =>
  group('series', 'series files: say that one may be run', [
    command('sign', 'sign that a series file may be run: FILE.signature.json is beside it, and is applied with it')
      .argument('<file>', 'the series file')
      .required(...POLICY_KEY)
      .option(...PASSPHRASE)
      .option('--number <n>', 'grows with each change of the file; without it, the next one of this key')
      .example('opaline series sign demo.yaml --key policy.pem')
      .run(async ({ file }, options) => {
        const draft = await loadSeriesFile(file);
        const { digest } = draft;
        const { series } = draft.series;
        const store = hasClientDeployment() ? await releaseStore() : null;
        const key = await readKey(options.key, options);
        const input = options.number;
        const number = input === undefined ? await nextNumber(store, draft, key) : readWholeNumber('--number', input);
        const bytes = signSeries(draft, number, key);
        const signature = signatureFile(file);
        await rm(signature, { force: true });
        await writeNewFile(signature, bytes.toString('utf8'), 0o644);
        // A release of this file may wait for the signature.
        const isApplied = store && (await store.head(RELEASE_KEYS.series(series, digest)));
        if (isApplied) await putSignature(store, { ...draft, signature: bytes }, null);
        const next = isApplied ? 'It is handed over; retry what waits for it.' : 'It is applied with the file.';
        const text = `The file of ${series} (SHA-256 ${digest}) is signed as number ${number}: ${signature}. ${next}`;
        return { value: { series, digest, number, signature }, text };
      }),
  ]);
