import type { Command } from 'commander';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { command, readPartitions, YES } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { printAnswer } from '../terminal.ts';

/** Who asks, for the record; what people decide is signed. */
const SUBJECT = 'command line';

/** Actions that need to know nothing but the release. */
const ACTIONS = {
  cancel: 'stop a release; what was reserved for it stays spent',
  proceed: 'end the wait for late objects; what is missing then holds back its partitions',
} as const;

export const actionCommand = (action: keyof typeof ACTIONS): Command =>
  command(`${action} <release>`, ACTIONS[action])
    .example(`opaline ${action} demo-taps/2026-03-02/v1`)
    .ask(async (client, { release }, options) => {
      const answer = await client.ask(release, action, { subject: SUBJECT });
      const state = `The release is ${answer.accepted ? answer.state : 'unchanged'}.`;
      printAnswer(options, answer, action === 'proceed' ? 'The wait is ended.' : state);
    });

export const abandonCommand = (): Command =>
  command('abandon <release>', 'go on without partitions that an object holds back; each becomes a named hole')
    .required('--partition <part/day...>', 'the partitions to leave out')
    .option(...YES)
    .example('opaline abandon demo-taps/2026-03-02/v1 --partition bus/2026-03-04')
    .run(async ({ release }, options) => {
      const partitions = readPartitions(options.partition);
      const question = `${partitions.map(partitionPath).join(', ')} would be left out of ${releasePath(release)} for good: holes that its statement names. Their objects can come in a later version, which is a new charge.`;
      if (!(await confirm(question, options))) return;
      const answer = await withClient((client) =>
        client.ask(release, 'abandonPartitions', { partitions, subject: SUBJECT }),
      );
      printAnswer(options, answer, 'The partitions are left out; the statement will name them.');
    });
