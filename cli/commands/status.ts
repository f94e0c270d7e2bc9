import { setTimeout as delay } from 'node:timers/promises';
import { Command, Option } from 'commander';
import type { OpalineClient } from '../../client/opaline-client.ts';
import { listWithRetractions, type ReleaseFilter, type ReleaseLine } from '../../client/release/retractions.ts';
import { zonesOf } from '../../client/series/zone.ts';
import { EXIT } from '../../contracts/errors.ts';
import { RELEASE_STATES } from '../../contracts/release-state.ts';
import { withClient } from '../client.ts';
import { define } from '../command.ts';
import { interruption } from '../interruption.ts';
import { statusGrids, statusTable } from '../status-text.ts';
import { type OutputOptions, print, redraw } from '../terminal.ts';

type Options = OutputOptions & ReleaseFilter & { watch?: boolean };

/** Between two looks. */
const WATCH_MS = 2000;

/** What is said when nothing is listed: what is asked for may be there in another state, or of another series. */
const emptyText = ({ series, state }: ReleaseFilter): string =>
  series === undefined && state === undefined
    ? 'No release is there. Start one: opaline run SERIES.yaml --window YYYY-MM-DD'
    : 'No release is like that; `opaline status` lists all of them.';

export function statusCommand(): Command {
  const command = new Command('status')
    .description('list the releases: where they stand, for how long, what failed, the verdict, and until when')
    .option('--series <name>', 'only those of a series')
    .addOption(new Option('--state <state>', 'only those in a state').choices([...RELEASE_STATES]))
    .option('--watch', 'draw them anew, with the partitions of those that are being made, until Ctrl-C');
  return define(command, 'opaline status --state waiting', async (_, options: Options) => {
    await withClient(async (client) => {
      if (options.watch && !options.json) return watch(client, options);
      const releases = await listWithRetractions(client, options);
      const now = new Date().toISOString();
      const text = releases.length > 0 ? statusTable(releases, await zonesOf(client), now) : emptyText(options);
      print(options, { releases: releases.map(forPrograms) }, text);
    });
  });
}

/** Of what a release says, that which the table shows. */
const forPrograms = ({ open, ...line }: ReleaseLine) => ({
  ...line,
  since: open?.since ?? null,
  failed: open?.partitions.filter(({ state }) => state === 'failed').length ?? 0,
  partitions: open?.partitions.length ?? null,
  verdict: open?.verdict ?? null,
  expiresAt: open?.expiresAt ?? null,
});

async function watch(client: OpalineClient, filter: ReleaseFilter): Promise<void> {
  const interrupted = interruption();
  const looking = (async () => {
    while (!interrupted.happened()) {
      const releases = await listWithRetractions(client, filter);
      const zones = await zonesOf(client);
      redraw(releases.length > 0 ? statusGrids(releases, zones, new Date().toISOString()) : emptyText(filter));
      await delay(WATCH_MS);
    }
  })();
  // Whoever interrupts does not wait for an answer; a late failure of it is nobody's concern.
  looking.catch(() => undefined);
  await interrupted.during(looking);
  process.exitCode = EXIT.interrupted;
}
