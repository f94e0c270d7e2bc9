import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OpalineError } from '../../contracts/errors.ts';
import { ChildProcess } from './child-process.ts';
import { type Deployments, type EmbeddedFiles, embeddedFiles, writeDeployments } from './embedded-files.ts';
import { freeLock, recordServer, takeLock } from './stack-lock.ts';
import { startTemporalServer } from './temporal-server.ts';

/** Pause before a worker that died is started again, so that a worker that cannot start does not spin. */
const RESTART_MS = 1_000;

/** A running embedded stack: Temporal, the private worker and the public worker. */
export type Stack = {
  files: EmbeddedFiles;
  address: string;
  /** Process ids of the workers now, for those who test what their death does. */
  workers(): Record<'private' | 'public', number | undefined>;
  stop(): Promise<void>;
};

/**
 * Starts the embedded stack below a folder, or throws when one is running there. Workers that die are started again,
 * as an orchestrator would; the state lies in the folder, so the next start goes on where this one was.
 */
export async function startStack(options: {
  root: string;
  temporalCli: string;
  deployments: Deployments;
}): Promise<Stack> {
  const files = embeddedFiles(options.root);
  await mkdir(files.logs, { recursive: true, mode: 0o700 });
  await takeLock(files.lock);
  const server = await startTemporalServer(options.temporalCli, files.database, files.log('temporal'));
  await recordServer(files.lock, server);
  await writeDeployments(files, options.deployments, server.address);
  const workers = { private: new KeptWorker('private', files), public: new KeptWorker('public', files) };
  const stop = async () => {
    await Promise.all([workers.private.stop(), workers.public.stop()]);
    await server.process.stop();
    await freeLock(files.lock);
  };
  try {
    await Promise.all([workers.private.start(), workers.public.start()]);
  } catch (error) {
    await stop();
    throw error;
  }
  const pids = () => ({ private: workers.private.pid, public: workers.public.pid });
  return { files, address: server.address, workers: pids, stop };
}

/** A worker process that is kept running until it is told to stop. */
class KeptWorker {
  private readonly side: 'private' | 'public';
  private readonly files: EmbeddedFiles;
  private child: ChildProcess | null = null;
  private stopping = false;

  constructor(side: 'private' | 'public', files: EmbeddedFiles) {
    this.side = side;
    this.files = files;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  async start(): Promise<void> {
    const entry = fileURLToPath(new URL(`../${this.side}.ts`, import.meta.url));
    const logFile = this.files.log(this.side);
    this.child = await ChildProcess.start(process.execPath, [entry, this.files.deployment(this.side)], logFile);
    const ready = await this.child.ready();
    if (!ready) throw new OpalineError('SETUP_FAILED', `The ${this.side} worker did not start; its log is ${logFile}.`);
    void this.child.whenEnded().then(() => this.restart());
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.child?.stop();
  }

  private async restart(): Promise<void> {
    while (!this.stopping) {
      await delay(RESTART_MS);
      if (this.stopping) return;
      try {
        return await this.start();
      } catch {
        // It did not come up: try again after the pause, its log says why.
      }
    }
  }
}
