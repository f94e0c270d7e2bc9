import type { Logger } from 'pino';
import { ERRORS, EXIT, OpalineError } from '../contracts/errors.ts';

/**
 * Runs the body of a process, and ends it with an exit code when the body fails; a mistake of people is logged as one
 * sentence, without a stack.
 */
export async function endProcess(log: Logger, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (error instanceof OpalineError) log.fatal({ code: error.code }, error.message);
    else log.fatal({ error: String(error) }, 'the process failed unexpectedly');
    // Temporal's native runtime, once it serves metrics or forwards its log, would keep the process alive for ever.
    process.exit(error instanceof OpalineError ? ERRORS[error.code].exit : EXIT.unexpected);
  }
}
