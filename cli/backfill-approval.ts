import { approvable, approveTogether, backfillVerdicts } from '../client/schedule/approve-backfill.ts';
import { EXIT } from '../contracts/errors.ts';
import { releasePath } from '../contracts/names.ts';
import { lines } from '../core/text/paragraphs.ts';
import type { CommandResult } from '../kinds/kind-command.ts';
import { withClient } from './client.ts';
import { confirmed } from './confirmation.ts';
import { verdictTable } from './schedule-text.ts';
import type { OutputOptions } from './terminal.ts';

/**
 * Shows the verdicts of a back-fill, and approves with one signature all its releases at the gate whose audit passed.
 * The others are left for people to look at one by one.
 */
export async function approveBackfill(
  id: string,
  signed: { privateKey: string; note: string },
  options: OutputOptions & { yes?: boolean },
): Promise<CommandResult | undefined> {
  return withClient(async (client) => {
    const verdicts = await backfillVerdicts(client, id);
    const releases = approvable(verdicts);
    const text = `${verdictTable(verdicts)}\n\n${releases.length} of ${verdicts.length} wait at the gate with verdict pass; one signature approves them. The others are decided one by one.`;
    if (releases.length > 0 && !(await confirmed(text, options))) return;
    const answers = await approveTogether(client, releases, signed);
    const refused = answers.flatMap(({ release, answer }) => (answer.accepted ? [] : [{ release, answer }]));
    const done =
      answers.length === 0
        ? 'Nothing was signed.'
        : `Your approval of ${answers.length - refused.length} releases is recorded.`;
    const refusals = refused.map(({ release, answer }) => `${releasePath(release)}: ${answer.code}: ${answer.message}`);
    const exit = refused.length > 0 ? EXIT.refused : undefined;
    return { value: { verdicts, answers }, text: lines(text, refusals, done), exit };
  });
}
