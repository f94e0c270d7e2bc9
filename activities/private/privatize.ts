import { OpalineError } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Draw, DrawInput, PrivatizeInput } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { putCopy } from '../../custodian/custody/copies.ts';
import { admitCharged, type ReservedRelease, requireCharged } from '../../custodian/custody/custody-charge.ts';
import { DRAW_RECORD_FORMAT, encodeDraw, readDrawn, readDrawRecord } from '../../custodian/custody/draw-record.ts';
import { codeOfHole } from '../../custodian/custody/hole.ts';
import { putReceipt } from '../../custodian/custody/receipt.ts';
import { keepDiagnostics } from '../../custodian/diagnostics.ts';
import type { Counts, PrivateContext } from '../../custodian/private-context.ts';
import { withEmptyPool } from '../../custodian/randomness.ts';
import { inventoryDigest } from '../../custodian/source/inventory.ts';
import { requireOneInput } from '../../custodian/source/one-input.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { jsonBytes, putOnce, readBytes, readBytesIfPresent, sha256 } from '../../services/stores/json-objects.ts';

/** A release whose partitions are drawn, as far as a draw is tied to it. */
type DrawnRelease = Pick<ReservedRelease, 'run' | 'kind' | 'series' | 'reserve'>;

/**
 * Draws the privatized tables of partitions of a release that is in the ledger. Charge and series are those of the
 * ledger, whatever the payload says.
 *
 * Safe to run twice, by a retry, a replay or a zombie: drawOnce is. Shadow runs come here, too, in a deployment that is
 * held in memory: there is no other way to a draw (C15).
 *
 * @contract C11
 * @contract C11a
 * @contract safe-to-retry
 */
export async function privatize(context: PrivateContext, input: PrivatizeInput): Promise<Draw[]> {
  const release = await admitCharged(context, input);
  const { round, charge, partitions } = input;
  requireCharged(release, partitions);
  return mapAtOnce(partitions, 1, ({ part, day }) =>
    drawOnce(context, release, { ...release.run, round, charge, partition: { part, day } }),
  );
}

/**
 * Draws a privatized table and stores it; the only code that meets noise. The noise and the unpublished counts are never
 * stored. The table is in the private store; the release store gets a copy with a signed receipt, which are put back
 * when they were taken away.
 *
 * Safe to run twice: the draw record ties the release to one round and its inventory before anything is drawn, and of any
 * number of draws the first that is stored is the one; all others are thrown away unseen, and everybody reads what is
 * stored, with the build that drew it. Another round is refused with NEEDS_CORRECTION, whatever its rows are, and so is a
 * partition that is a hole.
 *
 * @contract C11
 * @contract safe-to-retry
 */
async function drawOnce(context: PrivateContext, release: DrawnRelease, input: DrawInput): Promise<Draw> {
  const { privateStore, releaseStore } = context;
  const { run, reserve } = release;
  const { partition } = input;
  const key = PRIVATE_KEYS.privatized(run, partition);
  const before = await readBytesIfPresent(privateStore, key);
  if (before) requireTable(before, input);
  if (before) await requireRound(context, release, input);
  const bytes = before ?? (await drawNow(context, release, input));
  requireTable(bytes, input); // the draw that was made here is thrown away unseen when a hole was first
  const { build, table } = readDrawn(bytes);
  const digest = sha256(table);
  await putCopy(releaseStore, RELEASE_KEYS.privatized(run, partition), table);
  await putReceipt(context, run, partition, reserve, { table: digest, build });
  return { partition, digest };
}

/** The table that is stored in the end: the one that is drawn here, or that of whoever came first. */
async function drawNow(context: PrivateContext, release: DrawnRelease, input: DrawInput): Promise<Buffer> {
  await context.ensureShadow(release.run); // a build that was never tried would draw what no audit takes
  const counts = await release.kind.counts(withEmptyPool(context), input, release.series);
  await requireOneInput(context, release, input); // so that what is refused leaves no record
  await recordDraw(context, release, input, counts);
  await requireOneInput(context, release, input); // of two draws at once, one sees the other’s record
  const bytes = encodeDraw(context.build, await counts.draw());
  return putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), bytes);
}

/** Puts the record before the draw, if absent. Throws NEEDS_CORRECTION when there is one of another round or charge. */
async function recordDraw(
  context: PrivateContext,
  { reserve: { charge } }: DrawnRelease,
  input: DrawInput,
  counts: Counts,
): Promise<void> {
  const record = {
    format: DRAW_RECORD_FORMAT,
    round: input.round,
    inventory: await inventoryDigest(context, input, input.round),
    parameters: sha256(canonicalJson(counts.parameters)),
    charge,
  };
  const bytes = jsonBytes({ ...record, input: sha256(canonicalJson(counts.input)) });
  const object = await putOnce(context.privateStore, PRIVATE_KEYS.draw(input, input.partition), bytes);
  if (object.equals(bytes)) return;
  const { input: before, ...known } = readDrawRecord(object);
  if (canonicalJson(known) !== canonicalJson(record)) throw otherRound(input);
  // Of one round there is one set of cells: nobody but the custodian learns that there seem to be two.
  const name = `privatize ${partitionPath(input.partition)}`;
  await keepDiagnostics(context)(name, `The counts are not those of the draw record, which has ${before}.`);
}

/** Refuses another round than the one that the table is of. */
async function requireRound(context: PrivateContext, { run }: DrawnRelease, input: DrawInput): Promise<void> {
  const bytes = await readBytes(context.privateStore, PRIVATE_KEYS.draw(run, input.partition));
  if (readDrawRecord(bytes).round !== input.round) throw otherRound(input);
}

/** Refuses what is no table but a hole: there will never be a draw in its place (C16). */
function requireTable(bytes: Buffer, input: DrawInput): void {
  const { partition } = input;
  if (codeOfHole(bytes, input, partition) === null) return;
  throw new OpalineError(
    'NEEDS_CORRECTION',
    `${partitionPath(partition)} was abandoned and is a hole of this version; a draw of it needs a new version.`,
  );
}

const otherRound = ({ partition }: DrawInput): OpalineError =>
  new OpalineError(
    'NEEDS_CORRECTION',
    `${partitionPath(partition)} was drawn from another round or under another charge; a change needs a new version.`,
  );
