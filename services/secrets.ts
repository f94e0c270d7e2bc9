import { readFile } from 'node:fs/promises';
import { OpalineError } from '../contracts/errors.ts';
import type { Secret } from '../contracts/secret.ts';

/**
 * A secret that a deployment file names and does not hold: of the environment, or the text of a file without its line
 * end. Throws CONFIGURATION_INVALID when it is not there or empty; the message names the field alone.
 */
export async function readSecret(secret: Secret, field: string): Promise<string> {
  const text = 'env' in secret ? process.env[secret.env] : await readFile(secret.file, 'utf8').catch(() => undefined);
  const content = text?.replace(/\r?\n$/, '');
  if (content) return content;
  const place = 'env' in secret ? `the environment variable ${secret.env}` : 'its file';
  throw new OpalineError(
    'CONFIGURATION_INVALID',
    `The deployment file names a secret in ${field}, and ${place} has none.`,
  );
}
