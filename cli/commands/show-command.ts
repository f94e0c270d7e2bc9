import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { copyRelease } from '../../client/release/audited-copy.ts';
import { changesCommand, checkSources } from '../../client/release/check-sources.ts';
import { RELEASE_PAGES, type ReleasePage } from '../../client/release/release-briefing.ts';
import { statusWithRetraction } from '../../client/release/retractions.ts';
import { succeeds } from '../../client/succeeds.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { lines } from '../../core/text/paragraphs.ts';
import type { CommandResult } from '../../kinds/kind-command.ts';
import { withClient } from '../client.ts';
import { ledgerReader } from '../client-deployment.ts';
import { command } from '../command.ts';
import { releasePage } from '../release-overview.ts';
import { changesLine } from '../release-text.ts';
import { type OutputOptions, say } from '../terminal.ts';

export const showCommand = (): Command =>
  command('show <release>', 'show one release: partitions, verdict, figures, cost, who decides, what is next')
    .option(
      '--open <page>',
      'open its audit or its statement in the browser: from a checked copy of everything that would be published; without a screen it prints where that is',
      Object.keys(RELEASE_PAGES) as ReleasePage[],
    )
    .option('--sources', 'say which source objects have changed since it read them, by name')
    .example('opaline show demo-taps/2026-03-02/v1')
    .run(async ({ release }, options) => {
      if (options.open !== undefined) return openPage(release, options.open, options);
      if (options.sources) return showSources(release);
      return withClient(async (client) => {
        const status = await statusWithRetraction(client, release);
        const { briefing, text } = await releasePage(client, status);
        return { value: { ...status, shown: briefing?.shown ?? null, briefing }, text };
      });
    });

async function openPage(release: ReleaseReference, page: ReleasePage, { json }: OutputOptions): Promise<CommandResult> {
  const path = await copyRelease(await ledgerReader(), release, RELEASE_PAGES[page]);
  const isOpened = !json && (await launch(path));
  if (!isOpened && !json)
    say('There is no screen here to open it on. It is this file; in a container it goes with that:\n');
  return { value: { path, opened: isOpened }, text: isOpened ? `Opened ${path}` : path };
}

/** Opens a page as a person would; false where there is no screen, or nothing that opens it. */
async function launch(path: string): Promise<boolean> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const isMac = process.platform === 'darwin';
  if (process.stdout.isTTY !== true || !(isMac || DISPLAY || WAYLAND_DISPLAY)) return false;
  const opener = spawn(isMac ? 'open' : 'xdg-open', [path], { stdio: 'ignore', detached: true });
  opener.unref();
  return succeeds(once(opener, 'spawn'), () => true);
}

const showSources = (release: ReleaseReference): Promise<CommandResult> =>
  withClient(async (client) => {
    const changes = await checkSources(client, release);
    const next = changesCommand(await client.status(release), changes);
    const line = changesLine(changes);
    const text = line
      ? lines(line, next && [`${next.when}:`, `  ${next.command}`])
      : `The source holds what ${releasePath(release)} was made of.`;
    return { value: changes, text };
  });
