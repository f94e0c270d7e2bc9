import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that a process gets to stop by itself before it is killed. */
const STOP_MS = 15_000;

/** Pause before a process that died is started again, so that one that cannot start does not spin. */
const RESTART_MS = 1_000;

/** A process of the embedded stack, with its output in a log file; stopped by its own id and no other. */
export type ChildProcess = Awaited<ReturnType<typeof startProcess>>;

/** Starts one; `environment` is added to that of this process. */
export async function startProcess(
  command: string,
  options: readonly string[],
  logFile: string,
  environment: Record<string, string> = {},
) {
  const log = await open(logFile, 'a', 0o600);
  // A process group of its own: Ctrl-C reaches the parent alone, which then stops its children in order.
  const child = spawn(command, options, {
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
    detached: true,
    env: { ...process.env, ...environment },
  });
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  /** When it has ended, for whatever reason. */
  const whenEnded = once(child, 'exit').then(end, end);
  await log.close(); // the process has its own
  return {
    pid: child.pid,
    get ended() {
      return hasEnded;
    },
    whenEnded,
    /** Resolves to true when the process says that it is ready, to false when it ends first. */
    ready: (): Promise<boolean> =>
      new Promise((resolve) => {
        child.once('message', () => resolve(true));
        void whenEnded.then(() => resolve(false));
      }),
    /** Asks the process to stop, and kills it if it does not. */
    async stop(): Promise<void> {
      if (hasEnded) return;
      child.kill('SIGTERM');
      await Promise.race([whenEnded, delay(STOP_MS, null, { ref: false })]);
      if (!hasEnded) child.kill('SIGKILL');
      await whenEnded;
    },
  };
}

/**
 * A process that is started again whenever it ends, until it is stopped, as an orchestrator would. `begin` starts the
 * process and resolves when it is ready; it leaves none behind when it throws.
 */
export function keepProcess(begin: () => Promise<ChildProcess>) {
  let child: ChildProcess | null = null;
  let isStopping = false;
  /** Throws what `begin` throws at the first start; later ones are tried again, and the log of the process says why. */
  async function start(): Promise<void> {
    const own = await begin();
    child = own;
    if (isStopping) return own.stop();
    void own.whenEnded.then(again);
  }
  async function again(): Promise<void> {
    await delay(RESTART_MS);
    if (!isStopping) await start().catch(again);
  }
  return {
    pid: () => child?.pid,
    start,
    async stop(): Promise<void> {
      isStopping = true;
      await child?.stop();
    },
  };
}
