import { nullOn, OpalineError } from '../../contracts/errors.ts';
import { DRAW_RECEIPT_FORMAT, receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { kindOf } from '../../contracts/kind.ts';
import {
  type Partition,
  parseReleasePath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { RELEASE_STATE_TABLE, RELEASE_STATES, type ReleaseState } from '../../contracts/release-state.ts';
import type { PartitionStatus, ReleaseStatus } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { isEnd, openReserves, type Reserve, reserves } from '../../core/ledger/budget.ts';
import { attentionPoints } from '../../core/verdict/verdict.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { publishNotBefore } from '../../services/calendar/time-zone.ts';
import { gateFor } from '../../services/decisions/gate-signers.ts';
import { listDecisions } from '../../services/decisions/kept-decisions.ts';
import { listPopulations } from '../../services/ledger/populations.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { findRelease } from '../../services/publication/audited-release.ts';
import { parseDocument } from '../../services/signing/signed-objects.ts';
import { readBytesIfPresent } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { coolingAt, elsewhereAt, quorumAt } from '../../services/trust/trusted-approvers.ts';
import { requireApplied } from '../series/applied-series.ts';

/** A charged release as its ledger has it; `ended`: the state that it ended in, null while nothing has ended it. */
export type ReleaseCharge = Awaited<ReturnType<typeof readCharges>>[number];

/** Every release that a ledger has charged, whatever Temporal knows of it. Throws LEDGER_BROKEN and TRUST_INVALID. */
export async function listCharges(reader: LedgerReader): Promise<ReleaseCharge[]> {
  const populations = await listPopulations(reader.releaseStore);
  return (await mapAtOnce(populations, 1, (population) => readCharges(reader, population))).flat();
}

async function readCharges(reader: LedgerReader, population: string) {
  const { entries } = await verifyLedger(reader, population);
  const open = new Set(openReserves(entries));
  return reserves(entries).flatMap((reserve) => {
    const release = parseReleasePath(reserve.release);
    const end = open.has(reserve) ? null : endOf(entries, reserve);
    return release ? [{ release, reserve, entries, ended: end }] : [];
  });
}

function endOf(entries: readonly LedgerEntry[], { charge }: Reserve): ReleaseState {
  const end = entries.filter(isEnd).find((entry) => entry.charge === charge);
  if (end?.kind === 'commit') return 'published';
  const reason = end?.kind === 'withhold' ? end.reason : 'failed';
  return RELEASE_STATES.find((state) => state === reason && RELEASE_STATE_TABLE[state].final) ?? 'failed';
}

/** The one of a release; null when it was never charged. */
export async function findCharge(reader: LedgerReader, release: ReleaseReference): Promise<ReleaseCharge | null> {
  const newestFile = await requireApplied(reader.releaseStore, release.series).catch(() => null);
  const own = newestFile?.series.population;
  // The ledger in which it usually is comes first, as each one is read and checked as a whole; that says no more.
  const populations = (await listPopulations(reader.releaseStore)).sort(
    (a, b) => Number(b === own) - Number(a === own),
  );
  for (const population of populations) {
    const charges = await readCharges(reader, population);
    const charge = charges.find(({ reserve }) => reserve.release === releasePath(release));
    if (charge) return charge;
  }
  return null;
}

/**
 * The status of a release that Temporal has forgotten, or whose workflow was ended there, as the stores say it. Null when
 * it was never charged. Throws RELEASE_ENDED_OUTSIDE when it has not ended: it can go on.
 */
export async function readStoredStatus(reader: LedgerReader, release: ReleaseReference): Promise<ReleaseStatus | null> {
  const match = await findCharge(reader, release);
  if (!match) return null;
  const { reserve, ended } = match;
  const name = releasePath(release);
  if (ended === null)
    throw new OpalineError(
      'RELEASE_ENDED_OUTSIDE',
      `${name} is charged and has not ended, and no workflow of it is open in Temporal; \`opaline resume ${name}\` goes on with it, at 0 ε.`,
    );
  const { releaseStore } = reader;
  const run = { ...release, seriesDigest: reserve.series.digest };
  const series = await readSeries(releaseStore, run);
  const { parts } = kindOf(CLIENT_KINDS, series).terms(series);
  const partitions = windowPartitions(series, parts, release.window);
  const lastAudit = await findRelease(reader, release).catch(nullOn('COPY_DIFFERS'));
  const audit = lastAudit && {
    manifestDigest: lastAudit.manifestDigest,
    verdict: lastAudit.report.verdict,
    attention: attentionPoints(lastAudit.report),
  };
  const grounds = lastAudit && { ...lastAudit.grounds, series, chargedAt: reserve.sequence };
  const gate = grounds && (await gateFor(grounds, release));
  const { decisions } = audit && gate ? await listDecisions(gate, { ...release, ...audit }) : { decisions: [] };
  const charge = { trust: await reader.trust(), series, chargedAt: reserve.sequence };
  const { correction } = reserve;
  return {
    ...run,
    correction: correction && { of: correction.of, reason: correction.reason, partitions: correction.partitions },
    state: ended,
    stage: ended === 'published' ? 'publish' : 'gate',
    partitions: await mapAtOnce(partitions, AT_ONCE, (one) => partitionStatus(releaseStore, release, one)),
    charge: reserve.charge,
    ...(audit ?? { manifestDigest: null, verdict: null, attention: [] }),
    required: quorumAt(charge),
    elsewhere: elsewhereAt(charge),
    coolingHours: coolingAt(charge),
    decisions: decisions.map(({ subject, relyingParty, decision, reason }) => ({
      subject,
      relyingParty,
      decision,
      reason,
    })),
    refusals: 0,
    expiresAt: null,
    publishNotBefore: publishNotBefore(series, release.window),
    coolingUntil: null,
    location: null,
    waitingFor: null,
    sourceChanges: null,
    stall: null,
    ending: null,
  };
}

const AT_ONCE = 16;

/** What became of a partition, by the receipt beside it; what is published rests on its signature. */
async function partitionStatus(
  store: ObjectStore,
  release: ReleaseReference,
  partition: Partition,
): Promise<PartitionStatus> {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.receipt(release, partition));
  const receipt = bytes && parseDocument(bytes, receiptSchema)?.document;
  if (!receipt) return { ...partition, state: 'pending' };
  return receipt.format === DRAW_RECEIPT_FORMAT
    ? { ...partition, state: 'drawn' }
    : { ...partition, state: 'abandoned', code: receipt.code };
}
