import { GracefulShutdownPeriodExpiredError, NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { OpalineError } from '../contracts/errors.ts';

/** Time that activities get to finish when the worker is told to stop; afterwards another worker repeats them. */
const SHUTDOWN_GRACE = '2 seconds';

/** Then the worker goes at once: an idle one would wait for its open polls, up to a minute. */
const SHUTDOWN_FORCE = '3 seconds';

/** Runs a worker until it is told to stop. Tells the embedding parent, if there is one, when it is ready. */
export async function runWorker(
  temporal: { address: string; namespace: string },
  options: Omit<WorkerOptions, 'connection' | 'namespace' | 'shutdownGraceTime' | 'shutdownForceTime'>,
  log: Logger,
): Promise<void> {
  const connection = await connect(temporal.address);
  try {
    const worker = await Worker.create({
      ...options,
      connection,
      namespace: temporal.namespace,
      shutdownGraceTime: SHUTDOWN_GRACE,
      shutdownForceTime: SHUTDOWN_FORCE,
    });
    log.info({ taskQueue: options.taskQueue }, 'worker is ready');
    process.send?.('ready');
    process.once('disconnect', () => worker.shutdown()); // the embedding parent has died: no orphan keeps polling
    await worker.run().catch((error: unknown) => {
      if (!(error instanceof GracefulShutdownPeriodExpiredError)) throw error;
    });
  } finally {
    await connection.close().catch(() => {}); // polls that were given up may still hold it; the process ends now
  }
  process.disconnect?.(); // an open channel to the parent would keep this process alive
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
