import { CancellationScope, isCancellation, log, sleep } from '@temporalio/workflow';
import { NOTICE_STATES, type Notice, type NoticeState } from '../contracts/notices.ts';
import type { ReleaseState } from '../contracts/release-state.ts';
import { publicStages } from './activities.ts';
import { failureCode } from './failure-code.ts';
import type { ReleaseProgress } from './release-progress.ts';

const isTold = (state: ReleaseState): state is NoticeState => NOTICE_STATES.some((told) => told === state);

/**
 * Has people told, beside everything else, whenever the release comes to a state in which somebody has to act; nothing
 * waits for it, and a notice that cannot be delivered fails nothing. What the release has left behind is told no more.
 * Who has a gate told is reminded of it once, at half of its time.
 * Gives what ends with the last notice: the workflow waits for that before it completes, as a failure is told at its end.
 */
export function tellPeople(progress: ReleaseProgress, about: Notice['about']): () => Promise<void> {
  let last: { scope: CancellationScope; told: Promise<void> } | null = null;
  progress.onEnter = (state) => {
    last?.scope.cancel();
    last = null;
    if (!isTold(state)) return;
    const scope = new CancellationScope();
    last = { scope, told: scope.run(() => tell(progress, about, state)).catch(note) };
  };
  return async () => last?.told;
}

async function tell(progress: ReleaseProgress, about: Notice['about'], state: NoticeState): Promise<void> {
  const { run } = progress;
  const channels = await publicStages.noticeChannels(run);
  const send = async (notice: Notice): Promise<void> =>
    void (await Promise.all(channels.map((channel) => publicStages.notify({ ...run, notice, channel }).catch(note))));
  // Only now: a gate that opens has its time a moment after its state.
  const { expiresAt, ...notice } = noticeOf(progress, about, state);
  const told = send({ ...notice, expiresAt });
  if (expiresAt !== null && channels.length > 0) {
    await sleep(Math.max(0, (Date.parse(expiresAt) - Date.now()) / 2));
    const signed = progress.decisions.length;
    await send({ ...noticeOf(progress, about, state), reminder: { signed, required: progress.plan.required } });
  }
  await told;
}

function note(error: unknown): void {
  if (!isCancellation(error)) log.warn('a notice was not delivered', { code: failureCode(error).code });
}

const noticeOf = (progress: ReleaseProgress, about: Notice['about'], state: NoticeState): Notice => ({
  ...{ about, state },
  at: progress.since ?? new Date().toISOString(),
  verdict: progress.audit?.verdict ?? null,
  attention: progress.audit?.attention ?? [],
  code: (progress.stall ?? progress.ending)?.code ?? null,
  failed: progress.inState('failed').length,
  expiresAt: state === 'waiting' ? progress.expiresAt : null,
});
