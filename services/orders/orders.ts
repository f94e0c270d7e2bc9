import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { ORDER_FORMAT, type Order, orderSchema } from '../../contracts/formats/order.ts';
import { partitionPath, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { signDocument } from '../signing/signed-document.ts';
import { parseDocument, readDocuments } from '../signing/signed-objects.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';

type WithoutHead<One> = One extends Order ? Omit<One, 'format' | 'id'> : never;

/** What an order is about, before it is one. */
export type OrderDraft = WithoutHead<z.output<typeof orderSchema>>;

/** The bytes of a signed order, as people hand them on. */
export type SignedOrder = { bytes: Buffer; order: Order };

/** Signs an order. Throws KEY_INVALID. */
export function signOrder(draft: OrderDraft, privateKey: string, id = randomUUID() as string): SignedOrder {
  const order = orderSchema.parse({ format: ORDER_FORMAT, id, ...draft });
  return { bytes: jsonBytes(signDocument(order, privateKey)), order };
}

/** Reads what signOrder made. Whose key signed it, the private worker asks. Throws SIGNATURE_INVALID. */
export function readOrder(bytes: Buffer): SignedOrder {
  const object = parseDocument(bytes, orderSchema);
  if (object) return { bytes, order: object.document };
  throw new OpalineError('SIGNATURE_INVALID', 'The file is no signed order; `opaline order` makes one.');
}

const prefixOf = (order: OrderDraft): string =>
  'population' in order ? RELEASE_KEYS.ledgerOrders(order.population) : RELEASE_KEYS.orders(order.series);

/** Puts an order where the private worker looks for it; doing it again changes nothing. */
export async function putOrder(store: ObjectStore, { bytes, order }: SignedOrder): Promise<void> {
  await store.putIfAbsent(`${prefixOf(order)}${sha256(bytes)}.json`, bytes);
}

/** Does the order say just what is wanted, or, of the first version of a window, all windows about it? */
function says(order: Order, draft: OrderDraft): boolean {
  // Of the draft, the fields that an order of the kind has, and no others.
  const target = orderSchema.parse({ ...draft, format: order.format, id: order.id });
  if (canonicalJson(order) === canonicalJson(target)) return true;
  if (order.kind !== 'windows' || draft.kind !== 'version' || draft.version > 1 || draft.correction) return false;
  const isOfFile = order.series === draft.series && order.seriesDigest === draft.seriesDigest;
  return isOfFile && order.from <= draft.window && draft.window <= order.to;
}

/** Where series files and orders are put, and the key of the policy that signs them by itself; null: people sign. */
export type PolicyPlace = { releaseStore: ObjectStore; signingKey: string | null };

/**
 * The order that a start needs and that is not there yet: the one that is given, or one that the client's own key signs;
 * null: it is there. Changes nothing. Throws ORDER_MISSING that says which is needed, USAGE for an order of something
 * else, and KEY_INVALID.
 */
export async function requireOrder(
  { releaseStore, signingKey }: PolicyPlace,
  draft: OrderDraft,
  offer: SignedOrder | null,
): Promise<SignedOrder | null> {
  if (offer) {
    if (says(offer.order, draft)) return offer;
    throw wrongUse(`The order is of something else; ${hintFor(draft)}`);
  }
  const there = await readDocuments(releaseStore, prefixOf(draft), orderSchema, ({ document }) =>
    says(document, draft),
  );
  if (there.length > 0) return null;
  if (signingKey !== null) return signOrder(draft, signingKey);
  throw new OpalineError('ORDER_MISSING', `A key of the policy has to order this; ${hintFor(draft)}`);
}

/** Sees to it that the release store holds the order that a start needs. Throws as requireOrder does. */
export async function provideOrder(place: PolicyPlace, draft: OrderDraft, offer: SignedOrder | null): Promise<void> {
  const order = await requireOrder(place, draft, offer);
  if (order) await putOrder(place.releaseStore, order);
}

/** What follows the name of what is ordered. */
const MADE_WITH =
  '--key KEY.pem --out order.json` makes the one that is needed; hand it over with `--order order.json`.';

function hintFor(draft: OrderDraft): string {
  switch (draft.kind) {
    case 'version':
      return draft.correction
        ? `\`opaline order version ${releasePath({ ...draft, version: draft.correction.of })} --partition ${draft.correction.partitions.map(partitionPath).join(' ')} --reason ${draft.correction.reason} ${MADE_WITH}`
        : `\`opaline order version ${releasePath(draft)} ${MADE_WITH}`;
    case 'windows':
      return `\`opaline order windows ${draft.series} --from ${draft.from} --to ${draft.to} ${MADE_WITH}`;
    case 'accounting':
      return `\`opaline order rho ${draft.population} ${MADE_WITH}`;
    case 'ledger':
      return `\`opaline ledger takeover ${draft.population}\` makes the one that is needed.`;
  }
}
