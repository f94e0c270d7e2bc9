import { DefaultLogger, Runtime } from '@temporalio/worker';
import { type Logger, pino } from 'pino';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/**
 * The log of a worker: JSON lines on standard output, Temporal's own among them. Only fixed texts and public names are
 * logged; errors of others never are (see activities/guard.ts).
 */
export function installLogger(side: 'private' | 'public'): Logger {
  const log = pino({ base: { side }, timestamp: pino.stdTimeFunctions.isoTime });
  const temporal = new DefaultLogger('WARN', ({ level, message, meta }) => {
    // The metadata of an activity failure holds the error itself: keep the names, leave the rest.
    const { workflowId, activityType, attempt } = meta ?? {};
    log[LEVELS[level]]({ workflowId, activityType, attempt }, message);
  });
  Runtime.install({ logger: temporal, shutdownSignals: ['SIGINT', 'SIGTERM'] });
  return log;
}
