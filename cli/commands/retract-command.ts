import type { Command } from 'commander';
import { askRetraction, retractionStatus, retractRelease } from '../../client/release/retract-release.ts';
import { DECISION_REASONS, publicSentence } from '../../contracts/decision.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { command, YES } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { OWN_KEY, PASSPHRASE, readKey } from '../key-options.ts';
import { printAnswer } from '../terminal.ts';

export const retractCommand = (): Command =>
  command('retract <release>', 'take a publication back: a signed tombstone beside its files, which stay')
    .option('--reason <code>', 'the public reason', DECISION_REASONS.retract)
    .option(...OWN_KEY)
    .option(...PASSPHRASE)
    .option('--public-sentence <text>', 'one sentence that everybody is told with the reason; you sign it')
    .usual('--note <text>', 'more on it, in your own words; kept, and never published', '')
    .option('--withdraw', 'end a retraction that waits for more approvers; the publication stays')
    .option(...YES)
    .example('opaline retract demo-taps/2026-03-02/v1 --reason data-wrong --key me.pem')
    .run(async ({ release }, options) => {
      const path = releasePath(release);
      if (options.withdraw) {
        const subject = 'command line';
        const answer = await withClient((client) => askRetraction(client, release, 'withdraw', { subject }));
        return printAnswer(options, answer, `The retraction of ${path} is withdrawn.`);
      }
      const { reason, key } = options;
      if (!reason || key === undefined) throw wrongUse('A retraction is signed: name its --reason and your --key.');
      const sentence = publicSentence.optional().safeParse(options.publicSentence);
      if (!sentence.success)
        throw wrongUse('A public sentence is one line of at most 500 characters, without control characters.');
      const request = {
        release,
        reason,
        sentence: sentence.data,
        note: options.note,
        privateKey: await readKey(key, options),
      };
      const addition = sentence.data === undefined ? '' : ` Everybody would read: ${sentence.data}`;
      if (!(await confirmed(`${path} would be marked as retracted for everybody, for ever.${addition}`, options)))
        return;
      const { answer, missing } = await withClient(async (client) => {
        const answer = await retractRelease(client, request);
        const { decisions, required } = await retractionStatus(client, release);
        return { answer, missing: required - decisions.length };
      });
      const next = missing > 0 ? `${missing} more needed.` : `${path} is being retracted; \`opaline show ${path}\`.`;
      printAnswer(options, answer, `Your signature is recorded. ${next}`);
    });
