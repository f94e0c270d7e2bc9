import { Command } from 'commander';
import { explainRelease, explainStatus } from '../../client/release/explain-release.ts';
import { zoneOf } from '../../client/series/zone.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { print } from '../terminal.ts';

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('say what holds a release up or ended it, the likely cause, and the command that mends it')
    .argument('<release>');
  define(command, 'opaline explain demo-taps/2026-03-02/v1', async ([name], options) => {
    const release = readRelease(name);
    const explanation = await withClient(async (client) => {
      const answer = await explainRelease(client, release);
      return 'state' in answer ? explainStatus(answer, await zoneOf(client, answer)) : answer;
    });
    const lines = [explanation.what, ...explanation.causes, ...explanation.commands.map((line) => `  ${line}`)];
    print(options, explanation, lines.join('\n'));
  });
  return command;
}
