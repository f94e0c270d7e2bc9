import { Command } from 'commander';
import { statusWithRetraction } from '../../client/release/retractions.ts';
import { zoneOf } from '../../client/series/zone.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { releaseText } from '../release-text.ts';
import { retractionText } from '../retraction-text.ts';
import { print } from '../terminal.ts';

export function showCommand(): Command {
  const command = new Command('show')
    .description('show one release: its partitions, charge, verdict and what comes next')
    .argument('<release>');
  define(command, 'opaline show demo-taps/2026-03-02/v1', async ([name], options) => {
    const release = readRelease(name);
    const { status, timeZone } = await withClient(async (client) => {
      const status = await statusWithRetraction(client, release);
      return { status, timeZone: await zoneOf(client, status) };
    });
    const lines = [releaseText(status, timeZone), retractionText(status)].filter((line) => line !== null);
    print(options, status, lines.join('\n'));
  });
  return command;
}
