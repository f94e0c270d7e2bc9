import { setTimeout as delay } from 'node:timers/promises';
import type { OpalineClient } from '../client/opaline-client.ts';
import { EXIT } from '../contracts/errors.ts';
import type { ReleaseReference } from '../contracts/names.ts';
import { RELEASE_STATE_TABLE, type ReleaseState } from '../contracts/release-state.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { progressLine, releaseText } from './release-text.ts';
import { type OutputOptions, Progress, print } from './terminal.ts';

const POLL_MS = 300;

/** States in which a release goes on by itself. */
const MOVING: readonly ReleaseState[] = ['running', 'auditing', 'publishing'];

const moves = (status: ReleaseStatus): boolean => MOVING.includes(status.state);

/** Shows a release until it ends or waits for somebody. */
export async function watchRelease(
  client: OpalineClient,
  release: ReleaseReference,
  options: OutputOptions,
): Promise<ReleaseStatus> {
  const progress = new Progress(options);
  let status = await client.status(release);
  while (moves(status)) {
    progress.show(progressLine(status));
    await delay(POLL_MS);
    status = await client.status(release);
  }
  progress.show(progressLine(status));
  progress.end();
  return status;
}

/** Watches a release, prints where it stands in the end, and sets the exit code that belongs to it. */
export async function followRelease(
  client: OpalineClient,
  release: ReleaseReference,
  options: OutputOptions,
): Promise<void> {
  const status = await watchRelease(client, release, options);
  print(options, status, releaseText(status));
  process.exitCode = exitOf(status);
}

function exitOf({ state }: ReleaseStatus): number {
  if (state === 'published') return EXIT.done;
  if (state === 'failed') return EXIT.refused;
  return RELEASE_STATE_TABLE[state].final ? EXIT.refused : EXIT.waiting;
}
