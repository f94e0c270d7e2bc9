import { readFile } from 'node:fs/promises';
import type { ZodType } from 'zod';
import { OpalineError } from '../contracts/errors.ts';

/** `env:NAME` instead of a path: the file is the value of a variable, as where containers have no files. */
const VARIABLE = /^env:(.+)$/;

/** Reads a deployment file through its schema. Its values may be credentials: a message names fields only. */
export async function readDeployment<T>(path: string | undefined, schema: ZodType<T>): Promise<T> {
  if (!path) throw new OpalineError('CONFIGURATION_INVALID', 'Name the deployment file as the first argument.');
  const outcome = schema.safeParse(await readJsonFile(path));
  if (outcome.success) return outcome.data;
  const fields = outcome.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  throw new OpalineError('CONFIGURATION_INVALID', `${path} has mistakes. ${fields.join('; ')}.`);
}

async function readJsonFile(path: string): Promise<unknown> {
  const [, variable] = VARIABLE.exec(path) ?? [];
  try {
    return JSON.parse(variable === undefined ? await readFile(path, 'utf8') : process.env[variable]!);
  } catch {
    throw new OpalineError('CONFIGURATION_INVALID', `${path} is not there or is no JSON; write the deployment file.`);
  }
}
