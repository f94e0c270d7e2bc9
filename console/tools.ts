import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { streamSSE } from 'hono/streaming';
import type { keepConsoleRecord } from '../client/console-records.ts';
import { OpalineError } from '../contracts/errors.ts';
import { parseReleasePath, type ReleaseReference } from '../contracts/names.ts';
import { sha256 } from '../services/stores/json-objects.ts';
import { type Asked, limitOf, wantsJson } from './access.ts';
import type { ConsoleData } from './data.ts';
import { type ConsolePage, frame, type Site } from './frame.ts';
import { entryPage, type PageRefusal, pageRefusal, refusalPage } from './pages/small-pages.ts';
import { clean } from './safe-text.ts';
import type { ActionOutcome, Person, Session, Sessions } from './sessions.ts';

/** Requests of a minute: of one session; of all who have none; forms of one session; records of refusals. */
export const PER_MINUTE = { session: 600, strangers: 240, forms: 60, refusals: 60 };

/** Streams of events that are open at once, and how long one lasts before the browser asks again. */
const MOST_STREAMS = 100;
const STREAM_MS = 10 * 60_000;
const LOOK_MS = 2_000;

/** What one console is made with. */
export type ConsoleSettings = {
  sessions: Sessions;
  /** What frames its pages. */
  site: Site;
  /** As browsers name this console. */
  origin: string;
  /** Names of its cookies begin with this. */
  cookie: string;
  /** Milliseconds, as Date.now gives them. */
  now: () => number;
  /** Takes what was not expected; nobody who asks reads it. */
  report: (error: unknown) => void;
  /** Called when a one-time link was used up. */
  onEntered: () => void;
  /** Do people log in with a provider, and not by links of the terminal? */
  hasLogin: boolean;
  /** Keeps what somebody did, or was refused. */
  keep: (record: Parameters<typeof keepConsoleRecord>[1]) => Promise<void>;
  /** After an action, what was read before it is not shown. */
  forget: () => void;
};

/** What the routes of every console share; and those of the console of releases, with its data. */
export type ShellTools = ReturnType<typeof toolsOf>;
export type ConsoleTools = ShellTools & { data: ConsoleData };

/** Cookies of this console: sent to it alone, by its own pages alone, and read by no script. */
export const COOKIE = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const;

export function toolsOf({ sessions, site, cookie, now, report, hasLogin, keep, forget }: ConsoleSettings) {
  const mayRecord = limitOf(PER_MINUTE.refusals, now);
  let streams = 0;

  const show = (c: Asked, page: ConsolePage) => {
    c.status(page.status ?? 200);
    return wantsJson(c) ? c.json(page.data) : c.html(frame(site, page, c.req.path, c.get('session')));
  };
  /** Keeps what was done or refused; without a code it was done. A store that does not answer stops no refusal. */
  const record = async (c: Asked, action: string, about: string, code: string | null): Promise<void> => {
    const { subject, account } = c.get('session')?.person ?? { subject: 'somebody without a session', account: '' };
    if (code !== null && !mayRecord('')) return;
    const attempt = keep({ subject, account, action, about, outcome: code === null ? 'done' : 'refused', code });
    await (code === null ? attempt : attempt.catch(report));
  };
  const refuse = async (c: Asked, refusal: PageRefusal) => {
    // A page that is not there, or that is asked for too early, is no attempt at anything.
    if (refusal.status === 403 || refusal.status === 413)
      await record(c, `${c.req.method} ${c.req.path.replace(/^\/(enter|sign)\/.*/, '/$1')}`, '', refusal.code);
    return show(c, refusalPage(clean(refusal)));
  };
  const enter = (c: Asked) => show(c, entryPage(hasLogin));
  return {
    show,
    record,
    refuse,
    enter,
    /** Opens a session for a person in this browser; what it had before ends. */
    async begin(c: Asked, person: Person): Promise<void> {
      sessions.close(getCookie(c, cookie));
      const name = sessions.open(person);
      setCookie(c, cookie, name, COOKIE);
      c.set('session', sessions.find(name));
      await record(c, 'enter', '', null);
    },
    /** Says what came of an action, keeps it, and goes back to the page that it was about. */
    async settle(c: Asked, outcome: ActionOutcome, action: string, about: string, page: string) {
      forget();
      await record(c, action, about, outcome.done ? null : outcome.code);
      if (wantsJson(c)) return c.json(clean(outcome), outcome.done ? 200 : outcome.code === 'ROLE_MISSING' ? 403 : 409);
      sessionOf(c).flash = clean(outcome);
      return c.redirect(page, 303);
    },
    /** Sends what a page is to show whenever it changes, as long as the session lasts. */
    stream(c: Asked, look: () => Promise<object>) {
      const name = getCookie(c, cookie);
      if (streams >= MOST_STREAMS) return refuse(c, TOO_MANY);
      streams += 1;
      const until = now() + STREAM_MS;
      return streamSSE(c, async (stream) => {
        let before = '';
        stream.onAbort(() => undefined);
        try {
          while (!stream.aborted && now() < until) {
            if (!sessions.find(name, false)) return await stream.writeSSE({ event: 'ended', data: '' });
            const text = JSON.stringify(await look().catch(() => null));
            if (text !== 'null' && text !== before) await stream.writeSSE({ event: 'state', data: text });
            before = text;
            await stream.sleep(LOOK_MS);
          }
        } finally {
          streams -= 1;
        }
      });
    },
  };
}

