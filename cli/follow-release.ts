import { setTimeout as delay } from 'node:timers/promises';
import type { OpalineClient } from '../client/opaline-client.ts';
import { ERRORS, EXIT } from '../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../contracts/names.ts';
import { RELEASE_STATE_TABLE, type ReleaseState } from '../contracts/release-state.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import type { Interruption } from './interruption.ts';
import { releasePage } from './release-overview.ts';
import { progressLine, progressStep } from './release-text.ts';
import { type OutputOptions, print, progressOf, say } from './terminal.ts';

const POLL_MS = 300;

/** States in which a release goes on by itself. */
const MOVING: readonly ReleaseState[] = ['running', 'auditing', 'publishing'];

/** Shows a release until it ends or waits for somebody, or until nobody watches any more. */
export async function watchRelease(
  client: OpalineClient,
  release: ReleaseReference,
  options: OutputOptions,
  isOver: () => boolean = () => false,
): Promise<ReleaseStatus> {
  const progress = progressOf(options);
  try {
    for (;;) {
      const status = await client.status(release);
      if (isOver()) return status;
      progress.show(progressStep(status), progressLine(status));
      if (!MOVING.includes(status.state)) return status;
      await delay(POLL_MS);
    }
  } finally {
    progress.end();
  }
}

/**
 * Watches a release, prints its state in the end, and sets the exit code that belongs to it. An interruption
 * ends the watching only: the release goes on. `heading` comes before its state.
 */
export async function followRelease(
  client: OpalineClient,
  release: ReleaseReference,
  options: OutputOptions,
  signal: Interruption,
  heading: (status: ReleaseStatus) => string | null = () => null,
): Promise<void> {
  const watch = watchRelease(client, release, options, signal.happened).then(async (status) => {
    const { text } = await releasePage(client, status);
    if (signal.happened()) return;
    const head = heading(status);
    print(options, status, head === null ? text : `${head}\n\n${text}`);
    process.exitCode = exitOf(status);
  });
  // Whoever interrupts does not wait for an answer that may never come; a late failure of it is nobody's concern.
  watch.catch(() => undefined);
  await signal.during(watch);
  if (!signal.happened()) return;
  const name = releasePath(release);
  process.exitCode = EXIT.interrupted;
  say(`\nInterrupted. The release goes on; \`opaline show ${name}\` says where it is.\n`);
}

/** Published is done, what can go on waits, and the rest was refused: by people, or by the policy that its code names. */
export function exitOf({ state, ending }: Pick<ReleaseStatus, 'state' | 'ending'>): number {
  if (state === 'published') return EXIT.done;
  if (state === 'failed') return ending ? ERRORS[ending.code].exit : EXIT.unexpected;
  return RELEASE_STATE_TABLE[state].final ? EXIT.refused : EXIT.waiting;
}
