import { Command } from 'commander';
import { keyIdOfPem } from '../../activities/signing/approver.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { EXIT } from '../../contracts/errors.ts';
import { define } from '../command.ts';
import { readKey } from '../key-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { trust?: string[] };

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('check a publication offline: digests, signatures, certificate, threshold, order and sums')
    .argument('<dir>')
    .option('--trust <keys...>', 'public keys of approvers you know, files or key ids: only these count');
  const example = 'opaline verify .opaline/stores/publication/demo-taps/2026-03-02/v1 --trust ada.pem.pub';
  define(command, example, async ([folder], options: Options) => {
    const trusted = options.trust ? await Promise.all(options.trust.map(readKeyId)) : null;
    const report = await verifyPublication(folder!, trusted);
    const lines = report.checks.map(({ id, ok, sentence }) => `${ok ? '✓' : '✗'} ${id}: ${sentence}`);
    const verdict = report.verified ? 'Verified: every check passed.' : 'NOT VERIFIED: do not use this data.';
    if (!report.verified) process.exitCode = EXIT.verificationFailed;
    print(options, report, [...lines, verdict].join('\n'));
  });
  return command;
}

/** A key id as `verify` prints it in full, or the id of the public key in a file. Throws KEY_INVALID. */
const readKeyId = async (key: string): Promise<string> =>
  /^[0-9a-f]{64}$/.test(key) ? key : keyIdOfPem(await readKey(key));
