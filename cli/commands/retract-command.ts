import type { Command } from 'commander';
import type { DecisionWish } from '../../client/release/decide-release.ts';
import { retractionStatus } from '../../client/release/retract-release.ts';
import { DECISION_REASONS, publicSentence } from '../../contracts/decision.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { command, YES } from '../command.ts';
import { OWN_KEY, PASSPHRASE, readKey } from '../key-options.ts';
import { printAnswer } from '../terminal.ts';
import { decideByKey } from './decide-command.ts';

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
      const { reason, key } = options;
      if (key === undefined || (!reason && !options.withdraw))
        throw wrongUse('A retraction is signed: name its --reason and your --key; --withdraw needs your --key.');
      const sentence = publicSentence.optional().safeParse(options.publicSentence);
      if (!sentence.success)
        throw wrongUse('A public sentence is one line of at most 500 characters, without control characters.');
      const wish: DecisionWish = options.withdraw
        ? { release, gate: 'retraction', decision: 'withdraw', reason: 'other' }
        : { release, decision: 'retract', reason: reason!, sentence: sentence.data };
      const own = { privateKey: await readKey(key, options), note: options.note };
      const reply = await withClient(async (client) => {
        const answer = await decideByKey(client, wish, own, options);
        if (answer === null || options.withdraw) return { answer, missing: 0 };
        const { decisions, required } = await retractionStatus(client, release);
        return { answer, missing: required - decisions.length };
      });
      if (reply.answer === null) return;
      const next =
        reply.missing > 0 ? `${reply.missing} more needed.` : `${path} is being retracted; \`opaline show ${path}\`.`;
      const text = options.withdraw ? `The retraction of ${path} is withdrawn.` : `Your signature is recorded. ${next}`;
      printAnswer(options, reply.answer, text);
    });
