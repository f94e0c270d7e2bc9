import type { Context, MiddlewareHandler } from 'hono';
import { isSame, type Session } from './sessions.ts';

/** What is known of a request beside itself. */
export type ConsoleEnv = { Variables: { session: Session | null } };
export type Asked = Context<ConsoleEnv>;

/**
 * Nothing is loaded but from here, nothing runs but the one script file where people sign, nobody frames a page, and no
 * page is kept. The referrer stays on this site, so that forms carry their origin.
 */
const headersOf = (isForSigning: boolean): Readonly<Record<string, string>> => {
  const [scripts, passkeys] = isForSigning ? ["'self'", '(self)'] : ["'none'", '()'];
  return {
    'Content-Security-Policy': `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; connect-src ${scripts}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    'Permissions-Policy': `publickey-credentials-get=${passkeys}, publickey-credentials-create=${passkeys}, camera=(), microphone=(), geolocation=(), payment=(), usb=()`,
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    Vary: 'Accept, Cookie',
  };
};

/** Sets the headers of every answer, of errors too. */
export const headers = (origin: string, isForSigning: boolean): MiddlewareHandler => {
  const own = Object.entries(headersOf(isForSigning));
  return async (c, next) => {
    await next();
    for (const [name, value] of own) c.header(name, value);
    if (origin.startsWith('https:')) c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
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

/** So much of something within a minute; what is over it is refused until the minute is over. */
export class Limit {
  private readonly most: number;
  private readonly now: () => number;
  private counts = new Map<string, number>();
  private minute = 0;

  constructor(most: number, now: () => number) {
    this.most = most;
    this.now = now;
  }

  /** Counts one more; false when that is too many. */
  take(name: string): boolean {
    const minute = Math.floor(this.now() / 60_000);
    if (minute !== this.minute) this.counts = new Map();
    this.minute = minute;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count <= this.most;
  }
}
