import { z } from 'zod';
import type { Notice } from '../../contracts/notices.ts';
import type { Run } from '../../contracts/stages.ts';
import { readDecisionRecord } from '../../services/decisions/decision-record.ts';
import { decisionMessage, type NoticeMessage, noticeMessage } from '../../services/notices/message.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { readDecision } from '../../services/signing/decision-statement.ts';
import { payloadOf } from '../../services/signing/envelope.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { approversOfSeries, isSignedByApprover } from '../../services/trust/trusted-approvers.ts';

/**
 * The names of the channels by which people are notified, as the deployment file has them; each is a notice of its own,
 * so that one that fails is repeated alone. Safe to run twice: it writes nothing. @contract safe-to-retry
 */
export const noticeChannels = async ({ channels }: PublicContext, _run: Run): Promise<string[]> => [...channels.keys()];

/**
 * Tells people by one channel what the public side knows of a release, or every approver of a decision that was taken. A
 * channel that the deployment file has no more reaches nobody, and nor does a decision that no approver signed. Throws
 * NOTICE_FAILED.
 *
 * Safe to run twice: the same notice has the same id, by which a receiver knows it again; an attempt whose end nobody
 * saw may have sent it before. @contract safe-to-retry
 */
export async function notify(
  context: PublicContext,
  { notice, channel, ...run }: Run & { notice: Notice; channel: string },
): Promise<void> {
  const { channels, now, releaseStore } = context;
  const { decision } = notice;
  if (decision !== undefined) {
    const message = await decisionNotice(context, run, { ...notice, decision });
    if (message) await channels.get(channel)?.(message, now());
    return;
  }
  // A release that is stalled by its store is reported all the same.
  const { timeZone } = await readSeries(releaseStore, run).catch(() => ({ timeZone: 'UTC' }));
  await channels.get(channel)?.(noticeMessage(run, notice, timeZone), now());
}

/** The message of a decision that is kept, for all approvers of the series whose names are addresses. */
async function decisionNotice(
  { releaseStore, trust }: PublicContext,
  run: Run,
  notice: Notice & { decision: string },
): Promise<NoticeMessage | null> {
  const record = await readDecisionRecord(releaseStore, run, notice.decision);
  const version = newestVersion(await trust());
  if (!record || !isSignedByApprover(version, readDecision(record.envelope), record.envelope)) return null;
  const subjects = approversOfSeries(version, run.series).map(({ subject }) => subject);
  const people = [...new Set(subjects)].filter((subject) => z.email().max(300).safeParse(subject).success);
  return decisionMessage(run, notice, payloadOf(record.envelope), people);
}
