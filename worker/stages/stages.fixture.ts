import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { OpalineError } from '../../contracts/errors.ts';
import { serveStages } from './serve-stages.ts';

/** A process that computes for the tests of lanes: activities that behave in every way that a stage can. */
const buffers: Buffer[] = [];

const activities: Record<string, (input: never) => Promise<unknown>> = {
  echo: async (input: unknown) => input,
  pid: async () => process.pid,
  wait: async (milliseconds: number) => void (await delay(milliseconds)),
  /** Computes without a pause, so that nothing else of the process is heard. */
  spin: async (milliseconds: number | string) => {
    const end = performance.now() + Number(milliseconds);
    while (performance.now() < end);
  },
  /** Waits in a thread that never comes back, as a library can: nobody writes to this pipe. */
  block: async (pipe: string) => void (await open(pipe)),
  fill: async (mebibytes: number) => {
    for (let i = 0; i < mebibytes; i += 1) buffers.push(Buffer.alloc(2 ** 20, 1));
    await delay(60_000);
  },
  refuse: async () => {
    throw new OpalineError('BUDGET_EXCEEDED', 'public words');
  },
  break: async () => {
    throw new Error('a private text');
  },
  die: async () => void process.kill(process.pid, 'SIGKILL'),
};

serveStages(
  (activity, input) => activities[activity]!(input as never),
  async () => 'an-id',
);
