import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { type Order, orderSchema } from '../../contracts/formats/order.ts';
import type { PolicyPower } from '../../contracts/formats/policy.ts';
import { type Partition, partitionPath, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Correction } from '../../contracts/stages.ts';
import { isOlderThan } from '../../services/calendar/window-end.ts';
import { correctionText } from '../../services/draws/require-receipts.ts';
import { readDocuments, type StoredDocument } from '../../services/signing/signed-objects.ts';
import { isSignedByPolicy } from '../policy/policy-file.ts';
import type { PrivateContext } from '../private-context.ts';
import type { Admitted } from './admission.ts';

/**
 * Orders below a prefix of the release store that are asked for and that a key of the policy has signed, each with the
 * digest by which ledgers name it. Anybody may have put them there; signatures are looked at last, as they cost most.
 *
 * @contract C11a
 */
export const ordersBelow = (
  { releaseStore, policy }: PrivateContext,
  prefix: string,
  power: PolicyPower,
  isAsked: (order: Order) => boolean,
): Promise<StoredDocument<Order>[]> =>
  readDocuments(
    releaseStore,
    prefix,
    orderSchema,
    ({ document, envelope }) => isAsked(document) && isSignedByPolicy(policy.policy, power, envelope),
  );

/** The digest of an order that a population counts ρ, which a key of the policy has signed; null without one. */
export async function accountingOrder(context: PrivateContext, population: string): Promise<string | null> {
  const isAsked = (order: Order) => order.kind === 'accounting' && order.population === population;
  const [match] = await ordersBelow(context, RELEASE_KEYS.ledgerOrders(population), 'ledger', isAsked);
  return match?.digest ?? null;
}

/** What a release asks for: the partitions that it draws, and the correction that it is, if it is one. */
export type Wanted = { partitions: readonly Partition[]; correction: Correction | null };

/**
 * Why a release may be charged for what it asks for: it is the first version of a recent window, whole, under a series
 * file that is not older than one that ran; or a key of the policy has ordered just this, the corrected version and the
 * reason included. Returns the digest of the order, or null where the policy itself allows it. Throws ORDER_MISSING,
 * SERIES_UNSIGNED.
 *
 * @contract C11a
 */
export async function leaveFor(
  context: PrivateContext,
  release: Admitted,
  request: Wanted,
  entries: readonly LedgerEntry[],
): Promise<string | null> {
  const { run, series, rules, partitions } = release;
  const isWhole = request.correction === null && areSame(request.partitions, partitions);
  const isRecent = !isOlderThan(series, run.window, rules.lateDays, context.now());
  if (run.version === 1 && isRecent && isWhole) {
    requireNewest(release, entries);
    return null;
  }
  const isAsked = (order: Order) => allows(order, release, request, isWhole);
  const [match] = await ordersBelow(context, RELEASE_KEYS.orders(run.series), 'orders', isAsked);
  if (match) return match.digest;
  throw new OpalineError('ORDER_MISSING', explainOrder(release, isRecent));
}

/** Does an order allow just this? */
function allows(order: Order, { run, partitions }: Admitted, request: Wanted, isWhole: boolean): boolean {
  if (!('series' in order) || order.series !== run.series || order.seriesDigest !== run.seriesDigest) return false;
  if (order.kind === 'windows')
    return isWhole && run.version === 1 && order.from <= run.window && run.window <= order.to;
  if (order.window !== run.window || order.version !== run.version) return false;
  const draws = order.correction?.partitions ?? partitions;
  const window = new Set(partitions.map(partitionPath));
  const isKnown = areSame(request.partitions, draws) && draws.every((one) => window.has(partitionPath(one)));
  return isKnown && correctionText(request.correction) === correctionText(order.correction);
}

const areSame = (a: readonly Partition[], b: readonly Partition[]): boolean => {
  const names = new Set(a.map(partitionPath));
  return a.length === b.length && names.size === b.length && b.every((one) => names.has(partitionPath(one)));
};

/** A series file that was replaced is not run by itself again: somebody may bring back a mistake that was mended. */
function requireNewest({ run, number }: Admitted, entries: readonly LedgerEntry[]): void {
  for (const entry of entries) {
    if (entry.kind !== 'reserve' || entry.series.name !== run.series) continue;
    const isLater = entry.series.number > number;
    const isOther = entry.series.number === number && entry.series.digest !== run.seriesDigest;
    if (isLater || isOther)
      throw new OpalineError(
        'SERIES_UNSIGNED',
        `A later file of ${run.series}, number ${entry.series.number}, has run; sign this one with a higher number, or order its release.`,
      );
  }
}

const orderHint = (order: string): string =>
  `\`opaline order ${order} --key KEY.pem --out order.json\` makes one, \`opaline order put order.json\` hands it over; then retry.`;

function explainOrder({ run, rules }: Admitted, isRecent: boolean): string {
  const name = releasePath(run);
  if (run.version > 1)
    return `${name} is a further version and needs an order of a key of the policy. ${orderHint(`version ${name}`)}`;
  return isRecent
    ? `${name} asks for a part of its window, which needs an order of a key of the policy.`
    : `The window of ${name} ended more than ${rules.lateDays} days ago and needs an order of a key of the policy. ${orderHint(`windows ${run.series} --from ${run.window} --to ${run.window}`)}`;
}
