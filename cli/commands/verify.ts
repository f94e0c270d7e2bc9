import { Command } from 'commander';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { EXIT } from '../../contracts/errors.ts';
import { define } from '../command.ts';
import { print } from '../terminal.ts';

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('check a publication offline: digests, signatures, certificate, threshold, order and sums')
    .argument('<dir>');
  define(command, 'opaline verify .opaline/stores/publication/demo-taps/2026-03-02/v1', async ([folder], options) => {
    const report = await verifyPublication(folder!);
    const lines = report.checks.map(({ id, ok, sentence }) => `${ok ? '✓' : '✗'} ${id}: ${sentence}`);
    const verdict = report.verified ? 'Verified: every check passed.' : 'NOT VERIFIED: do not use this data.';
    if (!report.verified) process.exitCode = EXIT.verificationFailed;
    print(options, report, [...lines, verdict].join('\n'));
  });
  return command;
}
