import { Command } from 'commander';
import { statusWithRetraction } from '../../client/release/retractions.ts';
import { shownSection } from '../../client/release/shown-section.ts';
import { zoneOf } from '../../client/series/zone.ts';
import { SHOWN_HEADING } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { releaseText } from '../release-text.ts';
import { retractionText } from '../retraction-text.ts';
import { print } from '../terminal.ts';

export function showCommand(): Command {
  const command = new Command('show')
    .description(
      'show one release: its partitions, charge, verdict, how much of all taps it shows, and what comes next',
    )
    .argument('<release>');
  define(command, 'opaline show demo-taps/2026-03-02/v1', async ([name], options) => {
    const release = readRelease(name);
    const { status, timeZone, shown } = await withClient(async (client) => {
      const status = await statusWithRetraction(client, release);
      const [timeZone, shown] = [await zoneOf(client, status), await shownSection(client, release)];
      return { status, timeZone, shown };
    });
    const section = shown === null ? null : `\n${SHOWN_HEADING}:\n${shown}`;
    const lines = [releaseText(status, timeZone), retractionText(status), section].filter((line) => line !== null);
    print(options, { ...status, shown }, lines.join('\n'));
  });
  return command;
}
