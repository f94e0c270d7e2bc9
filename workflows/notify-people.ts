import {
  CancellationScope,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { isBackfillWorkflowId, RELEASE_MOVED, type ReleaseMoved, STILL_THERE } from '../contracts/backfill.ts';
import { NOTICE_STATES, type Notice, type NoticeState } from '../contracts/notices.ts';
import { RELEASE_STATE_TABLE, type ReleaseState } from '../contracts/release-state.ts';
import type { Run, SourceChanges } from '../contracts/stages.ts';
import { publicStages, readFailure } from './activities.ts';
import type { ReleaseProgress } from './release-progress.ts';

/** States in which a release waits for people: it frees its slot in the back-fill, as it does when it has ended. */
const WAITING: readonly ReleaseState[] = [
  'waiting',
  'waiting-for-objects',
  'partitions-failed',
  'stalled',
  'ending-stalled',
];

/**
 * Reports the state of this release to the back-fill that started it, until the release ends; a release that no
 * back-fill started reports to nobody. The workflow waits for it before it completes, so that the last state arrives.
 */
export async function reportToBackfill(progress: ReleaseProgress): Promise<void> {
  const backfill = workflowInfo().parent?.workflowId;
  if (!backfill || !isBackfillWorkflowId(backfill)) return;
  setHandler(defineSignal(STILL_THERE), () => {}); // that it arrives is the answer
  const isFinal = (state: ReleaseState) => RELEASE_STATE_TABLE[state].final;
  await CancellationScope.nonCancellable(async () => {
    for (let last: ReleaseState = 'running'; !isFinal(last); ) {
      await condition(() => progress.state !== last && (WAITING.includes(progress.state) || isFinal(progress.state)));
      last = progress.state;
      const report: ReleaseMoved = { window: progress.run.window, state: last };
      // By its id alone, as it may have continued as new; and it may have ended, when nobody needs the report.
      await getExternalWorkflowHandle(backfill)
        .signal(RELEASE_MOVED, report)
        .catch(() => {});
    }
  });
}

/**
 * Has people notified, beside everything else, whenever the release comes to a state in which somebody has to act;
 * nothing waits for it, and a notice that cannot be delivered fails nothing. A state that the release has left is
 * notified no more; of a decision that was taken every approver is. Of a gate that is open still people are reminded
 * once, at half of its time. Gives what ends with the last notice: the workflow waits for that before it completes, as a
 * failure comes at its end.
 */
export function notifyPeople(progress: ReleaseProgress, about: Notice['about']): () => Promise<void> {
  let last: { scope: CancellationScope; sent: Promise<void> } | null = null;
  progress.onEnter = (next) => {
    last?.scope.cancel();
    const state = NOTICE_STATES.find((one) => one === next && one !== 'published');
    const scope = new CancellationScope();
    last = state ? { scope, sent: scope.run(() => send(progress, about, state)).catch(logFailure) } : null;
  };
  const notices: Promise<unknown>[] = [];
  progress.onDecision = (decision) => {
    const notice = { ...noticeOf(progress, about, 'waiting'), expiresAt: null, decision };
    const tell = async () => sendBy(await publicStages.noticeChannels(progress.run), progress.run, notice);
    // Whatever ends the release, a decision is reported.
    notices.push(CancellationScope.nonCancellable(tell).catch(logFailure));
  };
  return async () => {
    await last?.sent;
    await Promise.all(notices);
  };
}

async function send(progress: ReleaseProgress, about: Notice['about'], state: NoticeState): Promise<void> {
  const { run } = progress;
  const channels = await publicStages.noticeChannels(run);
  // Only now: a gate that opens has its time a moment after its state.
  const notice = noticeOf(progress, about, state);
  const delivery = sendBy(channels, run, notice);
  if (notice.expiresAt !== null && channels.length > 0) {
    await sleep(Math.max(0, (Date.parse(notice.expiresAt) - Date.now()) / 2));
    const reminder = { signed: progress.decisions.length, required: progress.plan.required };
    await sendBy(channels, run, { ...noticeOf(progress, about, state), reminder });
  }
  await delivery;
}

const sendBy = (channels: readonly string[], run: Run, notice: Notice): Promise<unknown> =>
  Promise.all(channels.map((channel) => publicStages.notify({ ...run, notice, channel }).catch(logFailure)));

/** Notifies people of objects of a publication that came or changed since, if any did; `at`: when it was looked at. */
export async function notifyChanges(run: Run, { changed: all }: SourceChanges, at: string): Promise<void> {
  const changes = all.filter(({ change }) => change !== 'missing');
  if (changes.length === 0) return;
  const nothing = { verdict: null, attention: [], code: null, failed: 0, expiresAt: null };
  const notice: Notice = { about: 'sources', state: 'published', at, ...nothing, changed: changes };
  await sendBy(await publicStages.noticeChannels(run), run, notice);
}

function logFailure(error: unknown): void {
  if (!isCancellation(error)) log.warn('a notice was not delivered', { code: readFailure(error).code });
}

const noticeOf = (progress: ReleaseProgress, about: Notice['about'], state: NoticeState): Notice => ({
  about,
  state,
  at: progress.since ?? new Date().toISOString(),
  verdict: progress.audit?.verdict ?? null,
  attention: progress.audit?.attention ?? [],
  code: (progress.stall ?? progress.ending)?.code ?? null,
  failed: progress.inState('failed').length,
  expiresAt: state === 'waiting' ? progress.expiresAt : null,
});
