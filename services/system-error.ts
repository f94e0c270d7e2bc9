/** The code of an error of the system, such as ENOENT; undefined for every other error. */
export function systemCode(error: unknown): string | undefined {
  // Streams fail with codes too (ERR_STREAM_PREMATURE_CLOSE): only the system's have a number beside them.
  if (!(error instanceof Error) || !('code' in error) || !('errno' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Is it an error of the system with one of these codes? */
export const hasCode = (error: unknown, ...codes: string[]): boolean => codes.includes(systemCode(error) ?? '');

/** For a `catch`: a value instead of an error of the system with one of these codes; others are thrown on. */
export const valueOn =
  <const Value>(value: Value, ...codes: string[]) =>
  (error: unknown): Value => {
    if (hasCode(error, ...codes)) return value;
    throw error;
  };
