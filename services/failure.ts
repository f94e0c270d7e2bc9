import { OpalineError } from '../contracts/errors.ts';
import type { Failure } from '../contracts/stages.ts';

/** Keeps what an error says for the people of one side; gives the id under which they find it. */
export type Diagnose = (activity: string, error: unknown) => Promise<string>;

/**
 * The public words of an error. One that is not ours may quote data (DuckDB quotes rows), so its text goes to `diagnose`
 * and only the id of what is kept is reported.
 */
export async function publicFailure(activity: string, error: unknown, diagnose: Diagnose): Promise<Failure> {
  if (error instanceof OpalineError) return { code: error.code, message: error.message };
  const id = await diagnose(activity, error);
  return {
    code: 'UNEXPECTED',
    message: `Something unexpected happened in ${activity}; the details are in the diagnostics under ${id}.`,
  };
}
