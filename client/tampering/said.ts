import { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';

/**
 * What a look at stored objects says is wrong with them, in a sentence, or null. A store that does not answer is no
 * tampering: that is thrown.
 */
export async function said(look: Promise<unknown>, unreadable: string): Promise<string | null> {
  try {
    await look;
    return null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return unreadable;
    if (error instanceof OpalineError && error.code !== 'STORE_UNAVAILABLE') return error.message;
    throw error;
  }
}
