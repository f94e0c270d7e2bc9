import type { Logger } from 'pino';

/** A longer block of the process that serves Temporal is a defect: heartbeats and answers would wait for it. */
const LONGEST_MS = 200;

/** Milliseconds between two samples. */
const SAMPLE_MS = 20;

/** Milliseconds after which the longest block of the last while is told. */
const LOOK_MS = 10_000;

/**
 * Watches the event loop of this thread from now on: tells the longest block of each ten seconds, in seconds, and
 * writes a line for one that is too long. A block is the processor time that the thread used between two samples, so
 * that a machine on which others compute does not look like a thread that computes.
 */
export function watchEventLoop(log: Logger, tell: (longestSeconds: number) => void): void {
  let longest = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  }, SAMPLE_MS).unref();
  setInterval(() => {
    tell(longest / 1000);
    if (longest > LONGEST_MS) log.warn({ milliseconds: Math.round(longest) }, 'the event loop was blocked');
    longest = 0;
  }, LOOK_MS).unref();
}
