import type { Logger } from 'pino';
import { ERRORS, EXIT, OpalineError } from '../contracts/errors.ts';

/** Runs the body of a process and sets its exit code; a mistake of people is logged as one sentence, without a stack. */
export async function endProcess(log: Logger, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (error instanceof OpalineError) log.fatal({ code: error.code }, error.message);
    else log.fatal({ error: String(error) }, 'the process failed unexpectedly');
    process.exitCode = error instanceof OpalineError ? ERRORS[error.code].exit : EXIT.unexpected;
  }
}
