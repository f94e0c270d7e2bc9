import type { Command } from 'commander';
import {
  listWithRetractions,
  openFacts,
  type ReleaseFilter,
  type ReleaseLine,
} from '../../client/release/retractions.ts';
import { zonesOf } from '../../client/series/place-zone.ts';
import { RELEASE_STATES } from '../../contracts/release-state.ts';
import { command } from '../command.ts';
import { statusTable } from '../status-text.ts';

/** Nothing is listed; what somebody looks for may have another state, or be of another series. */
const emptyText = ({ series, state }: ReleaseFilter): string =>
  series === undefined && state === undefined
    ? 'No release is there. Start one: opaline run SERIES.yaml --window YYYY-MM-DD'
    : 'No release is like that; `opaline status` lists all of them.';

export const statusCommand = (): Command =>
  command('status', 'list the releases: their state, for how long, what failed, the verdict, and until when')
    .option('--series <name>', 'only those of a series')
    .option('--state <state>', 'only those in a state', RELEASE_STATES)
    .example('opaline status --state waiting')
    .ask(async (client, _, options) => {
      const releases = await listWithRetractions(client, options);
      const text =
        releases.length > 0
          ? statusTable(releases, await zonesOf(client), new Date().toISOString())
          : emptyText(options);
      return { value: { releases: releases.map(forPrograms) }, text };
    });

/** Of what a release says, that which the table shows. */
const forPrograms = ({ open, ...line }: ReleaseLine) => {
  const { failed, partitions, verdict } = openFacts({ open });
  return { ...line, since: open?.since ?? null, failed, partitions, verdict, expiresAt: open?.expiresAt ?? null };
};
