import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { kindOf } from '../../contracts/kind.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import { countElsewhere } from '../../contracts/passkey.ts';
import type { Series } from '../../contracts/series.ts';
import type { PlanInput, ReleaseInput, ReleasePlan, Run } from '../../contracts/stages.ts';
import { openReserves, reserveOfRelease } from '../../core/ledger/budget.ts';
import { publishNotBefore } from '../../services/calendar/time-zone.ts';
import { requireEnded } from '../../services/calendar/window-end.ts';
import { correctionText } from '../../services/draws/require-receipts.ts';
import type { Ledger } from '../../services/ledger/ledger.ts';
import { seriesSignatures } from '../../services/orders/series-signature.ts';
import { listPublications } from '../../services/publication/published-releases.ts';
import { readGrounds, windowOf } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { ownerOf } from '../../services/signing/credential.ts';
import { peopleAmong } from '../../services/signing/subjects.ts';
import { putOnce } from '../../services/stores/json-objects.ts';
import { executionMark, readExecutions } from '../../services/stores/release-executions.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { approversOf, coolingAt, elsewhereAt, present, quorumAt } from '../../services/trust/trusted-approvers.ts';

/**
 * What the workflow needs to know of the series: the partitions are the product of its parts and the window's days,
 * never found in the data. A release that was charged and has not ended goes on in another execution when nothing else
 * runs it. Throws RELEASE_EXISTS when it has ended, or another execution runs it: Temporal forgets ids after its
 * retention, the store does not; LEDGER_BEHIND; and SERIES_INVALID before anything is charged when nothing could be
 * drawn or nobody could approve it. A release that is not signed yet, or whose window is not over, leaves no mark
 * (SERIES_UNSIGNED, CONFIGURATION_INVALID).
 *
 * Safe to run twice: the same execution finds its own mark.
 *
 * @contract C4
 * @contract safe-to-retry
 */
export async function plan(
  context: PublicContext,
  { execution, open = null, correction = null, ...run }: PlanInput,
): Promise<ReleasePlan> {
  const series = await readSeries(context.releaseStore, run);
  const partitions = windowOf(context.kinds, series, run.window);
  const { completeness } = series.source;
  const people = await requireWorkable(context, run, series);
  const { entries } = await requireLedger(context, series);
  await requireReady(context, run, series);
  await markExecution(context, { ...run, correction }, entries, { execution, isOpen: open === execution });
  return {
    partitions,
    ...people,
    expiresAfterDays: series.gate.expiresAfterDays,
    publishNotBefore: publishNotBefore(series, run.window),
    completeness: completeness ? { waitHours: completeness.waitHours, otherwise: completeness.otherwise } : null,
    charge: reserveOfRelease(entries, run)?.charge ?? null,
  };
}

/** Refuses an empty ledger where something was published: what it cost has to be in it. Throws LEDGER_BEHIND. */
async function requireLedger(context: PublicContext, { series, population }: Series): Promise<Ledger> {
  const { ledger } = await readGrounds(context, { population });
  if (ledger.tip !== null || (await listPublications(context.publicationStore, series)).length === 0) return ledger;
  throw new OpalineError(
    'LEDGER_BEHIND',
    `The ledger of ${population} is empty, and ${series} has publications: nothing is charged until a takeover has put in what they cost.`,
  );
}

/** Throws SERIES_UNSIGNED and CONFIGURATION_INVALID: whoever may schedule a plan marks no window of the future. */
async function requireReady({ releaseStore, now }: PublicContext, run: Run, series: Series): Promise<void> {
  if ((await seriesSignatures(releaseStore, { series: run.series, digest: run.seriesDigest })).length === 0)
    throw new OpalineError(
      'SERIES_UNSIGNED',
      `Nobody has signed this file of ${run.series}; \`opaline series sign\` does, and then retry.`,
    );
  try {
    requireEnded(series, run.window, now());
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    throw new OpalineError('CONFIGURATION_INVALID', `By the clock of the public worker: ${error.message}`);
  }
}

/**
 * Marks the release as run by this execution, with the next number, unless a mark of it is there. A release that was
 * never charged may run again. One that was charged takes another execution only with proof: the ledger has not ended it,
 * and has this series file and correction; and Temporal, which has one open workflow of an id at most, says that the
 * execution that asks is the open one. So whatever a mark names is closed, or unknown there. Marks themselves prove
 * nothing: anybody may have put them there. Throws RELEASE_EXISTS.
 *
 * Another execution gains nothing by its mark: draws are read again, and the charge is the one that is there (C11).
 */
async function markExecution(
  { releaseStore }: PublicContext,
  run: ReleaseInput,
  entries: readonly LedgerEntry[],
  { execution, isOpen }: { execution: string; isOpen: boolean },
): Promise<void> {
  const mark = executionMark(execution);
  const before = await readExecutions(releaseStore, run);
  if (before.some(({ bytes }) => mark.equals(bytes))) return;
  if (reserveOfRelease(entries, run)) requireResumable(run, entries, isOpen);
  for (let number = (before.at(-1)?.number ?? 0) + 1; ; number += 1) {
    const object = await putOnce(releaseStore, RELEASE_KEYS.execution(run, number), mark);
    if (object.equals(mark)) return;
  }
}

/** Refuses a charged release that has ended, or that the asking execution does not run. Throws RELEASE_EXISTS. */
function requireResumable(run: ReleaseInput, entries: readonly LedgerEntry[], isOpen: boolean): void {
  const refuse = (why: string) =>
    new OpalineError('RELEASE_EXISTS', `${releasePath(run)} ran before${why}; a release id runs once.`);
  const open = openReserves(entries).find(({ release }) => release === releasePath(run));
  if (!open) throw refuse(' and has ended, as its ledger says');
  const isSame = correctionText(open.correction) === correctionText(run.correction);
  if (open.series.digest !== run.seriesDigest || !isSame) throw refuse(' under another series file or correction');
  if (!isOpen) throw refuse(', and another execution runs it');
}

/** Approvals that the release will need. Throws SERIES_INVALID when it could not be drawn, or could not get that many. */
async function requireWorkable({ trust, kinds }: PublicContext, run: Run, series: Series) {
  const chain = await trust();
  const now = { trust: chain, series, chargedAt: Number.MAX_SAFE_INTEGER };
  const [quorum, elsewhere, coolingHours] = [quorumAt(now), elsewhereAt(now), coolingAt(now)];
  const { refusal } = kindOf(kinds, series).terms(series);
  if (refusal !== undefined) throw new OpalineError('SERIES_INVALID', refusal);
  const approvers = present(approversOf(newestVersion(chain), series), series.population);
  const signers = peopleAmong(approvers);
  if (signers < quorum || countElsewhere(approvers.map(ownerOf)) < elsewhere)
    throw new OpalineError(
      'SERIES_INVALID',
      `${quorum} approvals are required, ${elsewhere} of them elsewhere than at one host of pages, and ${signers} approvers of ${run.series} are in the trust file; have more people or keys named there, and take the next version.`,
    );
  return { required: quorum, elsewhere, coolingHours };
}
