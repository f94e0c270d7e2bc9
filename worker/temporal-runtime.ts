import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { OpalineError } from '../contracts/errors.ts';
import { metricsOptions } from './observe/metrics.ts';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/**
 * Sets up Temporal's SDK: its log lines go among ours, its metrics and ours to one address, if there is one. Throws
 * CONFIGURATION_INVALID when the address cannot be listened on.
 */
export function installRuntime(log: Logger, metricsAddress: string | undefined): void {
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    // The metadata of an activity failure holds the error itself: keep the names, leave the rest.
    const { sdkComponent, workflowId, activityType, attempt, release, state, stage } = meta ?? {};
    if (sdkComponent === 'workflow') log[LEVELS[level]]({ workflowId, release, state, stage }, message);
    else if (level === 'WARN' || level === 'ERROR') log[LEVELS[level]]({ workflowId, activityType, attempt }, message);
  });
  try {
    Runtime.install({
      logger,
      shutdownSignals: ['SIGINT', 'SIGTERM'],
      telemetryOptions: {
        // Lines of the SDK's native part go through the logger too, or they would appear in the log as they are.
        logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
        ...(metricsAddress && metricsOptions(metricsAddress)),
      },
    });
  } catch (error) {
    if (!metricsAddress) throw error;
    throw new OpalineError(
      'CONFIGURATION_INVALID',
      `The worker cannot listen on ${metricsAddress} (observe.metrics); another process may have the port: take another.`,
    );
  }
}
