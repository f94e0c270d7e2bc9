import { GracefulShutdownPeriodExpiredError, NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { TemporalConfiguration } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { connectionOptions } from './temporal-connection.ts';

/** Time that activities get to finish when the worker is told to stop; afterwards another worker repeats them. */
const SHUTDOWN_GRACE = '2 seconds';

/** Then the worker goes at once: an idle one would wait for its open polls, up to a minute. */
const SHUTDOWN_FORCE = '3 seconds';

/**
 * Runs a worker until it is told to stop. Tells the embedding parent, if there is one, when it is ready: when it polls,
 * and what has to be settled with the server then is settled; a failure of that ends the worker.
 */
export async function runWorker(
  temporal: TemporalConfiguration,
  options: Omit<WorkerOptions, 'connection' | 'namespace' | 'shutdownGraceTime' | 'shutdownForceTime'>,
  log: Logger,
  watch: (worker: Worker, connection: NativeConnection) => void,
  oncePolling: (connection: NativeConnection) => Promise<void> = async () => {},
): Promise<void> {
  const connection = await connect(temporal);
  try {
    const worker = await Worker.create({
      ...options,
      connection,
      namespace: temporal.namespace,
      shutdownGraceTime: SHUTDOWN_GRACE,
      shutdownForceTime: SHUTDOWN_FORCE,
    });
    process.once('disconnect', () => worker.shutdown()); // the embedding parent has died: no orphan keeps polling
    watch(worker, connection);
    const running = worker.run();
    const failures: unknown[] = [];
    const ready = () => {
      log.info({ taskQueue: options.taskQueue }, 'worker is ready');
      process.send?.('ready');
    };
    void oncePolling(connection).then(ready, (error: unknown) => {
      failures.push(error);
      if (worker.getState() === 'RUNNING') worker.shutdown();
    });
    await running.catch((error: unknown) => {
      if (!(error instanceof GracefulShutdownPeriodExpiredError)) throw error;
    });
    if (failures.length > 0) throw failures[0];
  } finally {
    await connection.close().catch(() => {}); // polls that were given up may still hold it; the process ends now
  }
  process.disconnect?.(); // an open channel to the parent would keep this process alive
  log.info('worker has stopped');
}

async function connect(temporal: TemporalConfiguration): Promise<NativeConnection> {
  const options = await connectionOptions(temporal);
  try {
    // Payloads are references of some hundred bytes: to compress them costs more than it saves (docs/adr/0042).
    return await NativeConnection.connect({ ...options, grpcCompression: { codec: 'none' } });
  } catch {
    throw new OpalineError(
      'SERVER_UNAVAILABLE',
      `Temporal does not answer at ${temporal.address}; start it, or correct the address${temporal.tls ? ' or tls' : ''}.`,
    );
  }
}
