import { approvable, approveTogether, backfillVerdicts } from '../client/schedule/approve-backfill.ts';
import { EXIT } from '../contracts/errors.ts';
import { releasePath } from '../contracts/names.ts';
import { withClient } from './client.ts';
import { confirmed } from './confirmation.ts';
import { verdictTable } from './schedule-text.ts';
import { type OutputOptions, print } from './terminal.ts';

/**
 * Shows the verdicts of a back-fill, and approves with one signature all its releases at the gate whose audit passed.
 * The others are left for people to look at one by one.
 */
export async function approveBackfill(
  id: string,
  signed: { privateKey: string; note: string },
  options: OutputOptions & { yes?: boolean },
): Promise<void> {
  await withClient(async (client) => {
    const verdicts = await backfillVerdicts(client, id);
    const releases = approvable(verdicts);
    const text = `${verdictTable(verdicts)}\n\n${releases.length} of ${verdicts.length} wait at the gate with verdict pass; one signature approves them. The others are decided one by one.`;
    if (releases.length > 0 && !(await confirmed(text, options))) return;
    const answers = await approveTogether(client, releases, signed);
    const refused = answers.flatMap(({ release, answer }) => (answer.accepted ? [] : [{ release, answer }]));
    if (refused.length > 0) process.exitCode = EXIT.refused;
    const lines = refused.map(({ release, answer }) => `${releasePath(release)}: ${answer.code}: ${answer.message}`);
    const done =
      answers.length === 0
        ? 'Nothing was signed.'
        : `Your approval of ${answers.length - refused.length} releases is recorded.`;
    print(options, { verdicts, answers }, [text, ...lines, done].join('\n'));
  });
}
