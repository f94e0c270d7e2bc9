import { OpalineError } from '../../contracts/errors.ts';
import { type DrawReceipt, drawReceiptSchema } from '../../contracts/formats/draw-receipt.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import {
  type Partition,
  parseReleasePath,
  partitionPath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { Correction, Draw, Run } from '../../contracts/stages.ts';
import { mapAtOnce } from '../at-once.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { signingKeys } from '../signing/signed-document.ts';
import { readBytes, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { newestVersion, type TrustChain } from '../trust/trust-chain.ts';
import { keysValidAt } from '../trust/trusted-keys.ts';
import { parseReceipt } from './receipt-envelope.ts';

/** What receipts are judged by. */
export type Believed = { trust: TrustChain; ledger: Ledger; series: Pick<Series, 'population'> };

/** A release whose tables are taken: its own charge, and the correction that it is, if it is one. */
export type ReleaseOfDraws = Run & { charge: string; correction: Pick<Correction, 'partitions'> | null };

type Reserve = Extract<LedgerEntry, { kind: 'reserve' }>;

/** So many receipts are read at a time. */
const RECEIPTS_AT_ONCE = 8;

/**
 * Refuses every table that the private worker did not sign as drawn under a charge of the ledger (C11): that of the
 * release itself, or for a partition that a correction carries over, of the earlier version that drew it. Throws
 * VERIFICATION_FAILED. Reads one small object for each table.
 *
 * @contract C11
 */
export async function requireReceipts(
  store: ObjectStore,
  believed: Believed,
  release: ReleaseOfDraws,
  draws: readonly Draw[],
): Promise<void> {
  const redrawn = release.correction && new Set(release.correction.partitions.map(partitionPath));
  await mapAtOnce(draws, RECEIPTS_AT_ONCE, async (draw) => {
    const isCarried = redrawn !== null && !redrawn.has(partitionPath(draw.partition));
    const drawnBy = (receipt: DrawReceipt) => (isCarried ? isEarlier(receipt, release) : isOwn(receipt, release));
    await requireReceipt(store, believed, release, draw, drawnBy);
  });
}

/**
 * Refuses a table that a correction is to carry over from an earlier version, unless that version or one before it drew
 * it. Throws VERIFICATION_FAILED.
 */
export const requireCarriable = (store: ObjectStore, believed: Believed, earlier: Run, draw: Draw): Promise<void> =>
  requireReceipt(store, believed, earlier, draw, (receipt) =>
    isEarlier(receipt, { ...earlier, version: earlier.version + 1 }),
  );

/**
 * Refuses a stored table that is not the one of the receipt beside it, or whose receipt is not of this release or of an
 * earlier version that it corrects. Throws VERIFICATION_FAILED, and OBJECT_MISSING when the table is not there.
 */
export async function requireStoredTable(
  store: ObjectStore,
  believed: Believed,
  release: ReleaseReference,
  partition: Partition,
): Promise<void> {
  const digest = sha256(await readBytes(store, RELEASE_KEYS.privatized(release, partition)));
  const receipt = await signedReceipt(store, believed, release, partition);
  const run = { ...release, seriesDigest: receipt.seriesDigest };
  if (!isOf(receipt, run, partition, digest)) throw refusal(partition, 'its receipt is about another table');
  if (receipt.release !== releasePath(release) && !isEarlier(receipt, release))
    throw refusal(partition, 'its receipt is of another release');
}

async function requireReceipt(
  store: ObjectStore,
  believed: Believed,
  release: Run,
  { partition, digest }: Draw,
  drawnBy: (receipt: DrawReceipt) => boolean,
): Promise<void> {
  const receipt = await signedReceipt(store, believed, release, partition);
  if (!isOf(receipt, release, partition, digest)) throw refusal(partition, 'its receipt is about another table');
  if (!drawnBy(receipt)) throw refusal(partition, 'its receipt is of another release');
}

/** The receipt beside a table, of a key that was valid when its charge was reserved. Throws VERIFICATION_FAILED. */
async function signedReceipt(
  store: ObjectStore,
  { trust, ledger, series }: Believed,
  release: ReleaseReference,
  partition: Partition,
): Promise<DrawReceipt> {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.receipt(release, partition));
  if (!bytes) throw refusal(partition, 'it has no receipt of the private worker');
  const parsed = parseReceipt(bytes, drawReceiptSchema, 'receipt of a draw');
  if (!parsed) throw refusal(partition, 'its receipt is not of its form');
  const { envelope, receipt } = parsed;
  const reserve = reserveOfCharge(ledger, receipt.charge);
  if (!reserve || reserve.release !== receipt.release || !reserve.blocks.some(({ day }) => day === partition.day))
    throw refusal(partition, 'its charge does not stand in the ledger');
  const place = { population: series.population, sequence: reserve.sequence };
  if (signingKeys(envelope, keysValidAt(newestVersion(trust).ledgers, place)).size > 0) return receipt;
  throw refusal(partition, 'its receipt is not signed by the private worker of the trust file');
}

/** The reserve of a charge, or null. */
export const reserveOfCharge = ({ entries }: Pick<Ledger, 'entries'>, charge: string): Reserve | null =>
  entries.find((entry): entry is Reserve => entry.kind === 'reserve' && entry.charge === charge) ?? null;

const isOf = (receipt: DrawReceipt, { seriesDigest }: Run, { part, day }: Partition, digest: string): boolean =>
  receipt.table === digest && receipt.part === part && receipt.day === day && receipt.seriesDigest === seriesDigest;

const isOwn = (receipt: DrawReceipt, release: ReleaseOfDraws): boolean =>
  receipt.release === releasePath(release) && receipt.charge === release.charge;

/** Was it drawn by an earlier version of the same window? */
function isEarlier(receipt: DrawReceipt, { series, window, version }: ReleaseReference): boolean {
  const drawn = parseReleasePath(receipt.release);
  return drawn?.series === series && drawn.window === window && drawn.version < version;
}

const refusal = (partition: Partition, reason: string): OpalineError =>
  new OpalineError(
    'VERIFICATION_FAILED',
    `The privatized table of ${partitionPath(partition)} is not taken: ${reason}; find out who wrote it.`,
  );
