import { readSeries } from '../activities/stores/series-objects.ts';
import { OpalineError } from '../contracts/errors.ts';
import { type Partition, partitionPath, type ReleaseReference, releasePath } from '../contracts/names.ts';
import { RELEASE_STATE_TABLE } from '../contracts/release-state.ts';
import type { Correction, ReleaseInput, Run } from '../contracts/stages.ts';
import { windowDays } from '../core/calendar/window.ts';
import { drawnTogether } from '../core/certificate/drawn-together.ts';
import type { OpalineClient } from './opaline-client.ts';

/**
 * Starts a new version that redraws and charges the named partitions of a release that has ended, and carries the
 * others over byte for byte (C13). It runs under the series file of the version that it corrects.
 * Throws USAGE or ACTION_NOT_OFFERED with what to do.
 */
export async function correctRelease(
  client: OpalineClient,
  release: ReleaseReference,
  partitions: Partition[],
  reason: Correction['reason'],
): Promise<ReleaseReference> {
  const { state, partitions: earlier, seriesDigest } = await client.status(release);
  const name = releasePath(release);
  if (!RELEASE_STATE_TABLE[state].final)
    throw new OpalineError('ACTION_NOT_OFFERED', `${name} is ${state}; withdraw or cancel it before you correct it.`);
  const known = new Set(earlier.map(partitionPath));
  const named = new Set(partitions.map(partitionPath));
  const stranger = partitions.find((partition) => !known.has(partitionPath(partition)));
  if (partitions.length === 0 || stranger)
    throw new OpalineError(
      'USAGE',
      `Name partitions of ${name}; ${stranger ? partitionPath(stranger) : 'none'} is not one.`,
    );
  const missing = earlier.find((one) => one.state !== 'drawn' && !named.has(partitionPath(one)));
  if (missing)
    throw new OpalineError(
      'USAGE',
      `${partitionPath(missing)} was never drawn in ${name}, so it cannot be carried over; name it too.`,
    );
  await requireWholeScopes(client, { ...release, seriesDigest }, partitions);
  const { series, window } = release;
  const version = await nextVersion(client, release);
  const input: ReleaseInput = {
    series,
    window,
    version,
    seriesDigest,
    correction: { of: release.version, partitions, reason },
  };
  await client.start(input);
  return { series, window, version };
}

/** Refuses to redraw a part of what is drawn together: the rest would be of another choice of each card's taps (C2). */
async function requireWholeScopes(client: OpalineClient, run: Run, partitions: Partition[]): Promise<void> {
  const series = await readSeries(client.releaseStore, run);
  const named = new Set(partitions.map(partitionPath));
  const scopes = drawnTogether(series, windowDays(series, run.window), partitions);
  const absent = scopes.find((partition) => !named.has(partitionPath(partition)));
  if (!absent) return;
  throw new OpalineError(
    'USAGE',
    `Under the unit ${series.privacy.unit} ${partitionPath(absent)} is drawn together with what you named; name it too.`,
  );
}

async function nextVersion(client: OpalineClient, { series, window }: ReleaseReference): Promise<number> {
  const versions = (await client.list())
    .filter((one) => one.series === series && one.window === window)
    .map(({ version }) => version);
  return Math.max(...versions, 0) + 1;
}
