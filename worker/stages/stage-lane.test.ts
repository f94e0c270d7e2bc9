import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CancelledFailure } from '@temporalio/common';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { type LaneOptions, StageLane } from './stage-lane.ts';

const lanes: StageLane[] = [];
const lines: string[] = [];
let sweeps = 0;

async function lane(options: Partial<LaneOptions> = {}): Promise<StageLane> {
  const one = new StageLane({
    entry: new URL('./stages.fixture.ts', import.meta.url),
    deployment: 'none',
    limits: { memoryMiB: 1000, minutes: 5 },
    niceness: 0,
    processes: 1,
    places: 1,
    idleMs: 60_000,
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    sweep: async () => {
      sweeps += 1;
    },
    ...options,
  });
  lanes.push(one);
  await one.open();
  return one;
}

afterEach(async () => {
  await Promise.all(lanes.splice(0).map((one) => one.close()));
  lines.length = 0;
});

let works = 0;
function run(one: StageLane, activity: string, input: unknown = null, signal = new AbortController().signal) {
  works += 1;
  return one.run({ name: `work ${works}`, activity, input, signal });
}

async function ends(pid: number): Promise<boolean> {
  for (let waited = 0; waited < 50; waited += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await delay(100);
  }
  return false;
}

test('runs activities in one long-lived process, which is not this one', async () => {
  const one = await lane();
  expect(await run(one, 'echo', { mode: 'bus', day: '2026-03-02' })).toEqual({ mode: 'bus', day: '2026-03-02' });
  const [first, second] = [await run(one, 'pid'), await run(one, 'pid')];
  expect(first).toBe(second);
  expect(first).not.toBe(process.pid);
  expect(await run(one, 'wait', 1)).toBeUndefined();
});

test('a process of work that can wait lets others go first', async () => {
  const pid = (await run(await lane({ niceness: 19 }), 'pid')) as number;
  expect(getPriority(pid)).toBe(19);
});

test('a process without work ends after a while, in silence, and the next work starts another', async () => {
  const one = await lane({ idleMs: 300, processes: 2 });
  const first = (await run(one, 'pid')) as number;
  // Work that takes longer than that does not end it.
  const waiting = run(one, 'wait', 1);
  await waiting;
  expect(one.pids()).toContain(first);
  expect(await ends(first)).toBe(true);
  await delay(100);
  expect(one.pids()).toEqual([]);
  expect(lines).toEqual([]);
  const second = await run(one, 'pid');
  expect(second).not.toBe(first);
  expect(one.pids()).toEqual([second]);
});

test('a failure keeps its code and its public words; the text of any other stays where it was', async () => {
  const one = await lane();
  await expect(run(one, 'refuse')).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', message: 'public words' });
  const broken = await run(one, 'break').catch((error: unknown) => error);
  expect(broken).toMatchObject({ code: 'UNEXPECTED', message: expect.stringContaining('an-id') });
  expect(String(broken)).not.toContain('private');
});

test('this process answers while a stage computes without a pause', async () => {
  const one = await lane();
  const spun = run(one, 'spin', 1500);
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 20);
  await spun;
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(20);
});

test('a cancelled stage that computes without a pause frees its turn at once', async () => {
  const one = await lane();
  const cancel = new AbortController();
  const cancelled = run(one, 'spin', 60_000, cancel.signal);
  const pid = one.pids()[0]!;
  await delay(300);
  const begin = performance.now();
  cancel.abort();
  await expect(cancelled).rejects.toThrow(CancelledFailure);
  expect(performance.now() - begin).toBeLessThan(5000);
  expect(await ends(pid)).toBe(true);
  expect(await run(one, 'echo', 'the next turn')).toBe('the next turn');
  expect(sweeps).toBeGreaterThan(0);
});

test('work that is cancelled while it waits leaves the queue, and is never begun', async () => {
  const one = await lane();
  const first = run(one, 'wait', 500);
  const cancel = new AbortController();
  const second = run(one, 'die', null, cancel.signal);
  const third = run(one, 'echo', 3);
  cancel.abort();
  await expect(second).rejects.toThrow(CancelledFailure);
  await first;
  expect(await third).toBe(3);
});

test('a process that takes too much memory is ended, and the log says why', async () => {
  const one = await lane({ limits: { memoryMiB: 300, minutes: 5 } });
  await expect(run(one, 'fill', 600)).rejects.toMatchObject({ code: 'PROCESS_ENDED' });
  expect(lines.join()).toContain('more than 300 MiB');
  expect(await run(one, 'echo', 1)).toBe(1);
});

test('an activity that takes too long is ended, and the log says why', async () => {
  const one = await lane({ limits: { memoryMiB: 1000, minutes: 0.01 } });
  await expect(run(one, 'spin', 60_000)).rejects.toMatchObject({ code: 'PROCESS_ENDED' });
  expect(lines.join()).toContain('spin took more than 0.01 minutes');
});

test('of work that shared a process with what killed it, each has a process alone the next time', async () => {
  const one = await lane({ places: 4 });
  const shared = ['die', 'wait', 'wait'].map((activity, index) =>
    one.run({ name: `work ${index}`, activity, input: 2000, signal: new AbortController().signal }),
  );
  for (const work of shared) await expect(work).rejects.toMatchObject({ code: 'PROCESS_ENDED' });
  const again = ['die', 'echo', 'echo'].map((activity, index) =>
    one.run({ name: `work ${index}`, activity, input: index, signal: new AbortController().signal }),
  );
  const ended = await Promise.allSettled(again);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('work is spread over so many processes, and what is more waits', async () => {
  const one = await lane({ processes: 2, places: 2 });
  const begin = performance.now();
  await Promise.all(Array.from({ length: 6 }, () => run(one, 'wait', 300)));
  expect(performance.now() - begin).toBeGreaterThan(590);
  expect(new Set(await Promise.all(Array.from({ length: 4 }, () => run(one, 'pid')))).size).toBe(2);
});

test('a process that does not come up is told', async () => {
  await expect(lane({ entry: new URL('./no-such-file.ts', import.meta.url) })).rejects.toMatchObject({
    code: 'SETUP_FAILED',
  });
});

test.each(['spin', 'block'])(
  'a process whose worker was killed ends by itself, also while it has work: %s',
  async (work) => {
    const pipe = join(newFolder(), 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const worker = fileURLToPath(new URL('./orphan.fixture.ts', import.meta.url));
    const parent = fork(worker, [work, work === 'block' ? pipe : '60000']);
    const [pid] = (await once(parent, 'message')) as [number];
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(await ends(pid)).toBe(true);
  },
);
