import { z } from 'zod';

/**
 * A secret that a configuration names and does not hold: an environment variable has it, or a file with nothing else. It
 * is read again whenever it is used, so that a new one in the file acts at once.
 */
export const secret = z.union([
  z.strictObject({ env: z.string().min(1) }),
  z.strictObject({ file: z.string().min(1) }),
]);

export type Secret = z.output<typeof secret>;
