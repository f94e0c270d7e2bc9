import type { Logger } from 'pino';
import { OpalineError } from '../../contracts/errors.ts';

/**
 * Repeats a task now and with a pause after each end, for as long as the process lives. What it throws is logged, by
 * code, and never ends the process.
 */
export function every(pauseMs: number, log: Logger, name: string, task: () => Promise<void>): void {
  const turn = async () => {
    try {
      await task();
    } catch (error) {
      log.warn(
        { code: error instanceof OpalineError ? error.code : 'UNEXPECTED', task: name },
        'a task of the worker failed; it is tried again',
      );
    }
    setTimeout(turn, pauseMs).unref();
  };
  void turn();
}
