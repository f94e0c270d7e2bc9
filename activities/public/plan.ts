import { OpalineError } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { ReleasePlan, Run } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { publishNotBefore } from '../calendar/zone.ts';
import { requiredAt } from '../decisions/gate.ts';
import { publishedReleases } from '../publication/published-releases.ts';
import { peopleAmong } from '../signing/subjects.ts';
import { jsonBytes, putOnce } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { approversOf, present } from '../trust/approvers.ts';
import { newestVersion } from '../trust/trust-chain.ts';
import type { PublicContext } from './context.ts';
import { believedOf } from './drawn-tables.ts';

/**
 * What the workflow needs to know of the series: the partitions are the product of its parts and the window's days,
 * never found in the data. Throws RELEASE_EXISTS when another execution ran this release: Temporal forgets ids after
 * its retention, the store does not; LEDGER_BEHIND; and SERIES_INVALID before anything is charged when nothing could be
 * drawn or nobody could approve it.
 *
 * Safe to run twice: the same execution finds its own mark.
 *
 * @contract C4
 * @contract safe-to-retry
 */
export async function plan(
  context: PublicContext,
  { execution, ...run }: Run & { execution: string },
): Promise<ReleasePlan> {
  const mark = jsonBytes({ execution });
  const bytes = await putOnce(context.releaseStore, RELEASE_KEYS.execution(run), mark);
  if (!bytes.equals(mark))
    throw new OpalineError(
      'RELEASE_EXISTS',
      `${releasePath(run)} ran before; a release id runs once, take the next version.`,
    );
  const series = await readSeries(context.releaseStore, run);
  const kind = kindOf(context.kinds, series);
  const required = await requireWorkable(context, run, series);
  await requireLedger(context, series);
  return {
    partitions: windowPartitions(series, kind.parts(series), run.window),
    required,
    expiresAfterDays: series.gate.expiresAfterDays,
    publishNotBefore: publishNotBefore(series, run.window),
    completeness: waitOf(series),
  };
}

/** Refuses an empty ledger where something was published: what it cost has to stand there. Throws LEDGER_BEHIND. */
async function requireLedger(context: PublicContext, { series, population }: Series): Promise<void> {
  const { ledger } = await believedOf(context, { population });
  if (ledger.tip !== null || (await publishedReleases(context.publicationStore, series)).length === 0) return;
  throw new OpalineError(
    'LEDGER_BEHIND',
    `The ledger of ${population} is empty, and ${series} has publications: nothing is charged until a takeover has put in what they cost.`,
  );
}

/** Approvals that the release will need. Throws SERIES_INVALID when it could not be drawn, or approved by so many. */
async function requireWorkable({ trust, kinds }: PublicContext, run: Run, series: Series): Promise<number> {
  const chain = await trust();
  const required = requiredAt({ trust: chain, series, chargedAt: Number.MAX_SAFE_INTEGER });
  const refusal = kindOf(kinds, series).refusal(series);
  if (refusal !== null) throw new OpalineError('SERIES_INVALID', refusal);
  const signers = peopleAmong(present(approversOf(newestVersion(chain), series), series.population));
  if (signers < required)
    throw new OpalineError(
      'SERIES_INVALID',
      `${required} approvals are required, and ${signers} approvers of ${run.series} are in the trust file; have more people named there, and take the next version.`,
    );
  return required;
}

function waitOf({ source: { completeness } }: Series): ReleasePlan['completeness'] {
  return completeness ? { waitHours: completeness.waitHours, otherwise: completeness.otherwise } : null;
}
