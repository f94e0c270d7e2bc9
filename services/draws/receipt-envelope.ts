import { z } from 'zod';
import { envelopeSchema } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { readDocument } from '../signing/signed-document.ts';

type Schema<T> = Parameters<typeof readDocument<T>>[1];

/** A receipt and the envelope that it was signed in; null for bytes that are none. `what` is what it is called. */
export function parseReceipt<T>(bytes: Buffer, schema: Schema<T>, what: string) {
  try {
    const envelope = envelopeSchema.parse(JSON.parse(bytes.toString('utf8')));
    return { envelope, receipt: readDocument(envelope, schema, what) };
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError || error instanceof OpalineError) return null;
    throw error;
  }
}
