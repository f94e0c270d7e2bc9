import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import {
  DRAW_RECEIPT_FORMAT,
  HOLE_RECEIPT_FORMAT,
  type Receipt,
  receiptSchema,
} from '../../contracts/formats/draw-receipt.ts';
import {
  type Partition,
  partitionPath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { Correction, Draw, Hole, ObjectCode, Run } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { type Reserve, reserveOfRelease } from '../../core/ledger/budget.ts';
import { mapAtOnce } from '../at-once.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { signingKeys } from '../signing/signed-document.ts';
import { storedDocument } from '../signing/signed-objects.ts';
import { readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { newestVersion, type TrustChain } from '../trust/trust-chain.ts';
import { keysValidAt } from '../trust/trusted-keys.ts';

/** What receipts are judged by. */
export type Believed = { trust: TrustChain; ledger: Ledger; series: Pick<Series, 'population'> };

/** A release as it is asked for: its own charge, what it corrects, and what became of each partition. */
export type ReleaseOfDraws = Run & {
  charge: string;
  correction: Correction | null;
  draws: readonly Draw[];
  holes: readonly Hole[];
};

/** What a receipt says of the reserve. */
type DrawnUnder = Pick<Reserve, 'release' | 'charge' | 'sequence'> & {
  correction: Pick<Correction, 'of' | 'reason'> | null;
};

/** What became of a partition: digest of its table and the build that drew it, or the code of its hole. */
export type PartitionOutcome = { table: string; build: string } | { code: ObjectCode };

/** The same as others know it: which build drew, the receipt alone says. */
type ExpectedOutcome = { table: string } | { code: ObjectCode };

/** A build of the private worker that drew a partition, and the reserve that it drew it under. */
export type DrawingBuild = { reserve: Reserve; build: string };

/** So many receipts are read at a time. */
const RECEIPTS_AT_ONCE = 8;

/**
 * Refuses a release that is not what the private worker signed (C11, C16): each partition of the window is drawn or a
 * hole, once; each has a receipt that says so, under the release's own reserve or, where a correction carries a draw
 * over, under that of the version that drew it; and what it corrects, and why, is what its reserve says. Throws
 * VERIFICATION_FAILED. Reads one small object for each partition. Gives the receipts as they are signed, by partition,
 * and which builds drew under which reserve. `window`: its partitions; null where the kind is not known.
 *
 * @contract C11
 * @contract C13
 * @contract C16
 */
export async function requireReceipts(
  store: ObjectStore,
  believed: Believed,
  release: ReleaseOfDraws,
  window: readonly Partition[] | null,
): Promise<{ receipts: Map<string, Envelope>; drawnBy: DrawingBuild[] }> {
  const { draws, holes, correction } = release;
  const outcomes: [Partition, ExpectedOutcome][] = [
    ...draws.map(({ partition, digest }): [Partition, ExpectedOutcome] => [partition, { table: digest }]),
    ...holes.map((hole): [Partition, ExpectedOutcome] => [hole, { code: hole.code }]),
  ];
  const named = outcomes.map(([partition]) => partitionPath(partition)).sort();
  if (window && named.join(' ') !== window.map(partitionPath).sort().join(' '))
    throw new OpalineError('VERIFICATION_FAILED', 'Not every partition of the window is drawn or a hole, once.');
  const own = reserveOfCharge(believed.ledger, release.charge);
  if (own?.release !== releasePath(release) || correctionText(own.correction) !== correctionText(correction))
    throw new OpalineError(
      'VERIFICATION_FAILED',
      'Its charge does not stand in the ledger, or stands there for another correction.',
    );
  const receipts = await mapAtOnce(outcomes, RECEIPTS_AT_ONCE, async ([partition, outcome]) => {
    const reserve = 'code' in outcome ? own : reserveOf(believed.ledger, release, partition);
    return { reserve, ...(await requireReceipt(store, believed, release, partition, reserve, outcome)) };
  });
  const drawnBy = new Map<string, DrawingBuild>();
  for (const { reserve, build } of receipts)
    if (reserve && build !== null) drawnBy.set(`${reserve.charge} ${build}`, { reserve, build });
  return {
    receipts: new Map(outcomes.map(([partition], place) => [partitionPath(partition), receipts[place]!.envelope])),
    drawnBy: [...drawnBy.values()],
  };
}

/**
 * What became of each partition of a window, as the receipts in the release store have it: nothing is believed here.
 * Throws VERIFICATION_FAILED when one has no receipt. Reads one small object for each partition.
 */
export async function receiptedOutcomes(
  store: ObjectStore,
  release: ReleaseReference,
  window: readonly Partition[],
): Promise<{ draws: Draw[]; holes: Hole[] }> {
  const receipts = await mapAtOnce(window, RECEIPTS_AT_ONCE, async (partition) => {
    const { document } = await storedReceipt(store, release, partition);
    return { partition, document };
  });
  return {
    draws: receipts.flatMap(({ partition, document }) =>
      document.format === DRAW_RECEIPT_FORMAT ? [{ partition, digest: document.table }] : [],
    ),
    holes: receipts.flatMap(({ partition, document }) =>
      document.format === HOLE_RECEIPT_FORMAT ? [{ ...partition, code: document.code }] : [],
    ),
  };
}

/**
 * Refuses a table that a correction is to carry over from an earlier version, unless that version drew it, or itself
 * carried it over from the version that it corrects. Throws VERIFICATION_FAILED.
 *
 * @contract C13
 */
export async function requireCarriable(
  store: ObjectStore,
  believed: Believed,
  earlier: Run,
  { partition, digest }: Draw,
): Promise<void> {
  const reserve = reserveOf(believed.ledger, earlier, partition);
  await requireReceipt(store, believed, earlier, partition, reserve, { table: digest });
}

/**
 * Refuses what the release store holds of a partition unless its receipt says so. Throws VERIFICATION_FAILED. Reads the
 * table.
 */
export async function requireStored(
  store: ObjectStore,
  believed: Believed,
  release: ReleaseReference,
  partition: Partition,
): Promise<void> {
  const { document: receipt } = await storedReceipt(store, release, partition);
  const key = RELEASE_KEYS.privatized(release, partition);
  const reserve = reserveOf(believed.ledger, release, partition);
  const isDraw = receipt.format === DRAW_RECEIPT_FORMAT;
  const run = { ...release, seriesDigest: reserve?.series.digest ?? (isDraw ? receipt.seriesDigest : '') };
  const table = await readBytesIfPresent(store, key);
  if (isDraw && !table) throw refusal(partition, 'it was drawn, and its table is not there; a retry puts it back');
  if (!isDraw && table) throw refusal(partition, 'it is a hole, and a table lies there');
  const outcome = isDraw ? { table: sha256(table!) } : { code: receipt.code };
  await requireReceipt(store, believed, run, partition, reserve, outcome);
}

/** A partition's receipt in its envelope, if it says just this, and the build that drew. Throws VERIFICATION_FAILED. */
async function requireReceipt(
  store: ObjectStore,
  { trust, series: { population } }: Believed,
  { seriesDigest, ...release }: Run,
  partition: Partition,
  reserve: Reserve | null,
  expected: ExpectedOutcome,
): Promise<{ envelope: Envelope; build: string | null }> {
  const { envelope, document: receipt } = await storedReceipt(store, release, partition);
  if (!reserve) throw refusal(partition, 'its charge does not stand in the ledger');
  const keys = keysValidAt(newestVersion(trust).ledgers, { population, sequence: reserve.sequence });
  if (signingKeys(envelope, keys).size === 0)
    throw refusal(partition, 'its receipt is not signed by the private worker of the trust file');
  const build = receipt.format === DRAW_RECEIPT_FORMAT ? receipt.build : null;
  const outcome = 'code' in expected ? expected : { ...expected, build: build ?? '' };
  if (canonicalJson(receipt) === canonicalJson(receiptOf(reserve, seriesDigest, partition, outcome)))
    return { envelope, build };
  throw refusal(partition, 'its receipt is about another table, hole, release or charge');
}

async function storedReceipt(store: ObjectStore, release: ReleaseReference, partition: Partition) {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.receipt(release, partition));
  if (!bytes) throw refusal(partition, 'it has no receipt of the private worker');
  const stored = storedDocument(bytes, receiptSchema);
  if (!stored) throw refusal(partition, 'its receipt is not of its form');
  return stored;
}

/** What the private worker signs of a partition that was drawn, or became a hole, under a reserve. */
export function receiptOf(
  { release, charge, sequence, correction }: DrawnUnder,
  seriesDigest: string,
  { part, day }: Partition,
  outcome: PartitionOutcome,
): Receipt {
  if ('code' in outcome) return { format: HOLE_RECEIPT_FORMAT, release, part, day, code: outcome.code };
  return {
    format: DRAW_RECEIPT_FORMAT,
    release,
    part,
    day,
    charge,
    sequence,
    correction: correction && { of: correction.of, reason: correction.reason },
    seriesDigest,
    table: outcome.table,
    build: outcome.build,
  };
}

/**
 * The reserve that a partition of a release is drawn under: the release's own, or for what a correction carries over,
 * that of the version that it corrects, and so on (C13). Null when the ledger has none.
 */
function reserveOf({ entries }: Ledger, release: ReleaseReference, partition: Partition): Reserve | null {
  let { version } = release;
  for (;;) {
    const reserve = reserveOfRelease(entries, { ...release, version });
    const path = partitionPath(partition);
    const { correction } = reserve ?? {};
    if (!correction || correction.partitions.some((one) => partitionPath(one) === path)) return reserve;
    if (correction.of >= version) return null;
    version = correction.of;
  }
}

/** Equal for corrections of the same version, for the same reason, of the same partitions in whatever order. */
export const correctionText = (correction: Correction | null): string =>
  canonicalJson(correction && { ...correction, partitions: correction.partitions.map(partitionPath).sort() });

/** The reserve of a charge, or null. */
export const reserveOfCharge = ({ entries }: Pick<Ledger, 'entries'>, charge: string): Reserve | null =>
  entries.find((entry): entry is Reserve => entry.kind === 'reserve' && entry.charge === charge) ?? null;

const refusal = (partition: Partition, reason: string): OpalineError =>
  new OpalineError(
    'VERIFICATION_FAILED',
    `What lies there for ${partitionPath(partition)} is not taken: ${reason}; find out who wrote it.`,
  );
