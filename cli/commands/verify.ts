import { Command } from 'commander';
import { readTrustFile } from '../../activities/trust/trust-file.ts';
import { type VerificationReport, verifyPublication } from '../../client/verify/verify-publication.ts';
import { EXIT } from '../../contracts/errors.ts';
import { define } from '../command.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { trust?: string };

export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('check a publication offline: digests, signatures, certificate, threshold, order and sums')
    .argument('<dir>')
    .option('--trust <file>', 'the trust file of whoever publishes: without it nobody can say whose keys these are');
  const example = 'opaline verify .opaline/stores/publication/demo-taps/2026-03-02/v1 --trust .opaline/trust.json';
  define(command, example, async ([folder], options: Options) => {
    const trust = options.trust === undefined ? null : await readTrustFile(options.trust);
    const report = await verifyPublication(folder!, trust);
    const lines = report.checks.map(({ id, ok, sentence }) => `${ok ? '✓' : '✗'} ${id}: ${sentence}`);
    const { sentence, exit } = verdictOf(report);
    process.exitCode = exit;
    print(options, report, [...lines, sentence].join('\n'));
  });
  return command;
}

/** What it comes to, for people and for scripts. */
function verdictOf({ verified, tiedTo }: VerificationReport): { sentence: string; exit: number } {
  if (!verified) return { sentence: 'NOT VERIFIED: do not use this data.', exit: EXIT.verificationFailed };
  switch (tiedTo) {
    case 'organisation':
      return { sentence: 'Verified: every check passed.', exit: EXIT.done };
    case 'demo keys':
      return {
        sentence: 'Verified with demo keys: every check passed, and the keys are those of a trial.',
        exit: EXIT.done,
      };
    case 'nobody':
      return {
        sentence:
          'Consistent in itself, tied to nobody: a stranger could have made all of it. Name the trust file of the publisher with --trust.',
        exit: EXIT.waiting,
      };
  }
}
