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
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { RELEASE_KEYS, TASK_QUEUES } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { isCivilDay } from '../../core/calendar/civil-day.ts';
import { lastDay, windowAfter, windowFrom, windowWords } from '../../core/calendar/window.ts';
import { requireEnded } from '../../services/calendar/window-end.ts';
import { type OrderDraft, provideOrder, type SignedOrder } from '../../services/orders/orders.ts';
import { changeMutable } from '../../services/stores/mutable-json.ts';
import { windowsThatRan } from '../../services/stores/release-executions.ts';
import { readBackfills, type StoredBackfill } from '../../services/stores/schedule-objects.ts';
import { planWindows } from '../ledger/ledger-plan.ts';
import type { OpalineClient, ReleaseSummary } from '../opaline-client.ts';
import { requireApplied } from '../series/applied-series.ts';
import { nearText } from '../series/near-names.ts';
import { listWorkflowIds, on, sendUpdate, statusOf } from '../workflow-calls.ts';
import type { ScheduleClient } from './schedules.ts';

/** What a back-fill would start and cost, before anything is started, charged or drawn. */
export type BackfillPlan = Awaited<ReturnType<typeof planBackfill>>;

/**
 * Plans a back-fill of the windows between two days, both included, under the newest applied series file.
 * Throws USAGE when there is nothing to release between them, WINDOW_INVALID when the last window is not complete.
 */
export async function planBackfill(
  client: OpalineClient,
  name: string,
  span: { from: string; to: string; atOnce: number },
  now: Date = new Date(),
) {
  const { series, digest } = await requireApplied(client.releaseStore, name);
  const inSpan = windowsBetween(series, span.from, span.to);
  const ran = await windowsThatRan(client.releaseStore, name);
  const windows = inSpan.filter((window) => !ran.has(window));
  if (windows.length === 0) throw wrongUse(nothingToRelease(series, span, inSpan.length));
  requireEnded(series, windows.at(-1)!, now);
  const backfill: Backfill = {
    id: backfillId(name, inSpan[0]!, inSpan.at(-1)!),
    series: name,
    seriesDigest: digest,
    atOnce: span.atOnce,
    state: 'running',
    // Windows that a release has run for already are left alone.
    windows: rowsOf(inSpan, ran),
  };
  return { backfill, ledger: await planWindows(client, series, windows) };
}

/** Why there is nothing to release between two days: no window is there, or all n of them have run. */
export function nothingToRelease(
  { series, window }: Pick<Series, 'series' | 'window'>,
  { from, to }: { from: string; to: string },
  windows: number,
): string {
  return windows === 0
    ? `No whole window of ${series} lies between ${from} and ${to}: one takes ${windowWords({ window })}; take an earlier --from or a later --to.`
    : `There is nothing to release: every window of ${series} between ${from} and ${to} has run; \`opaline status\` lists the releases.`;
}

/** First days of the windows whose days are all between two days, both included. Throws USAGE. */
export function windowsBetween(series: Pick<Series, 'window'>, from: string, to: string): string[] {
  if (!isCivilDay(from) || !isCivilDay(to) || from > to)
    throw wrongUse('--from and --to take days, YYYY-MM-DD, the earlier one first.');
  const windows: string[] = [];
  for (let window = windowFrom(series, from); lastDay(series, window) <= to; window = windowAfter(series, window))
    windows.push(window);
  return windows;
}

/** Starts a back-fill. Throws BUDGET_EXCEEDED when its plan is over a cap, RELEASE_EXISTS when it is at work already. */
export async function startBackfill(
  client: OpalineClient,
  { backfill, ledger }: BackfillPlan,
  order: SignedOrder | null = null,
): Promise<string> {
  const excess = ledger.releases.find(({ refusal }) => refusal !== null);
  if (excess)
    throw new OpalineError(
      'BUDGET_EXCEEDED',
      `${excess.release} would be over a cap: ${excess.refusal} Nothing was started; take an earlier --to.`,
    );
  if (client.signingKey !== null || order) await provideOrder(client, orderOf(backfill), order);
  const { id, series, seriesDigest, atOnce, windows } = backfill;
  await startWorkflow(client, backfill).catch(
    on(WorkflowExecutionAlreadyStartedError, () => {
      throw new OpalineError(
        'RELEASE_EXISTS',
        `The back-fill ${id} is at work already; \`opaline backfill show ${id}\` shows it.`,
      );
    }),
  );
  const names = windows.map(({ window }) => window);
  const record: StoredBackfill = { series, seriesDigest, atOnce, state: 'running', windows: names };
  await changeMutable(client.releaseStore, RELEASE_KEYS.backfill(id), () => record);
  return id;
}

