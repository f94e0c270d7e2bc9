import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import {
  DRAW_RECEIPT_FORMAT,
  HOLE_RECEIPT_FORMAT,
  type Receipt,
  receiptSchema,
} from '../../contracts/formats/draw-receipt.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import {
  type Partition,
  partitionPath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { Correction, Draw, Hole, ObjectCode, Run, StagedInput } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { type Reserve, reserveOfRelease } from '../../core/ledger/budget.ts';
import { mapAtOnce } from '../at-once.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findSigners } from '../signing/signed-document.ts';
import { parseDocument } from '../signing/signed-objects.ts';
import { readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { newestVersion, type TrustChain } from '../trust/trust-chain.ts';
import { keysValidAt } from '../trust/trusted-keys.ts';

/** The release store, and what the receipts in it are judged by. */
export type Grounds = {
  releaseStore: ObjectStore;
  trust: TrustChain;
  ledger: Ledger;
  series: Pick<Series, 'population'>;
};

/** What a receipt says of the reserve. */
type DrawnUnder = Pick<Reserve, 'release' | 'charge' | 'sequence'> & {
  correction: Pick<Correction, 'of' | 'reason'> | null;
};

/** What became of a partition: digest of its table and the build that drew it, or the code of its hole. */
export type PartitionOutcome = { table: string; build: string } | { code: ObjectCode };

/** A build of the private worker that drew a partition, and the reserve that it drew it under. */
export type DrawingBuild = { reserve: Reserve; build: string };

/** Receipts that are read at a time. */
const RECEIPTS_AT_ONCE = 8;

/** What the private worker signed of a release: of each partition, as manifests have it, and which builds drew. */
export type Receipted = { partitions: Manifest['partitions']; drawnBy: DrawingBuild[] };

/**
 * What became of each partition of a window, as the private worker signed it (C11, C16). Each has a receipt, under the
 * release's own reserve or, where a correction carries a draw over, under that of the version that drew it; and what it
 * corrects, and why, is what its reserve says. Throws VERIFICATION_FAILED. Reads one small object for each partition.
 * Gives them in the order of their paths, and which builds drew under which reserve.
 *
 * @contract C11
 * @contract C13
 * @contract C16
 */
export async function requireReceipts(
  grounds: Grounds,
  release: StagedInput,
  window: readonly Partition[],
): Promise<Receipted> {
  const own = reserveOfCharge(grounds.ledger, release.charge);
  if (own?.release !== releasePath(release) || correctionText(own.correction) !== correctionText(release.correction))
    throw new OpalineError(
      'VERIFICATION_FAILED',
      'Its charge is not in the ledger, or is there for another correction.',
    );
  const receipts = await mapAtOnce(window, RECEIPTS_AT_ONCE, (one) => requireReceipt(grounds, release, one));
  const drawnBy = new Map<string, DrawingBuild>();
  for (const { reserve, receipt } of receipts)
    if ('build' in receipt) drawnBy.set(`${reserve.charge} ${receipt.build}`, { reserve, build: receipt.build });
  const partitions = receipts.map(({ receipt, envelope }) => {
    const { part, day } = receipt;
    const [privatizedTable, hole] = 'code' in receipt ? [null, receipt.code] : [receipt.table, null];
    return { part, day, privatizedTable, hole, receipt: envelope };
  });
  partitions.sort((a, b) => (partitionPath(a) < partitionPath(b) ? -1 : 1));
  return { partitions, drawnBy: [...drawnBy.values()] };
}

/** What is derived and audited: draws and holes apart. */
export const outcomesOf = (partitions: Manifest['partitions']): { draws: Draw[]; holes: Hole[] } => ({
  draws: partitions.flatMap(({ part, day, privatizedTable: digest }) =>
    digest === null ? [] : [{ partition: { part, day }, digest }],
  ),
  holes: partitions.flatMap(({ part, day, hole: code }) => (code === null ? [] : [{ part, day, code }])),
});

/**
 * Refuses a table that a correction is to carry over from an earlier version, unless that version drew it, or itself
 * carried it over from the version that it corrects. Throws VERIFICATION_FAILED.
 *
 * @contract C13
 */
export async function requireCarriable(grounds: Grounds, earlier: Run, { partition, digest }: Draw): Promise<void> {
  const { receipt } = await requireReceipt(grounds, earlier, partition);
  if (!('table' in receipt) || receipt.table !== digest) throw refusal(partition, ANOTHER);
}

/**
 * Refuses what the release store holds of a partition unless its receipt says so. Throws VERIFICATION_FAILED. Reads the
 * table.
 */
export async function requireStored(grounds: Grounds, release: ReleaseReference, partition: Partition): Promise<void> {
  const { document: receipt } = await readReceipt(grounds.releaseStore, release, partition);
  const key = RELEASE_KEYS.privatized(release, partition);
  const reserve = reserveOf(grounds.ledger, release, partition);
  const isDraw = receipt.format === DRAW_RECEIPT_FORMAT;
  const run = { ...release, seriesDigest: reserve?.series.digest ?? (isDraw ? receipt.seriesDigest : '') };
  const table = await readBytesIfPresent(grounds.releaseStore, key);
  if (isDraw && !table) throw refusal(partition, 'it was drawn, and its table is not there; a retry puts it back');
  if (!isDraw && table) throw refusal(partition, 'it is a hole, and a table is there');
  await requireReceipt(grounds, run, partition);
  if (isDraw && sha256(table!) !== receipt.table) throw refusal(partition, ANOTHER);
}

const ANOTHER = 'its receipt is about another table, hole, release or charge';

/** A partition's receipt, if the private worker signed it under a reserve of the release. Throws VERIFICATION_FAILED. */
async function requireReceipt(
  { releaseStore, trust, ledger, series: { population } }: Grounds,
  { seriesDigest, ...release }: Run,
  partition: Partition,
): Promise<{ envelope: Envelope; receipt: Receipt; reserve: Reserve }> {
  const { envelope, document: receipt } = await readReceipt(releaseStore, release, partition);
  // Only what the release draws itself can become a hole of it.
  const reserve = 'code' in receipt ? reserveOfRelease(ledger.entries, release) : reserveOf(ledger, release, partition);
  if (!reserve) throw refusal(partition, 'its charge is not in the ledger');
  const keys = keysValidAt(newestVersion(trust).ledgers, { population, sequence: reserve.sequence });
  if (findSigners(envelope, keys).size === 0)
    throw refusal(partition, 'its receipt is not signed by the private worker of the trust file');
  if (canonicalJson(receipt) !== canonicalJson(receiptOf(reserve, seriesDigest, partition, receipt)))
    throw refusal(partition, ANOTHER);
  return { envelope, receipt, reserve };
}

async function readReceipt(store: ObjectStore, release: ReleaseReference, partition: Partition) {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.receipt(release, partition));
  if (!bytes) throw refusal(partition, 'it has no receipt of the private worker');
  const object = parseDocument(bytes, receiptSchema);
  if (!object) throw refusal(partition, 'its receipt is not of its form');
  return object;
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
    `What is there for ${partitionPath(partition)} is not taken: ${reason}; find out who wrote it.`,
  );
