import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import {
  type Backfill,
  type BackfillAction,
  type BackfillState,
  type BackfillWindow,
  backfillId,
  backfillIdOf,
  backfillWorkflowId,
} from '../../contracts/backfill.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { TASK_QUEUES } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { isCivilDay } from '../../core/calendar/civil-day.ts';
import { lastDay, windowFrom, windowWords } from '../../core/calendar/window.ts';
import { type LedgerPlan, windowsFrom } from '../../core/ledger/plan.ts';
import { requireEnded } from '../../services/calendar/window-end.ts';
import { type OrderDraft, provideOrder, requireOrder, type SignedOrder } from '../../services/orders/orders.ts';
import { windowsThatRan } from '../../services/stores/release-executions.ts';
import { planWindows } from '../ledger/ledger-plan.ts';
import type { OpalineClient, ReleaseSummary } from '../opaline-client.ts';
import { sendUpdate } from '../send-update.ts';
import { appliedSeries } from '../series/applied-series.ts';
import { nearNames } from '../series/near-names.ts';

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
  const { series, digest } = await appliedSeries(client.releaseStore, name);
  const inSpan = windowsBetween(series, span.from, span.to);
  const ran = await windowsThatRan(client.releaseStore, name);
  const windows = inSpan.filter((window) => !ran.has(window));
  if (windows.length === 0) throw new OpalineError('USAGE', nothingToRelease(series, span, inSpan.length));
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
    ledger: await planWindows(client, series, windows),
  };
}

/** Why there is nothing to release between two days: no window lies there, or so many have all run. */
export function nothingToRelease(
  { series, window }: Pick<Series, 'series' | 'window'>,
  { from, to }: { from: string; to: string },
  windows: number,
): string {
  return windows === 0
    ? `No whole window of ${series} lies between ${from} and ${to}: one takes ${windowWords({ window })}; take an earlier --from or a later --to.`
    : `There is nothing to release: every window of ${series} between ${from} and ${to} has run; \`opaline status\` lists the releases.`;
}

/** First days of the windows whose days all lie between two days, both included. Throws USAGE. */
export function windowsBetween(series: Pick<Series, 'window'>, from: string, to: string): string[] {
  if (!isCivilDay(from) || !isCivilDay(to) || from > to)
    throw new OpalineError('USAGE', '--from and --to take days, YYYY-MM-DD, the earlier one first.');
  const windows: string[] = [];
  for (
    let window = windowFrom(series, from);
    lastDay(series, window) <= to;
    window = windowsFrom(series, window, 2)[1]!
  )
    windows.push(window);
  return windows;
}

/** Refuses an order that is not the one of this back-fill; changes nothing. Throws USAGE. */
export const requireOrderOf = async (
  client: OpalineClient,
  { backfill }: BackfillPlan,
  order: SignedOrder,
): Promise<void> => void (await requireOrder(client, orderOf(backfill), order));

/** Starts a back-fill. Throws BUDGET_EXCEEDED when its plan is over a cap, RELEASE_EXISTS when it is at work already. */
export async function startBackfill(
  client: OpalineClient,
  { backfill, ledger }: BackfillPlan,
  order: SignedOrder | null = null,
): Promise<string> {
  const refused = ledger.releases.find(({ refusal }) => refusal !== null);
  if (refused)
    throw new OpalineError(
      'BUDGET_EXCEEDED',
      `${refused.release} would be over a cap: ${refused.refusal} Nothing was started; take an earlier --to.`,
    );
  if (client.signingKey !== null || order) await provideOrder(client, orderOf(backfill), order);
  try {
    await client.temporal.workflow.start('backfillWorkflow', {
      workflowId: backfillWorkflowId(backfill.id),
      taskQueue: TASK_QUEUES.public,
      args: [backfill],
      staticSummary: `Back-fill ${backfill.id}: ${backfill.windows.length} windows`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw new OpalineError(
      'RELEASE_EXISTS',
      `The back-fill ${backfill.id} is at work already; \`opaline backfill show ${backfill.id}\` shows it.`,
    );
  }
  return backfill.id;
}

/** The order that a back-fill needs where its windows are older than the policy allows by itself. */
const orderOf = ({ series, seriesDigest, windows }: Backfill): OrderDraft => ({
  kind: 'windows',
  series,
  seriesDigest,
  from: windows[0]!.window,
  to: windows.at(-1)!.window,
});

/** Where a back-fill and its releases stand: also after its end, when they tell it nothing. Throws RELEASE_UNKNOWN. */
export async function backfillStatus(client: OpalineClient, id: string): Promise<Backfill> {
  const handle = handleOf(client, id);
  return known(client, id, async () => {
    const { status } = await handle.describe();
    if (status.name === 'RUNNING') return handle.query<Backfill>('status');
    return withReleases(await handle.result(), await client.list());
  });
}

/**
 * A back-fill that has ended, with what became of its releases since then. A release that is at work again keeps what
 * it told last; so does one that the server has forgotten.
 */
export function withReleases(backfill: Backfill, releases: readonly ReleaseSummary[]): Backfill {
  const own = releases.filter(({ series, version }) => series === backfill.series && version === 1);
  const states = new Map(own.map(({ window, state }) => [window, state]));
  const windows = backfill.windows.map((one) => {
    const state = states.get(one.window);
    const isLater = state && state !== 'running' && state !== 'auditing' && !UNTOLD.includes(one.state);
    return isLater ? { ...one, state } : one;
  });
  return { ...backfill, windows };
}

/** Windows of which a back-fill has started no release. */
const UNTOLD: readonly BackfillWindow['state'][] = ['to-do', 'started-before'];

/** Pauses, resumes or cancels a back-fill. Throws ACTION_NOT_OFFERED when its state does not offer that. */
export async function askBackfill(client: OpalineClient, id: string, action: BackfillAction): Promise<BackfillState> {
  return known(client, id, async () => {
    try {
      return await sendUpdate<BackfillState>(handleOf(client, id), action);
    } catch (error) {
      const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
      if (!cause) throw error;
      throw new OpalineError('ACTION_NOT_OFFERED', cause.message);
    }
  });
}

const handleOf = (client: OpalineClient, id: string): WorkflowHandle<(input: Backfill) => Promise<Backfill>> =>
  client.temporal.workflow.getHandle(backfillWorkflowId(id));

async function known<T>(client: OpalineClient, id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    const ids: string[] = [];
    for await (const { workflowId } of client.temporal.workflow.list({ query: "WorkflowType = 'backfillWorkflow'" }))
      ids.push(backfillIdOf(workflowId));
    throw new OpalineError('RELEASE_UNKNOWN', unknownBackfill(id, ids));
  }
}

/** What is said of a back-fill that does not answer, when those of the ids are there, also after their end. */
export function unknownBackfill(id: string, ids: readonly string[]): string {
  if (ids.includes(id))
    return `The back-fill ${id} has ended and takes nothing more; \`opaline backfill show ${id}\` says how.`;
  if (ids.length === 0) return `There is no back-fill ${id}; \`opaline schedule backfill\` starts one.`;
  return `There is no back-fill ${id}. Near: ${nearNames(id, [...new Set(ids)]).join(', ')}.`;
}
