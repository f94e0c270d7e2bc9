import { Command } from 'commander';
import { statusWithRetraction } from '../../client/release/retractions.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { releasePage } from '../release-page.ts';
import { print } from '../terminal.ts';

export function showCommand(): Command {
  const command = new Command('show')
    .description('show one release: its partitions, verdict, figures and cost, who decides, and what comes next')
    .argument('<release>');
  return define(command, 'opaline show demo-taps/2026-03-02/v1', async ([name], options) => {
    const release = readRelease(name);
    await withClient(async (client) => {
      const status = await statusWithRetraction(client, release);
      const { briefing, text } = await releasePage(client, status);
      print(options, { ...status, shown: briefing?.shown ?? null, briefing }, text);
    });
  });
}
