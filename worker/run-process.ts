import type { Logger } from 'pino';
import type { ZodType } from 'zod';
import { ERRORS, EXIT, OpalineError } from '../contracts/errors.ts';
import { BUILD_ID_LENGTH } from '../contracts/names.ts';
import { readDeployment } from './deployment-file.ts';
import { createLogger } from './logger.ts';
import { buildDigest } from './source-digest.ts';

/**
 * Runs the body of a process of a side with its deployment file, and ends it with an exit code when the body fails; a
 * mistake of people is logged as one sentence, without a stack.
 */
export async function runProcess<Deployment>(
  side: 'private' | 'public',
  file: string | undefined,
  schema: ZodType<Deployment>,
  body: (deployment: Deployment, log: Logger) => Promise<void>,
): Promise<void> {
  let log = createLogger(side);
  try {
    const deployment = await readDeployment(file, schema);
    log = log.child({ build: buildDigest().slice(0, BUILD_ID_LENGTH) });
    await body(deployment, log);
  } catch (error) {
    if (error instanceof OpalineError) log.fatal({ code: error.code }, error.message);
    else log.fatal({ error: String(error) }, 'the process failed unexpectedly');
    // Temporal's native runtime, once it serves metrics or forwards its log, would keep the process alive for ever.
    process.exit(error instanceof OpalineError ? ERRORS[error.code].exit : EXIT.unexpected);
  }
}