const startWorkflow = ({ temporal }: OpalineClient, backfill: Backfill): Promise<unknown> =>
  temporal.workflow.start('backfillWorkflow', {
    workflowId: backfillWorkflowId(backfill.id),
    taskQueue: TASK_QUEUES.public,
    args: [backfill],
    staticSummary: `Back-fill ${backfill.id}: ${backfill.windows.length} windows`,
  });

const rowsOf = (windows: readonly string[], ran: ReadonlySet<string>): BackfillWindow[] =>
  windows.map((window) => ({ window, state: ran.has(window) ? 'started-before' : 'to-do' }));

/**
 * Back-fills that people have started and not cancelled, that have windows of which no release was started, and that
 * Temporal does not know: as they go on, in the state that people have set.
 */
export async function findLostBackfills({ temporal, releaseStore }: ScheduleClient): Promise<Backfill[]> {
  const backfills: Backfill[] = [];
  for (const [id, { series, seriesDigest, atOnce, state, windows }] of await readBackfills(releaseStore)) {
    if (state === 'cancelled') continue;
    const ran = await windowsThatRan(releaseStore, series);
    if (windows.every((window) => ran.has(window))) continue;
    const handle = temporal.workflow.getHandle(backfillWorkflowId(id));
    if (await handle.describe().catch(on(WorkflowNotFoundError, () => null))) continue;
    backfills.push({ id, series, seriesDigest, atOnce, state, windows: rowsOf(windows, ran) });
  }
  return backfills;
}

/** Starts a back-fill again that Temporal has lost. One that somebody has started meanwhile is enough. */
export const restoreBackfill = (client: OpalineClient, backfill: Backfill): Promise<unknown> =>
  startWorkflow(client, backfill).catch(on(WorkflowExecutionAlreadyStartedError, () => null));

/** The order that a back-fill needs where its windows are older than the policy allows by itself. */
export const orderOf = ({ series, seriesDigest, windows }: Backfill): OrderDraft => ({
  kind: 'windows',
  series,
  seriesDigest,
  from: windows[0]!.window,
  to: windows.at(-1)!.window,
});

/** The state of a back-fill and its releases, also after its end. Throws RELEASE_UNKNOWN. */
export async function backfillStatus(client: OpalineClient, id: string): Promise<Backfill> {
  const backfill = await statusOf(handleOf(client, id)).catch(throwNoBackfill(client, id));
  return backfill.state === 'running' || backfill.state === 'paused'
    ? backfill
    : withReleases(backfill, await client.list());
}

/**
 * A back-fill that has ended, with what became of its releases since then. A release that is at work again keeps what
 * it reported last; so does one that the server has forgotten.
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
  const state = await sendUpdate<BackfillState>(handleOf(client, id), action)
    .catch(
      on(WorkflowUpdateFailedError, (error) => {
        throw error.cause ? new OpalineError('ACTION_NOT_OFFERED', error.cause.message) : error;
      }),
    )
    .catch(throwNoBackfill(client, id));
  await changeMutable(client.releaseStore, RELEASE_KEYS.backfill(id), (before) => before && { ...before, state });
  return state;
}

const handleOf = (client: OpalineClient, id: string): WorkflowHandle<(input: Backfill) => Promise<Backfill>> =>
  client.temporal.workflow.getHandle(backfillWorkflowId(id));

/** For a `catch`: says of a back-fill that is not found which are near, and throws it. */
const throwNoBackfill = (client: OpalineClient, id: string) =>
  on(WorkflowNotFoundError, async (): Promise<never> => {
    const ids = await listWorkflowIds(client.temporal, "WorkflowType = 'backfillWorkflow'");
    throw new OpalineError('RELEASE_UNKNOWN', explainBackfill(id, [...ids].map(backfillIdOf)));
  });

/** The message about a back-fill that does not answer; `ids` are those that are there, including ended ones. */
export function explainBackfill(id: string, ids: readonly string[]): string {
  if (ids.includes(id))
    return `The back-fill ${id} has ended and takes nothing more; \`opaline backfill show ${id}\` says how.`;
  if (ids.length === 0) return `There is no back-fill ${id}; \`opaline schedule backfill\` starts one.`;
  return `There is no back-fill ${id}.${nearText(id, [...new Set(ids)])}`;
}
