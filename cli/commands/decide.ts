import { Command } from 'commander';
import { decideRelease } from '../../client/release/decide-release.ts';
import { DECISION_REASONS, type Decision } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { approveBackfill } from '../approve-backfill.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { readKey } from '../key-file.ts';
import { type OutputOptions, printAnswer } from '../terminal.ts';

type Options = OutputOptions & {
  key: string;
  reason: string;
  code?: string;
  acknowledge?: string[];
  backfill?: string;
  yes?: boolean;
};

export const approveCommand = (): Command =>
  decideCommand(
    'approve',
    'approve the release at the gate, with a signature over its manifest',
    'audit-passed, or attention-accepted with --acknowledge',
  )
    .option('--backfill <id>', 'in place of a release: all of a back-fill whose audit passed, with one signature')
    .option('--yes', 'with --backfill: do not ask after the table of verdicts');

export const rejectCommand = (): Command =>
  decideCommand('reject', 'refuse the release at the gate; its charge stays', 'other');

function decideCommand(decision: 'approve' | 'reject', description: string, usual: string): Command {
  const command = new Command(decision)
    .description(description)
    .argument(decision === 'approve' ? '[release]' : '<release>')
    .requiredOption('--key <file>', 'your Ed25519 private key, PKCS#8 PEM')
    .requiredOption('--reason <text>', 'why, in your own words; kept, and never published')
    .option('--code <code>', `the public reason: ${DECISION_REASONS[decision].join(', ')} (default: ${usual})`)
    .option('--acknowledge <id...>', 'attention points of the audit that you have read and accept');
  const example = `opaline ${decision} demo-taps/2026-03-02/v1 --key me.pem --reason "read the audit"`;
  define(command, example, async ([name], options: Options) => {
    if (options.backfill !== undefined) return decideBackfill(name, options.backfill, options);
    if (name === undefined) throw new OpalineError('USAGE', 'Name a release, or a back-fill with --backfill.');
    const request = {
      release: readRelease(name),
      decision,
      reason: reasonOf(decision, options),
      note: options.reason,
      acknowledged: options.acknowledge ?? [],
      privateKey: await readKey(options.key),
    };
    const answer = await withClient((client) => decideRelease(client, request));
    const done = decision === 'approve' ? 'Your approval' : 'Your rejection';
    printAnswer(options, answer, `${done} of ${releasePath(request.release)} is recorded.`);
  });
  return command;
}

async function decideBackfill(name: string | undefined, id: string, options: Options): Promise<void> {
  const isOther = options.code !== undefined && options.code !== 'audit-passed';
  if (name !== undefined || options.acknowledge || isOther)
    throw new OpalineError(
      'USAGE',
      '--backfill stands in place of a release, and approves what passed the audit: leave out --acknowledge and --code.',
    );
  await approveBackfill(id, { privateKey: await readKey(options.key), note: options.reason }, options);
}

/** The public reason. Whoever acknowledges an attention point cannot say that the audit passed. Throws USAGE. */
function reasonOf(decision: 'approve' | 'reject', { code, acknowledge }: Options): Decision['predicate']['reason'] {
  if (decision === 'reject' && code === undefined) return 'other';
  const usual = acknowledge ? 'attention-accepted' : 'audit-passed';
  const reason = DECISION_REASONS[decision].find((one) => one === (code ?? usual));
  if (!reason) throw new OpalineError('USAGE', `--code takes one of ${DECISION_REASONS[decision].join(', ')}.`);
  if (reason === 'audit-passed' && acknowledge)
    throw new OpalineError('USAGE', '--code audit-passed acknowledges no attention point; leave one of the two out.');
  return reason;
}
