import { wrongUse } from '../contracts/errors.ts';
import type { CommandResult } from '../kinds/kind-command.ts';
import { readBoundedFile } from '../services/files/bounded-file.ts';
import { writeNewFile } from '../services/files/new-file.ts';
import { type OrderDraft, readOrder, type SignedOrder, signOrder } from '../services/orders/orders.ts';
import { type KeyOptions, readKey } from './key-options.ts';

/** A year of charges takes a tenth of it. */
const MOST_BYTES = 16 * 2 ** 20;

/** The option for the file of an order that is made. */
export const ORDER_FILE = ['--out <file>', 'new file for the order; whoever starts the release hands it over'] as const;

/** The order in a file that a person named; null when none was named. Throws USAGE, SIGNATURE_INVALID. */
export const readOrderFile = async (path: string | undefined): Promise<SignedOrder | null> =>
  path === undefined ? null : readOrder(await readWhole(path, '`opaline order` makes an order'));

/** The bytes of an order, or of what is to be in one. Throws USAGE. */
export async function readWhole(path: string, hint: string): Promise<Buffer> {
  const { bytes } = await readBoundedFile(path, MOST_BYTES);
  if (bytes) return bytes;
  throw wrongUse(`${path} cannot be read; ${hint}.`);
}

/** Signs an order with a key of the policy and writes it to its new file. */
export async function writeOrder(
  draft: OrderDraft,
  what: string,
  options: KeyOptions & { out: string },
): Promise<CommandResult> {
  const { bytes, order } = signOrder(draft, await readKey(options.key, options));
  await writeNewFile(options.out, bytes.toString('utf8'), 0o644);
  return { value: { order, file: options.out }, text: `Ordered ${what}: ${options.out}` };
}
