import { readFile } from 'node:fs/promises';
import { OpalineError } from '../contracts/errors.ts';

/** Reads a private key that a person named. Throws KEY_INVALID. */
export async function readKey(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new OpalineError('KEY_INVALID', `The key file ${path} cannot be read; \`opaline keygen\` makes one.`);
  }
}
