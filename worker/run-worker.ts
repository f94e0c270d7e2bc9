import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { OpalineError } from '../contracts/errors.ts';

/** Time that activities get to finish when the worker is told to stop; afterwards another worker repeats them. */
const SHUTDOWN_GRACE = '10 seconds';

/** Runs a worker until it is told to stop. Tells the embedding parent, if there is one, when it is ready. */
export async function runWorker(
  temporal: { address: string; namespace: string },
  options: Omit<WorkerOptions, 'connection' | 'namespace' | 'shutdownGraceTime'>,
  log: Logger,
): Promise<void> {
  const connection = await connect(temporal.address);
  try {
    const worker = await Worker.create({
      ...options,
      connection,
      namespace: temporal.namespace,
      shutdownGraceTime: SHUTDOWN_GRACE,
    });
    log.info({ taskQueue: options.taskQueue }, 'worker is ready');
    process.send?.('ready');
    process.once('disconnect', () => worker.shutdown()); // the embedding parent has died: no orphan keeps polling
    await worker.run();
  } finally {
    await connection.close();
  }
  log.info('worker has stopped');
}

async function connect(address: string): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect({ address });
  } catch {
    throw new OpalineError(
      'SERVER_UNAVAILABLE',
      `Temporal does not answer at ${address}; start it, or correct the address.`,
    );
  }
}
