import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { ICON } from '../services/pages/page-head.ts';
import { type Asked, type ConsoleEnv, hasToken, headers, isOwnOrigin, limitOf, ownHost } from './access.ts';
import { STYLE } from './frame.ts';
import { SCRIPT } from './script.ts';
import {
  COOKIE,
  type ConsoleSettings,
  NO_TOKEN,
  NOT_HERE,
  OTHER_ORIGIN,
  PER_MINUTE,
  refusalOf,
  type ShellTools,
  TOO_LARGE,
  TOO_MANY,
  tokenOf,
  USED_LINK,
} from './tools.ts';

/** Bytes of a form, or of what a browser sends of a passkey. */
const MOST_BODY = 32 * 1024;

/**
 * What every console begins with: headers, bounds, sessions and their forms. `addWays`: other ways in than by a link.
 * Whatever is added afterwards is for those who have a session.
 */
export function consoleShell(
  { sessions, origin, cookie, now, report, onEntered, site }: ConsoleSettings,
  tools: ShellTools,
  addWays: (app: Hono<ConsoleEnv>) => void = () => undefined,
): Hono<ConsoleEnv> {
  const { refuse } = tools;
  const limits = Object.fromEntries(
    Object.entries(PER_MINUTE).map(([name, most]) => [name, limitOf(most, now)]),
  ) as Record<keyof typeof PER_MINUTE, ReturnType<typeof limitOf>>;
  const app = new Hono<ConsoleEnv>();

  app.use(headers(origin, site.isForSigning), ownHost(origin));
  app.use(async (c, next) => {
    const name = getCookie(c, cookie);
    c.set('session', sessions.find(name, !c.req.path.startsWith('/events')));
    const isWithin = c.get('session') ? limits.session(name!) : limits.strangers('');
    return isWithin ? next() : refuse(c, TOO_MANY);
  });
  app.use(bodyLimit({ maxSize: MOST_BODY, onError: (c) => refuse(c, TOO_LARGE) as Promise<Response> }));
  // Every form: from a page of this console, of a session, with its token.
  app.use(async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    if (c.req.method !== 'POST') return refuse(c, NOT_HERE);
    if (!isOwnOrigin(c, origin)) return refuse(c, OTHER_ORIGIN);
    const session = c.get('session');
    if (!session) return tools.enter(c);
    if (!limits.forms(session.token)) return refuse(c, TOO_MANY);
    if (!hasToken(session, await tokenOf(c))) return refuse(c, NO_TOKEN);
    return next();
  });

  app.get('/style.css', (c) => c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  app.get('/icon.svg', (c) => c.body(ICON, 200, { 'Content-Type': 'image/svg+xml' }));
  if (site.isForSigning)
    app.get('/console.js', (c) => c.body(SCRIPT, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }));
  app.get('/enter/:secret', async (c) => {
    const person = sessions.redeem(c.req.param('secret'));
    if (!person) return refuse(c, USED_LINK);
    await tools.begin(c, person);
    onEntered();
    return c.redirect('/', 303);
  });
  addWays(app);

  // Whoever comes as far as here sees nothing without a session.
  app.use(async (c, next) => (c.get('session') ? next() : tools.enter(c)));
  app.post('/leave', async (c) => {
    sessions.close(getCookie(c, cookie));
    setCookie(c, cookie, '', { ...COOKIE, maxAge: 0 });
    await tools.record(c, 'leave', '', null);
    return c.redirect('/', 303);
  });
  app.notFound((c) => refuse(c as Asked, NOT_HERE));
  app.onError(async (error, c) => {
    const refusal = refusalOf(error);
    if (refusal.status === 500) report(error);
    return refuse(c as Asked, refusal);
  });
  return app;
}
