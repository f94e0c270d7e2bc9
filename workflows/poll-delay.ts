const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Milliseconds until the next look at the source. It grows with the time that has passed, so that an object is noticed
 * within about a tenth of the time that it was late, or within a quarter of an hour (longer in waits of more than half a
 * day). A wait of any length takes at most 150 looks, so that its history stays short.
 */
export function pollDelay(elapsed: number, total: number): number {
  const shortest = Math.min(Math.max(total / 50, SECOND), MINUTE);
  const longest = Math.max(15 * MINUTE, total / 50);
  const delay = Math.min(Math.max(elapsed / 10, shortest), longest);
  return Math.max(Math.min(delay, total - elapsed), 1);
}
