import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { OpalineClient } from '../../client/opaline-client.ts';
import { listWithRetractions, type ReleaseFilter, type ReleaseLine } from '../../client/release/retractions.ts';
import { zonesOf } from '../../client/series/place-zone.ts';
import { EXIT } from '../../contracts/errors.ts';
import { RELEASE_STATES } from '../../contracts/release-state.ts';
import { command } from '../command.ts';
import { interruption } from '../interruption.ts';
import { statusGrids, statusTable } from '../status-text.ts';
import { redraw } from '../terminal.ts';

/** Between two looks. */
const WATCH_MS = 2000;

/** Nothing is listed; what somebody looks for may have another state, or be of another series. */
const emptyText = ({ series, state }: ReleaseFilter): string =>
  series === undefined && state === undefined
    ? 'No release is there. Start one: opaline run SERIES.yaml --window YYYY-MM-DD'
    : 'No release is like that; `opaline status` lists all of them.';

export const statusCommand = (): Command =>
  command('status', 'list the releases: their state, for how long, what failed, the verdict, and until when')
    .option('--series <name>', 'only those of a series')
    .option('--state <state>', 'only those in a state', RELEASE_STATES)
    .option('--watch', 'draw them again and again, with the partitions of those that are being made, until Ctrl-C')
    .example('opaline status --state waiting')
    .ask(async (client, _, options) => {
      if (options.watch && !options.json) return watch(client, options);
      const releases = await listWithRetractions(client, options);
      const text = await listText(client, options, releases, statusTable);
      return { value: { releases: releases.map(forPrograms) }, text };
    });

const listText = async (
  client: OpalineClient,
  filter: ReleaseFilter,
  releases: readonly ReleaseLine[],
  text: typeof statusTable,
): Promise<string> =>
  releases.length > 0 ? text(releases, await zonesOf(client), new Date().toISOString()) : emptyText(filter);

/** Of what a release says, that which the table shows. */
const forPrograms = ({ open, ...line }: ReleaseLine) => ({
  ...line,
  since: open?.since ?? null,
  failed: open?.partitions.filter(({ state }) => state === 'failed').length ?? 0,
  partitions: open?.partitions.length ?? null,
  verdict: open?.verdict ?? null,
  expiresAt: open?.expiresAt ?? null,
});

async function watch(client: OpalineClient, filter: ReleaseFilter): Promise<undefined> {
  const interrupted = interruption();
  const looking = (async () => {
    while (!interrupted.happened()) {
      redraw(await listText(client, filter, await listWithRetractions(client, filter), statusGrids));
      await delay(WATCH_MS);
    }
  })();
  // Whoever interrupts does not wait for an answer; a late failure of it is nobody's concern.
  looking.catch(() => undefined);
  await interrupted.during(looking);
  process.exitCode = EXIT.interrupted;
}
