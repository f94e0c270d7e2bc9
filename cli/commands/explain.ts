import { Command } from 'commander';
import { explainRelease, explainStatus } from '../../client/release/explain-release.ts';
import { releaseBriefing } from '../../client/release/release-briefing.ts';
import { placeOfSource } from '../../client/series/zone.ts';
import { pagesText, pointsText } from '../briefing-text.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { print } from '../terminal.ts';

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('say what holds a release up or ended it, the likely cause, and the command that mends it')
    .argument('<release>');
  return define(command, 'opaline explain demo-taps/2026-03-02/v1', async ([name], options) => {
    const release = readRelease(name);
    const explanation = await withClient(async (client) => {
      const answer = await explainRelease(client, release);
      if (!('state' in answer)) return { ...answer, read: null };
      const read = answer.state === 'waiting' ? await releaseBriefing(client, answer) : null;
      const { timeZone } = await placeOfSource(client, answer);
      return { ...explainStatus(answer, timeZone), read };
    });
    const { what, causes, commands, read } = explanation;
    const lines = [what, ...causes, ...(read ? [...pointsText(read), ...pagesText(read)] : [])];
    print(options, explanation, [...lines, ...commands.map((line) => `  ${line}`)].join('\n'));
  });
}
