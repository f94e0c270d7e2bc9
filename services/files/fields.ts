import { isRecord } from '../../contracts/passkey.ts';
import type { FieldPath } from '../../contracts/series-issue.ts';

/** Has a file that was read a value at the path? */
export function has(value: unknown, path: FieldPath): boolean {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at) && typeof step === 'number') at = at[step];
    else if (isRecord(at) && Object.hasOwn(at, String(step))) at = at[String(step)];
    else return false;
  }
  return at !== undefined;
}
