import type { Backfill, ReleaseMoved } from '../contracts/backfill.ts';

/**
 * How a back-fill moves on: functions of the plain state that it carries from run to run, without Temporal.
 */

/** The next window to start now, or null: nothing is left, no slot is free, or the back-fill is not running. */
export function nextWindow(backfill: Backfill): string | null {
  if (backfill.state !== 'running' || atWork(backfill) >= backfill.atOnce) return null;
  return backfill.windows.find(({ state }) => state === 'to-do')?.window ?? null;
}

/** Releases that hold a slot. A release that comes to the gate, or waits for people otherwise, has freed its own. */
export const atWork = (backfill: Backfill): number => windowsAtWork(backfill).length;

/** True when the back-fill has nothing to do any more. A cancelled one does not wait for the releases at work. */
export const isOver = (backfill: Backfill): boolean =>
  backfill.state === 'cancelled' || backfill.windows.every(({ state }) => state !== 'to-do' && state !== 'running');

/** Notes that the release of a window was started, or was there before. */
export function markStarted(backfill: Backfill, window: string, started: boolean): void {
  const entry = backfill.windows.find((one) => one.window === window);
  // A quick release may have told where it stands before its start came back.
  if (entry?.state === 'to-do') entry.state = started ? 'running' : 'started-before';
}

/** Windows whose releases hold a slot. */
export const windowsAtWork = ({ windows }: Backfill): string[] =>
  windows.filter(({ state }) => state === 'running').map(({ window }) => window);

/** Notes that the release of a window is no more, unless it has told where it stands meanwhile. Its slot is free. */
export function markEndedOutside(backfill: Backfill, window: string): void {
  const entry = backfill.windows.find((one) => one.window === window);
  if (entry?.state === 'running') entry.state = 'ended-outside';
}

/** Notes where a release stands; what concerns no window of this back-fill is left alone. */
export function markMoved(backfill: Backfill, { window, state }: ReleaseMoved): void {
  const entry = backfill.windows.find((one) => one.window === window);
  if (entry) entry.state = state;
}
