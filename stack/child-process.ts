import { type ChildProcess as NodeChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that a process gets to stop by itself before it is killed. */
const STOP_MS = 15_000;

/** A process of the embedded stack, with its output in a log file; stopped by its own id and no other. */
export class ChildProcess {
  readonly logFile: string;
  ended = false;
  private readonly child: NodeChildProcess;
  private readonly exit: Promise<void>;

  private constructor(child: NodeChildProcess, log: FileHandle, logFile: string) {
    this.child = child;
    this.logFile = logFile;
    this.exit = new Promise((resolve) => {
      const end = () => {
        this.ended = true;
        void log.close().then(resolve, resolve);
      };
      child.once('exit', end);
      child.once('error', end);
    });
  }

  /** `environment` is added to that of this process. */
  static async start(
    command: string,
    options: readonly string[],
    logFile: string,
    environment: Record<string, string> = {},
  ): Promise<ChildProcess> {
    const log = await open(logFile, 'a', 0o600);
    // A process group of its own: Ctrl-C reaches the parent alone, which then stops its children in order.
    const child = spawn(command, options, {
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      detached: true,
      env: { ...process.env, ...environment },
    });
    return new ChildProcess(child, log, logFile);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Resolves to true when the process says that it is ready, to false when it ends first. */
  ready(): Promise<boolean> {
    return new Promise((resolve) => {
      this.child.once('message', () => resolve(true));
      void this.exit.then(() => resolve(false));
    });
  }

  /** Resolves when the process has ended, for whatever reason. */
  whenEnded(): Promise<void> {
    return this.exit;
  }

  /** Asks the process to stop, and kills it if it does not. */
  async stop(): Promise<void> {
    if (this.ended) return;
    this.child.kill('SIGTERM');
    const stopped = await Promise.race([this.exit.then(() => true), delay(STOP_MS, false, { ref: false })]);
    if (!stopped) this.child.kill('SIGKILL');
    await this.exit;
  }
}
