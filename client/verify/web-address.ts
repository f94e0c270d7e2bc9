import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { isCertificateRefused } from '../../services/refused-certificate.ts';
import { tooMuch } from './folder-files.ts';

/** Addresses of a person's own computer, where nobody listens in: the only ones that are read without TLS. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** How long a server is waited for: for its next bytes, and for all files of a place together. */
export type Patience = { idleMs: number; whole: AbortSignal };

/** 4 GiB, the most that is read, take 18 minutes at 30 Mbit/s. */
export const newPatience = (idleMs = 30_000, wholeMs = 30 * 60_000): Patience => ({
  idleMs,
  whole: AbortSignal.timeout(wholeMs),
});

/** What a server says of a file that is not there; storage services say 403 to clients that may not list. */
const ABSENT: readonly number[] = [403, 404, 410];

/**
 * A text as the address of a folder of the web, with `/` at its end; null when it is no address but the path of a folder.
 * Throws USAGE for one that is not https, or http to this computer.
 */
export function webAddress(text: string): URL | null {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return null;
  const address = URL.canParse(text) ? new URL(text) : null;
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && LOOPBACK.test(address.hostname));
  if (!address || !isSafe || address.username !== '' || address.search !== '')
    throw wrongUse('An address begins with https:// and ends with a path; it has no name and no question.');
  address.hash = '';
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  return address;
}

/**
 * The bytes of a file of the web, null when there is none. Throws USAGE for a longer one or an address that leads to
 * another one, STORE_UNAVAILABLE when the server does not answer, or is slower than the patience that is left.
 */
export async function fetchFile(
  address: URL,
  mostBytes: number,
  { idleMs, whole }: Patience = newPatience(),
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), idleMs);
  try {
    const answer = await fetch(address, { redirect: 'manual', signal: AbortSignal.any([whole, idle.signal]) });
    if (ABSENT.includes(answer.status)) return null;
    if (answer.status >= 300 && answer.status < 400) throw wrongUse('The address leads to another one; name that one.');
    if (answer.status !== 200 || !answer.body) throw unavailable();
    for await (const chunk of answer.body) {
      timer.refresh();
      length += chunk.length;
      if (length > mostBytes) throw tooMuch();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof OpalineError ? error : isCertificateRefused(error) ? certificateError() : unavailable();
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

const unavailable = (): OpalineError =>
  new OpalineError('STORE_UNAVAILABLE', 'The address does not answer, or not with a file; try it in a browser.');

const certificateError = (): OpalineError =>
  new OpalineError(
    'STORE_UNAVAILABLE',
    'The certificate of the server is refused here. If it is of an authority of your own, name its file (PEM) in NODE_EXTRA_CA_CERTS.',
  );
