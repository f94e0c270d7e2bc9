import { OpalineError } from '../../contracts/errors.ts';
import { jsonBytes } from './json-objects.ts';

/**
 * The bytes of a mutable object: the value with its generation. The generation makes the bytes of every swap differ,
 * so that an ETag, which repeats when content repeats, names one generation only.
 */
export const mutableBytes = (value: Record<string, unknown>, generation: number): Buffer =>
  jsonBytes({ ...value, generation });

/** Reads what mutableBytes wrote. Throws OBJECT_UNREADABLE when the object is not of that kind. */
export function parseMutable(bytes: Buffer): { generation: number; value: Record<string, unknown> } {
  const parsed = parseObject(bytes);
  const { generation, ...value } = parsed ?? {};
  if (typeof generation !== 'number' || !Number.isSafeInteger(generation) || generation < 1) {
    throw new OpalineError(
      'OBJECT_UNREADABLE',
      'An object that should be mutable is not JSON with a generation; it was not written by Opaline.',
    );
  }
  return { generation, value };
}

function parseObject(bytes: Buffer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}
