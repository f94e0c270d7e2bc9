import { createHmac } from 'node:crypto';
import { OpalineError } from '../../contracts/errors.ts';
import type { Secret } from '../../contracts/secret.ts';
import { readSecret } from '../secrets.ts';

/** Where notices are posted, and the secret that signs them. */
export type Webhook = { url: string; secret: () => Promise<string> };

/** A webhook of a deployment file, with its secret as it is then. Throws CONFIGURATION_INVALID when it is not there. */
export async function openWebhook(webhook: { url: string; secret: Secret }, field: string): Promise<Webhook> {
  const secret = () => readSecret(webhook.secret, `${field}.secret`);
  await secret();
  return { url: webhook.url, secret };
}

/** Milliseconds that a receiver gets to answer. */
const ANSWER_MS = 10_000;

/**
 * Posts a JSON text, with the time of its signature in Unix seconds. The signature is `sha256=` and the HMAC-SHA-256
 * (RFC 2104) over time, a full stop, and the body, in hexadecimal: a receiver computes it again and refuses a time that
 * is minutes old, so that nobody can send a notice again later. No redirect is followed. Throws NOTICE_FAILED; its
 * message holds nothing that the receiver has said.
 */
export async function postSigned({ url, secret }: Webhook, body: string, now: Date): Promise<void> {
  const time = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', await secret())
    .update(`${time}.${body}`)
    .digest('hex');
  const headers = {
    'content-type': 'application/json',
    'opaline-time': time,
    'opaline-signature': `sha256=${signature}`,
  };
  let status: number;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    await response.body?.cancel();
    status = response.status;
  } catch {
    throw new OpalineError('NOTICE_FAILED', 'A webhook did not answer; look at its address and at its receiver.');
  }
  if (status < 200 || status > 299)
    throw new OpalineError('NOTICE_FAILED', `A webhook answered ${status}; look at its secret and at its receiver.`);
}
