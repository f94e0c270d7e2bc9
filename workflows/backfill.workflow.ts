import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  BACKFILL_STATE_TABLE,
  type Backfill,
  type BackfillAction,
  type BackfillState,
  type BackfillWindow,
  RELEASE_MOVED,
  type ReleaseMoved,
  STILL_THERE,
} from '../contracts/backfill.ts';
import { PRIORITY, releaseWorkflowId } from '../contracts/names.ts';
import { isReleaseMoved, wrongBackfill } from '../contracts/sent-values.ts';
import { offerPlain, refuseInput } from './requests.ts';
import { startChildRelease } from './schedule.workflow.ts';

/** Releases that one run of the workflow starts; then it continues as new, and its history stays short. */
const STARTS_PER_RUN = 5;

/** Pause between two looks whether the releases at work are still there. */
const LOOK_AGAIN = '10 minutes';

const AFTER: Record<BackfillAction, BackfillState> = { pause: 'paused', resume: 'running', cancel: 'cancelled' };

/**
 * Releases many windows, `atOnce` at a time. A release that reaches the gate frees its slot: hundreds of them may wait
 * for people while the others are made. Releases outlive it and report their states to it; it looks for those that
 * cannot.
 */
export async function backfillWorkflow(backfill: Backfill): Promise<Backfill> {
  refuseInput(wrongBackfill(backfill));
  setHandler(defineQuery<Backfill>('status'), () => backfill);
  // Anybody can send a signal, and each is in the history: what releases do not say is passed over.
  setHandler(defineSignal<[ReleaseMoved]>(RELEASE_MOVED), (report) => {
    if (isReleaseMoved(report)) mark(backfill, report.window, report.state);
  });
  for (const action of ['pause', 'resume', 'cancel'] as const) offer(backfill, action);

  let starts = 0;
  await lookForEnded(backfill);
  const isFull = () => starts >= STARTS_PER_RUN || workflowInfo().continueAsNewSuggested;
  while (!isOver(backfill)) {
    const window = nextWindow(backfill);
    if (window && !isFull()) {
      starts += 1;
      const { series, seriesDigest } = backfill;
      const isStarted = await startChildRelease({ series, window, version: 1, seriesDigest }, PRIORITY.patient);
      // A quick release may have reported its state before its start came back.
      mark(backfill, window, isStarted ? 'running' : 'started-before', 'to-do');
    } else if (isFull()) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof backfillWorkflow>(backfill);
    } else await wait(backfill, () => isOver(backfill) || nextWindow(backfill) !== null || isFull());
  }
  if (backfill.state !== 'cancelled') backfill.state = 'done';
  await condition(allHandlersFinished);
  return backfill;
}

/**
 * Waits until something is to be done. A release that ends as it should reports it; one that is terminated or timed out
 * in Temporal reports nothing, so the back-fill looks again and again, and when people pause or resume it.
 */
async function wait(backfill: Backfill, isDue: () => boolean): Promise<void> {
  const { state } = backfill;
  await condition(() => isDue() || backfill.state !== state, LOOK_AGAIN);
  if (!isDue()) await lookForEnded(backfill);
}

/**
 * Frees the slots of releases that were ended in Temporal from outside. Why a signal: the server refuses one to a
 * workflow that is gone, and nothing else informs a parent of a child that outlives it across continue-as-new.
 */
async function lookForEnded(backfill: Backfill): Promise<void> {
  const { series } = backfill;
  await Promise.all(
    windowsAtWork(backfill).map(async (window) => {
      const release = getExternalWorkflowHandle(releaseWorkflowId({ series, window, version: 1 }));
      try {
        await release.signal(STILL_THERE);
      } catch {
        // The only refusal there is: no open workflow has this id. It may have reported its state meanwhile.
        mark(backfill, window, 'ended-outside', 'running');
      }
    }),
  );
}

function offer(backfill: Backfill, action: BackfillAction): void {
  const serve = () => {
    backfill.state = AFTER[action];
    return backfill.state;
  };
  offerPlain(action, `${action} a back-fill`, serve, () =>
    BACKFILL_STATE_TABLE[backfill.state].includes(action)
      ? null
      : `A back-fill that is ${backfill.state} does not offer ${action}.`,
  );
}

/** The next window to start now, or null: nothing is left, no slot is free, or the back-fill is not running. */
export function nextWindow(backfill: Backfill): string | null {
  if (backfill.state !== 'running' || windowsAtWork(backfill).length >= backfill.atOnce) return null;
  return backfill.windows.find(({ state }) => state === 'to-do')?.window ?? null;
}

/** Windows whose releases hold a slot. One that comes to the gate, or waits for people otherwise, has freed its own. */
export const windowsAtWork = ({ windows }: Backfill): string[] =>
  windows.filter(({ state }) => state === 'running').map(({ window }) => window);

/** True when the back-fill has nothing to do any more. A cancelled one does not wait for the releases at work. */
export const isOver = (backfill: Backfill): boolean =>
  backfill.state === 'cancelled' || backfill.windows.every(({ state }) => state !== 'to-do' && state !== 'running');

/** Notes the state of a window: only if its state is `before`, when that is given. Other windows are no news. */
export function mark(
  backfill: Backfill,
  window: string,
  state: BackfillWindow['state'],
  before?: BackfillWindow['state'],
): void {
  const entry = backfill.windows.find((one) => one.window === window);
  if (entry && (before === undefined || entry.state === before)) entry.state = state;
}
