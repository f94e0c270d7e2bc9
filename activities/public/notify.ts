import type { Notice } from '../../contracts/notices.ts';
import type { Run } from '../../contracts/stages.ts';
import { noticeMessage } from '../../services/notices/message.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { readSeries } from '../../services/stores/series-objects.ts';

/**
 * The names of the channels by which people are told, as the deployment file has them; each is a notice of its own, so
 * that one that fails is repeated alone. Safe to run twice: it writes nothing. @contract safe-to-retry
 */
export const noticeChannels = async ({ channels }: PublicContext, _run: Run): Promise<string[]> => [...channels.keys()];

/**
 * Tells people by one channel what the public side knows of a release. A channel that the deployment file has no more
 * reaches nobody. Throws NOTICE_FAILED.
 *
 * Safe to run twice: the same notice has the same id, by which a receiver knows it again; an attempt whose end nobody
 * saw may have told it before. @contract safe-to-retry
 */
export async function notify(
  { channels, now, releaseStore }: PublicContext,
  { notice, channel, ...run }: Run & { notice: Notice; channel: string },
): Promise<void> {
  // A release that is stalled by its store is told of all the same.
  const { timeZone } = await readSeries(releaseStore, run).catch(() => ({ timeZone: 'UTC' }));
  await channels.get(channel)?.(noticeMessage(run, notice, timeZone), now());
}
