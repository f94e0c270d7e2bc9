import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { windowsThatRan } from '../activities/stores/release-executions.ts';
import { readApplied } from '../activities/stores/series-objects.ts';
import {
  type Backfill,
  type BackfillAction,
  type BackfillState,
  backfillId,
  backfillWorkflowId,
} from '../contracts/backfill.ts';
import { OpalineError } from '../contracts/errors.ts';
import { TASK_QUEUES } from '../contracts/names.ts';
import { type Series, WEEKDAYS } from '../contracts/series.ts';
import { addDays, isCivilDay, weekdayIndex } from '../core/calendar/civil-day.ts';
import { lastDay } from '../core/calendar/window.ts';
import { type LedgerPlan, windowsFrom } from '../core/ledger/plan.ts';
import { planWindows } from './ledger-plan.ts';
import type { OpalineClient } from './opaline-client.ts';
import { requireEnded } from './plan-run.ts';

/** What a back-fill would start and cost, before anything is started, charged or drawn. */
export type BackfillPlan = {
  /** Windows that a release has run for already are `started-before`, and left alone. */
  backfill: Backfill;
  ledger: LedgerPlan;
};

/**
 * Plans a back-fill of the windows that lie between two days, both included, under the newest applied series file.
 * Throws USAGE when there is nothing to release between them, WINDOW_INVALID when the last window is not complete.
 */
export async function planBackfill(
  client: OpalineClient,
  name: string,
  span: { from: string; to: string; atOnce: number },
  now: Date = new Date(),
): Promise<BackfillPlan> {
  const { series, digest } = await readApplied(client.releaseStore, name);
  const inSpan = windowsBetween(series, span.from, span.to);
  const ran = await windowsThatRan(client.releaseStore, name);
  const windows = inSpan.filter((window) => !ran.has(window));
  if (windows.length === 0)
    throw new OpalineError(
      'USAGE',
      `There is nothing to release: ${inSpan.length} windows of ${name} lie between ${span.from} and ${span.to}, and all of them have run.`,
    );
  requireEnded(series, windows.at(-1)!, now);
  return {
    backfill: {
      id: backfillId(name, inSpan[0]!, inSpan.at(-1)!),
      series: name,
      seriesDigest: digest,
      atOnce: span.atOnce,
      state: 'running',
      windows: inSpan.map((window) => ({ window, state: ran.has(window) ? 'started-before' : 'to-do' })),
    },
    ledger: await planWindows(client.releaseStore, series, windows),
  };
}

/** First days of the windows whose days all lie between two days, both included. Throws USAGE. */
export function windowsBetween(series: Pick<Series, 'window'>, from: string, to: string): string[] {
  if (!isCivilDay(from) || !isCivilDay(to) || from > to)
    throw new OpalineError('USAGE', '--from and --to take days, YYYY-MM-DD, the earlier one first.');
  const first = addDays(from, (7 + WEEKDAYS.indexOf(series.window.firstWeekday) - weekdayIndex(from)) % 7);
  const windows: string[] = [];
  for (let window = first; lastDay(series, window) <= to; window = windowsFrom(series, window, 2)[1]!)
    windows.push(window);
  return windows;
}

/** Starts a back-fill. Throws BUDGET_EXCEEDED when its plan is over a cap, RELEASE_EXISTS when it is at work already. */
export async function startBackfill(client: OpalineClient, { backfill, ledger }: BackfillPlan): Promise<string> {
  const refused = ledger.releases.find(({ refusal }) => refusal !== null);
  if (refused)
    throw new OpalineError(
      'BUDGET_EXCEEDED',
      `${refused.release} would be over a cap: ${refused.refusal} Nothing was started; take an earlier --to.`,
    );
  try {
    await client.temporal.workflow.start('backfillWorkflow', {
      workflowId: backfillWorkflowId(backfill.id),
      taskQueue: TASK_QUEUES.public,
      args: [backfill],
      staticSummary: `Back-fill ${backfill.id}: ${backfill.windows.length} windows`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw new OpalineError('RELEASE_EXISTS', `The back-fill ${backfill.id} is at work already; look at it.`);
  }
  return backfill.id;
}

/** Where a back-fill stands. Throws RELEASE_UNKNOWN. */
export async function backfillStatus(client: OpalineClient, id: string): Promise<Backfill> {
  const handle = handleOf(client, id);
  return known(id, async () => {
    const { status } = await handle.describe();
    return status.name === 'RUNNING' ? handle.query<Backfill>('status') : handle.result();
  });
}

/** Pauses, resumes or cancels a back-fill. Throws ACTION_NOT_OFFERED when its state does not offer that. */
export async function askBackfill(client: OpalineClient, id: string, action: BackfillAction): Promise<BackfillState> {
  return known(id, async () => {
    try {
      return await handleOf(client, id).executeUpdate<BackfillState, []>(action);
    } catch (error) {
      const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
      if (!cause) throw error;
      throw new OpalineError('ACTION_NOT_OFFERED', cause.message);
    }
  });
}

const handleOf = (client: OpalineClient, id: string): WorkflowHandle<(input: Backfill) => Promise<Backfill>> =>
  client.temporal.workflow.getHandle(backfillWorkflowId(id));

async function known<T>(id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    throw new OpalineError('RELEASE_UNKNOWN', `No back-fill ${id} is known, or it has ended and takes nothing more.`);
  }
}
