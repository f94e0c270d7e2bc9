import type { LedgerTip } from '../../contracts/formats/common.ts';
import type { Order } from '../../contracts/formats/order.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { appendToLedger, type Ledger } from '../../services/ledger/ledger.ts';
import { putOnce } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../context.ts';
import { type GivenOrder, ordersBelow } from './orders.ts';

/** What was found where a ledger should go on: entries that only the release store has, and what was lost. */
export type Gap = {
  /** Copies that validly follow what the private store holds. */
  ahead: { key: string; bytes: Buffer }[];
  /** The ledger with them. */
  whole: Ledger;
  /** The worker's mark, when it names a place that is not there. */
  mark: LedgerTip | null;
};

type LedgerOrder = Extract<Order, { kind: 'ledger' }>;

/**
 * Lets a ledger go on that is behind, when a key of the policy has ordered it from this very place: the entries that only
 * the release store has come into the private one, and an entry says that it was so. False without such an order.
 *
 * Safe to run twice: everything is put if absent, and the entry that ends it is written once for an order.
 *
 * @contract C12
 */
export async function takeOver(context: PrivateContext, population: string, gap: Gap): Promise<boolean> {
  const given = await orderFor(context, population, gap);
  if (!given) return false;
  const { order, digest } = given;
  for (const { key, bytes } of gap.ahead) await putOnce(context.privateStore, key, bytes);
  const { policy, trust } = context;
  await appendToLedger(writerOf(context), population, (entries) => {
    if (entries.some((entry) => entry.kind === 'takeover' && entry.order === digest)) return null;
    return {
      kind: 'takeover',
      order: digest,
      policy: policy.numbered,
      trust,
      tip: order.tip,
      mark: order.mark,
      unexplained: order.unexplained,
    };
  });
  return true;
}

async function orderFor(
  context: PrivateContext,
  population: string,
  { whole, mark }: Gap,
): Promise<{ order: LedgerOrder; digest: string } | null> {
  const isHere = ({ order }: GivenOrder): boolean =>
    order.kind === 'ledger' &&
    order.population === population &&
    (order.tip?.digest ?? null) === whole.tip &&
    (order.mark?.digest ?? null) === (mark?.digest ?? null);
  const [found] = await ordersBelow(context, RELEASE_KEYS.ledgerOrders(population), 'ledger', isHere);
  return found?.order.kind === 'ledger' ? { order: found.order, digest: found.digest } : null;
}

/** What entries are written with: the private store, the keys that may have signed the others, and the worker's own. */
export const writerOf = ({ privateStore, ledgerKeys, ledgerKey }: PrivateContext) => ({
  store: privateStore,
  keys: ledgerKeys,
  privateKey: ledgerKey,
});
