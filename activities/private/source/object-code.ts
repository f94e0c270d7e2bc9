import { type ErrorCode, OpalineError } from '../../../contracts/errors.ts';

/** Codes that are facts of one object (C6); any other error stops the activity. */
const OBJECT_CODES: readonly ErrorCode[] = ['OBJECT_MISSING', 'OBJECT_UNREADABLE', 'OBJECT_CHANGED', 'OBJECT_SCHEMA'];

/** The code of a fault of one object; throws on every other error. */
export function objectCode(error: unknown): ErrorCode {
  if (error instanceof OpalineError && OBJECT_CODES.includes(error.code)) return error.code;
  throw error;
}
