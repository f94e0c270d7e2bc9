import type { Context, MiddlewareHandler } from 'hono';
import { isSame, type Session } from './sessions.ts';

/** What is known of a request beside itself. */
export type ConsoleEnv = { Variables: { session: Session | null } };
export type Asked = Context<ConsoleEnv>;

/**
 * Sets the headers of every answer, of errors too. Nothing is loaded but from here, nothing runs but the one script file
 * where people sign, nobody frames a page, and no page is kept. The referrer stays on this site, so that forms carry
 * their origin.
 */
export const headers = (origin: string, isForSigning: boolean): MiddlewareHandler => {
  const [scripts, passkeys] = isForSigning ? ["'self'", '(self)'] : ["'none'", '()'];
  const own = Object.entries({
    'Content-Security-Policy': `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; connect-src ${scripts}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    'Permissions-Policy': `publickey-credentials-get=${passkeys}, publickey-credentials-create=${passkeys}, camera=(), microphone=(), geolocation=(), payment=(), usb=()`,
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    Vary: 'Accept, Cookie',
    ...(origin.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  });
  return async (c, next) => {
    await next();
    for (const [name, value] of own) c.header(name, value);
  };
};

/** Turns away what asks for another host: a name that somebody points at this address reads nothing. */
export const ownHost =
  (origin: string): MiddlewareHandler =>
  async (c, next) => {
    if (c.req.header('host') !== new URL(origin).host) return c.text('This console has another address.', 421);
    return next();
  };

/** Does a form come from a page of this console? A browser says so of every form; what does not say it is refused. */
export const isOwnOrigin = (c: Context, origin: string): boolean => {
  const site = c.req.header('sec-fetch-site');
  return c.req.header('origin') === origin && (site === undefined || site === 'same-origin');
};

/** Does the form carry the token of its session? */
export const hasToken = (session: Session, token: unknown): boolean =>
  typeof token === 'string' && isSame(token, session.token);

/** Does whoever asks want JSON? A browser that goes to a page does not. */
export const wantsJson = (c: Context): boolean => {
  const accepts = c.req.header('accept') ?? '';
  return accepts.includes('application/json') && !accepts.includes('text/html');
};

/**
 * So much of something within a minute: counts one more of a name, and says whether that is within it. What is over it is
 * refused until the minute is over.
 */
export function limitOf(most: number, now: () => number) {
  let counts = new Map<string, number>();
  let minute = 0;
  return (name: string): boolean => {
    const own = Math.floor(now() / 60_000);
    if (own !== minute) counts = new Map();
    minute = own;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= most;
  };
}
