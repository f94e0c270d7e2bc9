import { Command } from 'commander';
import { listWithRetractions } from '../../client/release/retractions.ts';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { define } from '../command.ts';
import { stateText } from '../retraction-text.ts';
import { print, table } from '../terminal.ts';

export function statusCommand(): Command {
  const command = new Command('status').description('list the releases and where they stand');
  define(command, 'opaline status', async (_, options) => {
    const releases = await withClient(listWithRetractions);
    const rows = releases.map((one) => [releasePath(one), stateText(one), one.startedAt]);
    const empty = 'No release yet. Start one: opaline run SERIES.yaml --window YYYY-MM-DD';
    print(options, { releases }, rows.length > 0 ? table(['release', 'state', 'started'], rows) : empty);
  });
  return command;
}
