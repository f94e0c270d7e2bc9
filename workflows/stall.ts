import { ActivityFailure, ApplicationFailure, condition } from '@temporalio/workflow';
import { ERRORS, type ErrorCode } from '../contracts/errors.ts';
import { RELEASE_STATE_TABLE } from '../contracts/release-state.ts';
import { limitsOf, mostAttempts } from '../contracts/stage-limits.ts';
import type { Stall } from '../contracts/stages.ts';
import { catchFailure } from './activities.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { offer } from './requests.ts';

/** Whether a release waits for people with a code, or ends. */
type Waits = (code: ErrorCode) => boolean;

/** Not tried again, as it does not get better by itself; but people mend it outside of the release, and it goes on. */
const MENDED_BY_PEOPLE: readonly ErrorCode[] = [
  'CONFIGURATION_INVALID',
  'WINDOW_INVALID', // a clock that was set back
  'LEDGER_BROKEN',
  'LEDGER_BEHIND',
  'TRUST_INVALID',
  'COPY_DIFFERS',
  'SERIES_UNSIGNED',
  'POLICY_REFUSED',
  'ORDER_MISSING',
  'STORE_UNSAFE', // the store of publications, found by its first write
];

/** A code that is not in the table comes from another build: that is mended too. */
const canBeMended: Waits = (code) => MENDED_BY_PEOPLE.includes(code) || (ERRORS[code]?.retryable ?? true);

/** For the plan: what starts on a wrong day is no window. Once it is planned, only a clock can say that it is not. */
export const unlessNoWindow: Waits = (code) => code !== 'WINDOW_INVALID' && canBeMended(code);

/** For what must be written in the end, however it fails. */
export const whateverTheCode: Waits = () => true;

/**
 * The result of a stage. When it has failed for good, the release stalls: it waits until people have mended the cause
 * and retry it, at no cost, as every stage is safe to run twice. Throws what ends the release: a code that no retry
 * mends, and a cancellation, also of a release that is stalled.
 */
export async function orStall<Result>(
  progress: ReleaseProgress,
  stage: () => Promise<Result>,
  waits: Waits = canBeMended,
): Promise<Result> {
  for (;;) {
    try {
      return await stage();
    } catch (error) {
      const failure = catchFailure(error);
      if (!waits(failure.code)) throw error;
      await stall(progress, { ...triesOf(error), ...failure });
    }
  }
}

async function stall(progress: ReleaseProgress, cause: Omit<Stall, 'since' | 'from'>): Promise<void> {
  const from = progress.state;
  progress.stall = { ...cause, since: new Date().toISOString(), from };
  // What has been decided is carried out: nobody takes a release back that may be public in part.
  const isEnding = from === 'publishing' || RELEASE_STATE_TABLE[from].final;
  progress.enter(isEnding ? 'ending-stalled' : 'stalled', progress.stage);
  try {
    await condition(() => progress.stall === null);
  } finally {
    progress.stall = null;
  }
}

/** Offers to begin again the stage that a release is stalled in. */
export function offerRetryStage(progress: ReleaseProgress): void {
  offer(progress, 'retryStage', () => {
    const { stall, stage } = progress;
    progress.stall = null;
    if (stall) progress.enter(stall.from, stage);
    return progress.accepted();
  });
}

/** The activity that failed, and how often it was tried; an attempt that used up its time does not say which it was. */
function triesOf(error: unknown): Pick<Stall, 'activity' | 'attempts'> {
  if (!(error instanceof ActivityFailure)) return { activity: 'unknown', attempts: 1 };
  const { activityType, cause, retryState } = error;
  if (retryState === 'MAXIMUM_ATTEMPTS_REACHED')
    return { activity: activityType, attempts: mostAttempts(limitsOf(activityType)) };
  const attempt = cause instanceof ApplicationFailure ? cause.details?.[0] : 1;
  return { activity: activityType, attempts: typeof attempt === 'number' ? attempt : 1 };
}
