import type { NoticesConfiguration } from '../../contracts/deployment.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { emailChannel } from './email.ts';
import type { Channel, NoticeMessage } from './message.ts';
import { openWebhook, postSigned } from './webhook.ts';

/**
 * The channels of a deployment file by name: `email`, `webhook-1`, `webhook-2` and so on; names go into histories, so
 * that they hold no address. Throws CONFIGURATION_INVALID for a secret that is not there.
 */
export async function openChannels(notices: NoticesConfiguration | undefined): Promise<ReadonlyMap<string, Channel>> {
  const channels = new Map<string, Channel>();
  if (notices?.email) channels.set('email', await emailChannel(notices.email));
  for (const [at, { url, secret }] of (notices?.webhooks ?? []).entries()) {
    const webhook = await openWebhook({ url, secret }, `notices.webhooks.${at}`);
    channels.set(`webhook-${at + 1}`, (message, now) =>
      postSigned(webhook, JSON.stringify({ format: 'opaline-notice/1', ...message }), now),
    );
  }
  const toPage = pageLink(notices?.console);
  return new Map(
    [...channels].map(([name, channel]) => [name, limit((message, now) => channel(toPage(message), now))]),
  );
}

/** Adds the page of the console that a notice is about. */
const pageLink =
  (console: string | undefined) =>
  (message: NoticeMessage): NoticeMessage =>
    console === undefined
      ? message
      : { ...message, sentences: [...message.sentences, `In the console: ${console}/releases/${message.release}`] };

/** Notices by one channel in an hour: whoever may schedule them cannot flood people. The rest is tried again later. */
export const MOST_IN_AN_HOUR = 50;

function limit(channel: Channel): Channel {
  let times: number[] = [];
  return async (message, now) => {
    times = times.filter((at) => at > now.getTime() - 3_600_000);
    if (times.length >= MOST_IN_AN_HOUR)
      throw new OpalineError('NOTICE_FAILED', `${MOST_IN_AN_HOUR} notices went out in this hour; the next one waits.`);
    times.push(now.getTime());
    await channel(message, now);
  };
}
