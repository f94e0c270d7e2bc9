import { Command } from 'commander';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { define } from '../command.ts';
import { print, table } from '../terminal.ts';

export function statusCommand(): Command {
  const command = new Command('status').description('list the releases and where they stand');
  define(command, 'opaline status', async (_, options) => {
    const releases = await withClient((client) => client.list());
    const rows = releases.map((one) => [releasePath(one), one.state, one.startedAt]);
    const empty = 'No release yet. Start one: npm run opaline -- run SERIES.yaml --window YYYY-MM-DD';
    print(options, { releases }, rows.length > 0 ? table(['release', 'state', 'started'], rows) : empty);
  });
  return command;
}
