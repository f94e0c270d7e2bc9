import { Command } from 'commander';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { ReleaseAction } from '../../contracts/release-state.ts';
import { withClient } from '../client.ts';
import { define, readPartitions, readRelease } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { type OutputOptions, printAnswer } from '../terminal.ts';

/** Who asks, for the record; only decisions are signed. */
const SUBJECT = 'command line';

export const withdrawCommand = (): Command =>
  plainCommand('withdraw', 'take a release back before it is public; its charge stays');

export const reopenCommand = (): Command =>
  plainCommand('reopen', 'offer a release again whose gate has expired; it costs nothing');

export const cancelCommand = (): Command =>
  plainCommand('cancel', 'stop a release; what was reserved for it stays spent');

export const proceedCommand = (): Command =>
  plainCommand('proceed', 'end the wait for late objects; what is missing then holds back its partitions');

function plainCommand(
  action: Extract<ReleaseAction, 'withdraw' | 'reopen' | 'cancel' | 'proceed'>,
  description: string,
): Command {
  const command = new Command(action).description(description).argument('<release>');
  return define(command, `opaline ${action} demo-taps/2026-03-02/v1`, async ([name], options: OutputOptions) => {
    const answer = await withClient((client) => client.ask(readRelease(name), action, { subject: SUBJECT }));
    const done =
      action === 'proceed' ? 'The wait is ended.' : `The release is ${answer.accepted ? answer.state : 'unchanged'}.`;
    printAnswer(options, answer, done);
  });
}

export function abandonCommand(): Command {
  const command = new Command('abandon')
    .description('go on without partitions that an object holds back; each becomes a named hole')
    .argument('<release>')
    .requiredOption('--partition <part/day...>', 'the partitions to leave out')
    .option('--yes', 'do not ask');
  const example = 'opaline abandon demo-taps/2026-03-02/v1 --partition bus/2026-03-04';
  return define(command, example, async ([name], options: OutputOptions & { partition: string[]; yes?: boolean }) => {
    const request = { partitions: readPartitions(options.partition), subject: SUBJECT };
    const release = readRelease(name);
    const question = `${request.partitions.map(partitionPath).join(', ')} would be left out of ${releasePath(release)} for good: holes that its statement names. Their objects can come in a later version, which is a new charge.`;
    if (!(await confirmed(question, options))) return;
    const answer = await withClient((client) => client.ask(release, 'abandonPartitions', request));
    printAnswer(options, answer, 'The partitions are left out; the statement will name them.');
  });
}
