import { OpalineError } from '../../../contracts/errors.ts';
import type { LedgerTip } from '../../../contracts/formats/common.ts';
import type { LedgerEntry } from '../../../contracts/formats/ledger.ts';
import type { Order } from '../../../contracts/formats/order.ts';
import { PRIVATE_KEYS, parseReleasePath, RELEASE_KEYS } from '../../../contracts/names.ts';
import { appendToLedger, type Ledger } from '../../ledger/ledger.ts';
import { tablesDigest, tablesOf } from '../../ledger/stored-tables.ts';
import { putOnce, readBytes, sha256 } from '../../stores/json-objects.ts';
import type { PrivateContext } from '../context.ts';
import { type GivenOrder, ordersBelow } from './given-orders.ts';
import { writerOf } from './ledger-writer.ts';
import { putReceipt } from './receipt.ts';

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
 * the release store has come into the private one, the tables of releases of an earlier build get receipts, and an entry
 * says that it was so. False without such an order.
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
  for (const taken of order.releases) await takeTables(context, taken, gap.whole.entries);
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
      releases: order.releases.map(({ release, seriesDigest }) => ({ release, seriesDigest })),
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

/**
 * Takes the privatized tables of a release of an earlier build, if they are those that the person saw who signed: they
 * come into the private store, and get a receipt. Throws COPY_DIFFERS.
 */
async function takeTables(
  context: PrivateContext,
  taken: LedgerOrder['releases'][number],
  entries: readonly LedgerEntry[],
): Promise<void> {
  const run = parseReleasePath(taken.release);
  const reserve = entries.find((entry) => entry.kind === 'reserve' && entry.release === taken.release);
  if (!run || reserve?.kind !== 'reserve') return;
  const tables = await tablesOf(context.releaseStore, run);
  if (tablesDigest(tables) !== taken.draws)
    throw new OpalineError(
      'COPY_DIFFERS',
      `The tables of ${taken.release} are not those that the order names; find out who wrote there, then sign a new order.`,
    );
  for (const { partition } of tables) {
    const bytes = await readBytes(context.releaseStore, RELEASE_KEYS.privatized(run, partition));
    await putOnce(context.privateStore, PRIVATE_KEYS.privatized(run, partition), bytes);
    await putReceipt(context, { ...run, seriesDigest: taken.seriesDigest }, partition, reserve.charge, sha256(bytes));
  }
}
