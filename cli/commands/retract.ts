import { Command } from 'commander';
import { askRetraction, retractionStatus, retractRelease } from '../../client/release/retract-release.ts';
import { DECISION_REASONS } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { type KeyOptions, PASSPHRASE_OPTION, readKey } from '../key-file.ts';
import { type OutputOptions, printAnswer } from '../terminal.ts';

type Options = OutputOptions &
  Partial<KeyOptions> & { reason?: string; note: string; withdraw?: boolean; yes?: boolean };

const REASONS = DECISION_REASONS.retract;

export function retractCommand(): Command {
  const command = new Command('retract')
    .description('take a publication back: a signed tombstone beside its files, which stay; costs no privacy')
    .argument('<release>')
    .option('--reason <code>', `the public reason: ${REASONS.join(', ')}`)
    .option('--key <file>', 'your Ed25519 private key, PKCS#8 PEM; it may be encrypted')
    .option(...PASSPHRASE_OPTION)
    .option('--note <text>', 'more on it, in your own words; kept, and never published', '')
    .option('--withdraw', 'end a retraction that waits for more approvers; the publication stays')
    .option('--yes', 'do not ask');
  const example = 'opaline retract demo-taps/2026-03-02/v1 --reason data-wrong --key me.pem';
  return define(command, example, async ([name], options: Options) => {
    const release = readRelease(name);
    const path = releasePath(release);
    if (options.withdraw) {
      const answer = await withClient((client) =>
        askRetraction(client, release, 'withdraw', { subject: 'command line' }),
      );
      return printAnswer(options, answer, `The retraction of ${path} is withdrawn.`);
    }
    const reason = REASONS.find((one) => one === options.reason);
    if (!reason) throw new OpalineError('USAGE', `--reason takes one of ${REASONS.join(', ')}.`);
    if (options.key === undefined) throw new OpalineError('USAGE', 'A retraction is signed; name your key with --key.');
    const request = { release, reason, note: options.note, privateKey: await readKey(options.key, options) };
    if (!(await confirmed(`${path} would be marked as retracted for everybody, for ever.`, options))) return;
    const { answer, missing } = await withClient(async (client) => {
      const answer = await retractRelease(client, request);
      const { decisions, required } = await retractionStatus(client, release);
      return { answer, missing: required - decisions.length };
    });
    const next = missing > 0 ? `${missing} more needed.` : `${path} is being retracted; \`opaline show ${path}\`.`;
    printAnswer(options, answer, `Your signature is recorded. ${next}`);
  });
}