export const sessionOf = (c: Asked): Session => c.get('session')!;

export const rolesOf = (c: Asked): Person['roles'] => sessionOf(c).person.roles;

export const releaseOf = (c: Context): ReleaseReference | null => {
  const { series, window, version } = c.req.param() as Record<string, string>;
  return parseReleasePath(`${series}/${window}/${version}`);
};

export const markOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 16);

/** The token of a form, or of what a script sends. A body that cannot be read has none. */
export async function tokenOf(c: Asked): Promise<unknown> {
  if (c.req.header('content-type')?.startsWith('application/json')) return c.req.header('x-opaline-token');
  const form: Record<string, unknown> = await c.req.parseBody({ all: true }).catch(() => ({}));
  return form.token;
}

export const NOT_HERE = pageRefusal(404, 'NOT_FOUND', 'There is nothing at this address.');
export const NO_AUDIT = pageRefusal(404, 'NOT_AUDITED', 'It has not been audited yet: there is nothing to review.');
export const NOT_DRAWN = pageRefusal(503, 'NOT_DRAWN', 'This chart could not be drawn; its table has the numbers.');
export const TOO_MANY = pageRefusal(429, 'TOO_MANY_REQUESTS', 'Too much within a minute; wait for one.');
export const TOO_LARGE = pageRefusal(413, 'TOO_LARGE', 'More was sent than any form here takes.');
export const OTHER_ORIGIN = pageRefusal(403, 'ORIGIN_REFUSED', 'This came from another site, and was not done.');
export const NO_TOKEN = pageRefusal(
  403,
  'TOKEN_REFUSED',
  'The form is not of this session, and was not done. Load its page again.',
);
export const USED_LINK = pageRefusal(
  403,
  'LINK_USED',
  'This link was used, or is too old. The terminal in which the console runs shows another one.',
);

/** What went wrong, in words; nothing of what was not expected. */
export function refusalOf(error: unknown): PageRefusal {
  if (!(error instanceof OpalineError)) {
    if (error instanceof Error && /ServiceError|GrpcError/.test(`${error.name} ${error.constructor.name}`)) return AWAY;
    return pageRefusal(500, 'UNEXPECTED', 'Something unexpected happened; the log of the console has it.');
  }
  const { code, message } = error;
  if (code === 'SERVER_UNAVAILABLE' || code === 'STORE_UNAVAILABLE') return { ...AWAY, code };
  if (code === 'RELEASE_UNKNOWN' || code === 'OBJECT_MISSING') return pageRefusal(404, code, message);
  return pageRefusal(code === 'USAGE' || code === 'WINDOW_INVALID' ? 400 : 409, code, message);
}

const AWAY = pageRefusal(
  503,
  'SERVER_UNAVAILABLE',
  'What makes releases does not answer at the moment. Nothing is lost; try again in a while. Operators look into it.',
);
