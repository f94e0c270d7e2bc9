import { wrongUse } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { windowDays, windowPartitions } from '../../core/calendar/window.ts';
import { overCap, reserveOfRelease, unitCharge } from '../../core/ledger/budget.ts';
import { showAmount } from '../../core/ledger/shown-amount.ts';
import type { ClientKind } from '../../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { requireEnded } from '../../services/calendar/window-end.ts';
import { chargeOf, rulesOf } from '../../services/ledger/charge.ts';
import { type LedgerReader, verifyLedger } from '../../services/ledger/verify-ledger.ts';
import {
  type OrderDraft,
  type PolicyPlace,
  provideOrder,
  requireOrder,
  type SignedOrder,
} from '../../services/orders/orders.ts';
import { requireSignature } from '../../services/orders/series-signature.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { applySeries } from '../series/apply-series.ts';
import { loadSeriesFile } from '../series/series-file.ts';

/** What a run would make and cost, before anything is started, charged or drawn. */
export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/**
 * Plans a run; changes nothing. `now` is the moment at which the window has to be complete. Throws SERIES_INVALID,
 * WINDOW_INVALID (also for a window that has not ended, lag days included) or CERTIFICATE_IMPOSSIBLE.
 */
export async function planRun(
  reader: LedgerReader,
  file: string,
  window: string,
  version: number,
  now: Date = new Date(),
  kinds: Readonly<Record<string, ClientKind>> = CLIENT_KINDS,
) {
  if (!Number.isInteger(version) || version < 1) throw wrongUse('A version is a whole number from 1 on.');
  const seriesFile = await loadSeriesFile(file, kinds);
  const { series, digest } = seriesFile;
  const run: Run = { series: series.series, window, version, seriesDigest: digest };
  const kind = kindOf(kinds, series);
  const partitions = windowPartitions(series, kind.terms(series).parts, window);
  requireEnded(series, window, now);
  const { entries } = await verifyLedger(reader, series.population);
  const own = reserveOfRelease(entries, run) !== null;
  const draft = chargeOf(kind, series, windowDays(series, window), partitions, rulesOf(entries, series));
  const { certificate, inWords } = kind.protection(series, seriesFile.dictionaries);
  return {
    run,
    loaded: seriesFile,
    summary: {
      release: releasePath(run),
      partitions: partitions.length,
      /** What protects it. */
      certificate,
      inWords,
      /** What it charges to each block. */
      cost: showAmount(unitCharge(draft.blocks), draft.caps),
      /** Why the ledger would refuse the charge, or null. */
      overCap: own ? null : overCap(entries, draft),
      /** Does the ledger have its charge? Then it runs no second time. */
      isCharged: own,
    },
  };
}

/**
 * Refuses what startRelease, or the private worker after it, would refuse of a plan for want of a signature or an order;
 * changes nothing. Throws SERIES_UNSIGNED, SIGNATURE_INVALID, ORDER_MISSING, USAGE.
 */
export async function requireStartable(
  place: PolicyPlace,
  { run, loaded }: RunPlan,
  order: SignedOrder | null = null,
): Promise<void> {
  await requireSignature(place.releaseStore, loaded, place.signingKey);
  if (run.version > 1 || order) await requireOrder(place, orderOf(run), order);
}

/** Applies the series file and starts the release, with the order that it needs. Throws RELEASE_EXISTS, ORDER_MISSING. */
export async function startRelease(
  client: OpalineClient,
  { run, loaded, summary }: RunPlan,
  order: SignedOrder | null = null,
): Promise<Run> {
  await applySeries(client, loaded);
  if (run.version > 1 || order) await provideOrder(client, orderOf(run), order);
  await client.start({ ...run, correction: null }, summary.isCharged ? 'once' : 'again');
  return run;
}

const orderOf = (run: Run): OrderDraft => ({ kind: 'version', ...run, correction: null });
