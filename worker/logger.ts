import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Logger, pino } from 'pino';
import type { Diagnose } from '../services/failure.ts';

/**
 * The log of a worker: JSON lines on standard output, each with side, host and process. Only fixed texts and public
 * names are logged; errors of others never are (see services/failure.ts). Lines are few, so each is written before the
 * worker goes on: one that is killed has logged what it did.
 */
export const createLogger = (side: 'private' | 'public'): Logger =>
  pino(
    { base: { side, host: hostname(), pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: true }),
  );

/** Keeps unexpected errors in the log of the process, under a random id. */
export const logErrors =
  (log: Logger): Diagnose =>
  async (activity, error) => {
    const id = randomUUID();
    log.error({ activity, diagnostics: id, error: String(error) }, 'an activity failed unexpectedly');
    return id;
  };
