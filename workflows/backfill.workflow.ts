import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  BACKFILL_STATE_TABLE,
  type Backfill,
  type BackfillAction,
  type BackfillState,
  RELEASE_MOVED,
  type ReleaseMoved,
} from '../contracts/backfill.ts';
import { isReleaseMoved, wrongBackfill } from '../contracts/sent-values.ts';
import { isOver, markMoved, markStarted, nextWindow } from './backfill-progress.ts';
import { lookForEnded } from './look-for-ended.ts';
import { refuseInput } from './refuse-input.ts';
import { startChildRelease } from './start-release.ts';

/** Releases that one run of the workflow starts; then it continues as new, and its history stays short. */
const STARTS_PER_RUN = 10;

/** Pause between two looks whether the releases at work are still there. */
const LOOK_AGAIN = '10 minutes';

const AFTER: Record<BackfillAction, BackfillState> = { pause: 'paused', resume: 'running', cancel: 'cancelled' };

/**
 * Releases many windows, so many at once. A release that reaches the gate frees its slot: hundreds of them may wait for
 * people while the others are made. Releases outlive it and tell it where they stand; it looks for those that cannot.
 */
export async function backfillWorkflow(backfill: Backfill): Promise<Backfill> {
  refuseInput(wrongBackfill(backfill));
  setHandler(defineQuery<Backfill>('status'), () => backfill);
  // Anybody can send a signal, and each is in the history: what releases do not say is passed over.
  setHandler(defineSignal<[ReleaseMoved]>(RELEASE_MOVED), (moved) => {
    if (isReleaseMoved(moved)) markMoved(backfill, moved);
  });
  for (const action of ['pause', 'resume', 'cancel'] as const) offer(backfill, action);

  let starts = 0;
  await lookForEnded(backfill);
  const isFull = () => starts >= STARTS_PER_RUN || workflowInfo().continueAsNewSuggested;
  while (!isOver(backfill)) {
    const window = nextWindow(backfill);
    if (window && !isFull()) {
      starts += 1;
      await start(backfill, window);
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
 * Waits until something is to be done. A release that ends as it should tells so; one that is terminated or timed out
 * in Temporal tells nothing, so the back-fill looks again and again, and when people pause or resume it.
 */
async function wait(backfill: Backfill, isDue: () => boolean): Promise<void> {
  const { state } = backfill;
  const isWoken = () => isDue() || backfill.state !== state;
  await condition(isWoken, LOOK_AGAIN);
  if (!isDue()) await lookForEnded(backfill);
}

async function start(backfill: Backfill, window: string): Promise<void> {
  const { series, seriesDigest } = backfill;
  markStarted(backfill, window, await startChildRelease({ series, window, version: 1, seriesDigest }));
}

function offer(backfill: Backfill, action: BackfillAction): void {
  const handle = () => {
    backfill.state = AFTER[action];
    return backfill.state;
  };
  setHandler(defineUpdate<BackfillState, []>(action), handle, {
    validator: (...sent: unknown[]) => {
      if (sent.some((one) => one !== undefined && one !== null))
        throw ApplicationFailure.nonRetryable(`To ${action} a back-fill takes no argument.`, 'USAGE');
      if (BACKFILL_STATE_TABLE[backfill.state].includes(action)) return;
      const refusal = `A back-fill that is ${backfill.state} does not offer ${action}.`;
      throw ApplicationFailure.nonRetryable(refusal, 'ACTION_NOT_OFFERED');
    },
  });
}
