import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { watchEventLoop } from './observe.ts';

/** Computes for so much processor time of this thread. */
function compute(milliseconds: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1000 >= milliseconds) return;
  }
}

test('a thread that computes without a pause is reported and logged; one that waits is not', async () => {
  const lines: string[] = [];
  const reported: number[] = [];
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    watchEventLoop(
      pino({}, { write: (line: string) => void lines.push(line) }),
      (seconds) => void reported.push(seconds),
    );
    await delay(300);
    vi.advanceTimersByTime(10_000);
    expect(lines).toEqual([]);
    compute(300);
    vi.advanceTimersByTime(10_000);
    expect(lines.join()).toContain('the event loop was blocked');
    expect(reported[1]).toBeGreaterThan(0.3);
    expect(reported[0]).toBeLessThan(0.2);
  } finally {
    vi.useRealTimers();
  }
});
