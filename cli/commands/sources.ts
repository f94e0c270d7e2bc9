import { Command } from 'commander';
import { changesCommand, checkSources } from '../../client/release/check-sources.ts';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { changesLine } from '../release-text.ts';
import { print } from '../terminal.ts';

export function sourcesCommand(): Command {
  const command = new Command('sources')
    .description('say which source objects have changed since a release read them, by name')
    .argument('<release>');
  return define(command, 'opaline sources demo-taps/2026-03-02/v1', async ([name], options) => {
    const release = readRelease(name);
    const { changes, next } = await withClient(async (client) => {
      const changes = await checkSources(client, release);
      const found = changesCommand(await client.status(release), changes);
      return { changes, next: found ? `\n${found.when}:\n  ${found.command}` : '' };
    });
    const changed = changesLine(changes);
    const text = changed ? `${changed}${next}` : `The source holds what ${releasePath(release)} was made of.`;
    print(options, changes, text);
  });
}
