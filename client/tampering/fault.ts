import { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';

/** What a check finds wrong with stored objects, in a sentence; null: nothing. A store that does not answer is thrown. */
export async function faultOf(what: string, check: () => Promise<unknown>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      return `${what} cannot be read: somebody planted or changed it.`;
    if (error instanceof OpalineError && error.code !== 'STORE_UNAVAILABLE') return error.message;
    throw error;
  }
}
