import { OpalineError } from '../contracts/errors.ts';
import { readBoundedFile } from '../services/files/bounded-file.ts';
import { readOrder, type SignedOrder } from '../services/orders/orders.ts';

const MOST_BYTES = 16 * 2 ** 20;

/** The order in a file that a person named; null when none was named. Throws USAGE, SIGNATURE_INVALID. */
export async function readOrderFile(path: string | undefined): Promise<SignedOrder | null> {
  if (path === undefined) return null;
  const { bytes } = await readBoundedFile(path, MOST_BYTES);
  if (bytes) return readOrder(bytes);
  throw new OpalineError('USAGE', `The order ${path} cannot be read; \`opaline order\` makes one.`);
}
