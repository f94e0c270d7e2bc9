import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { streamSSE } from 'hono/streaming';
import { type ConsoleRecord, keepConsoleRecord, readConsoleRecords } from '../client/console-records.ts';
import { OpalineError } from '../contracts/errors.ts';
import { parseReleasePath, type ReleaseReference, releasePath } from '../contracts/names.ts';
import { sha256 } from '../services/stores/json-objects.ts';
import { type Asked, type ConsoleEnv, hasToken, headers, isOwnOrigin, Limit, ownHost, wantsJson } from './access.ts';
import { actOnRelease, actOnSeries, isFormAction, isSeriesAction, type Outcome } from './actions.ts';
import { partCharts } from './charts.ts';
import type { ConsoleData } from './data.ts';
import { type ConsolePage, frame, type Html, ICON, releaseAddress, STYLE, seriesAddress } from './frame.ts';
import { ledgerPage, populationPage, seriesPage } from './pages/budget.ts';
import { homePage, releasesPage, seriesListPage } from './pages/lists.ts';
import { releasePage } from './pages/release-page.ts';
import { type ReviewData, reviewPage } from './pages/review.ts';
import { entryPage, logPage, type Refusal, refusalPage } from './pages/small-pages.ts';
import { SCRIPT } from './script.ts';
import type { Person, Session, Sessions } from './sessions.ts';
import { shown } from './shown.ts';

/** Bytes of a form, or of what a browser sends of a passkey. */
const MOST_BODY = 32 * 1024;

/** Requests of a minute: of one session; of all who have none; forms of one session; records of refusals. */
const PER_MINUTE = { session: 600, strangers: 240, forms: 60, refusals: 60 };

/** Streams of events that are open at once, and how long one lasts before the browser asks again. */
const MOST_STREAMS = 100;
const STREAM_MS = 10 * 60_000;
const LOOK_MS = 2_000;

/** Days, and records, that the log shows. */
const LOG = { days: 30, most: 200 };

/** What one console is made with. */
export type ConsoleSettings = {
  data: ConsoleData;
  sessions: Sessions;
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
  /** Adds what only some consoles have: log-in, signing. */
  extend: ((app: Hono<ConsoleEnv>, tools: ConsoleTools) => void)[];
};

/** What the routes of a console share. */
export type ConsoleTools = ReturnType<typeof toolsOf>;

export function consoleApp(settings: ConsoleSettings): Hono<ConsoleEnv> {
  const { data, sessions, origin, report } = settings;
  const tools = toolsOf(settings);
  const { show, refuse } = tools;
  const limits = Object.fromEntries(
    Object.entries(PER_MINUTE).map(([name, most]) => [name, new Limit(most, settings.now)]),
  ) as Record<keyof typeof PER_MINUTE, Limit>;
  const app = new Hono<ConsoleEnv>();

  app.use(headers(origin), ownHost(origin));
  app.use(async (c, next) => {
    const name = getCookie(c, settings.cookie);
    c.set('session', sessions.find(name, !c.req.path.startsWith('/events')));
    const isWithin = c.get('session') ? limits.session.take(name!) : limits.strangers.take('');
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
    if (!limits.forms.take(session.token)) return refuse(c, TOO_MANY);
    if (!hasToken(session, await tokenOf(c))) return refuse(c, NO_TOKEN);
    return next();
  });

  app.get('/style.css', (c) => c.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  app.get('/console.js', (c) => c.body(SCRIPT, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }));
  app.get('/icon.svg', (c) => c.body(ICON, 200, { 'Content-Type': 'image/svg+xml' }));
  app.get('/enter/:secret', async (c) => {
    const person = sessions.redeem(c.req.param('secret'));
    if (!person) return refuse(c, USED_LINK);
    await tools.begin(c, person);
    settings.onEntered();
    return c.redirect('/', 303);
  });
  for (const extend of settings.extend) extend(app, tools);

  // Whoever comes as far as here sees nothing without a session.
  app.use(async (c, next) => (c.get('session') ? next() : tools.enter(c)));
  app.post('/leave', async (c) => {
    sessions.close(getCookie(c, settings.cookie));
    setCookie(c, settings.cookie, '', { ...COOKIE, maxAge: 0 });
    await tools.record(c, 'leave', '', null);
    return c.redirect('/', 303);
  });
  app.get('/', async (c) => show(c, homePage(shown(await data.home(rolesOf(c))), rolesOf(c))));
  app.get('/releases', async (c) => {
    const of = (name: string) => (c.req.query(name) ?? '').slice(0, 100);
    const filter = { series: of('series'), state: of('state'), name: of('name') };
    return show(c, releasesPage(shown(await data.releases(filter, rolesOf(c)))));
  });
  app.get('/releases/:series/:window/:version', async (c) => {
    const release = releaseOf(c);
    if (!release) return refuse(c, NOT_HERE);
    return show(c, releasePage(shown(await data.release(release, rolesOf(c))), sessionOf(c)));
  });
  app.get('/releases/:series/:window/:version/review', async (c) => {
    const release = releaseOf(c);
    const found = release && (await data.review(release, rolesOf(c)));
    if (!found) return refuse(c, release ? NO_AUDIT : NOT_HERE);
    return show(c, reviewPage(shown(found), await tools.charts(found.review), tools.signing(c, found)));
  });
  app.post('/releases/:series/:window/:version/:action', async (c) => {
    const release = releaseOf(c);
    const action = c.req.param('action');
    if (!release || !isFormAction(action)) return refuse(c, NOT_HERE);
    const outcome = await actOnRelease(data.client, sessionOf(c).person, release, action, await c.req.parseBody());
    return tools.settle(c, outcome, action, releasePath(release), releaseAddress(releasePath(release)));
  });
  app.get('/series', async (c) => show(c, seriesListPage(shown(await data.seriesList()))));
  app.get('/series/:series', async (c) =>
    show(c, seriesPage(shown(await data.series(c.req.param('series'), rolesOf(c))), sessionOf(c))),
  );
  app.post('/series/:series/:action', async (c) => {
    const { series, action } = c.req.param();
    if (!isSeriesAction(action)) return refuse(c, NOT_HERE);
    const outcome = await actOnSeries(data.client, sessionOf(c).person, series, action, await c.req.parseBody());
    return tools.settle(c, outcome, action, series, seriesAddress(series));
  });
  app.get('/ledger', async (c) => show(c, ledgerPage(shown(await data.ledger()))));
  app.get('/ledger/:population', async (c) => {
    const budget = await data.population(c.req.param('population'));
    return budget ? show(c, populationPage(shown(budget))) : refuse(c, NOT_HERE);
  });
  app.get('/log', async (c) => {
    const records = await readConsoleRecords(data.client.releaseStore, LOG);
    return show(c, logPage(shown({ records, days: LOG.days })));
  });
  app.get('/events', (c) => tools.stream(c, async () => ({ mark: markOf((await data.home(rolesOf(c))).needs) })));
  app.get('/events/:series/:window/:version', async (c) => {
    const release = releaseOf(c);
    if (!release) return refuse(c, NOT_HERE);
    return tools.stream(c, async () => {
      const { state, meaning, steps, partitions, operator, decisions } = (await data.release(release, rolesOf(c)))
        .release;
      const cells = operator ? partitions.map((one) => ({ part: one.part, day: one.day, state: one.state })) : [];
      return shown({ mark: markOf([state, decisions]), state, meaning, steps, stage: operator?.stage ?? null, cells });
    });
  });
  app.notFound((c) => refuse(c as Asked, NOT_HERE));
  app.onError(async (error, c) => {
    const refusal = refusalOf(error);
    if (refusal.status === 500) report(error);
    return refuse(c as Asked, refusal);
  });
  return app;
}

/** Cookies of this console: sent to it alone, by its own pages alone, and read by no script. */
const COOKIE = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const;

function toolsOf({ data, sessions, cookie, now, report, extend }: ConsoleSettings) {
  const written = new Limit(PER_MINUTE.refusals, now);
  let streams = 0;

  const show = (c: Asked, page: ConsolePage) => {
    c.status(page.status ?? 200);
    return wantsJson(c) ? c.json(page.data) : c.html(frame(page, c.req.path, c.get('session')));
  };
  /** Keeps what was done or refused; without a code it was done. A store that does not answer stops no refusal. */
  const record = async (c: Asked, action: string, about: string, code: string | null): Promise<void> => {
    const { person } = c.get('session') ?? { person: { subject: 'somebody without a session', account: '' } };
    const outcome: ConsoleRecord['outcome'] = code === null ? 'done' : 'refused';
    if (code !== null && !written.take('')) return;
    const { subject, account } = person;
    const kept = keepConsoleRecord(data.client.releaseStore, { subject, account, action, about, outcome, code });
    await (code === null ? kept : kept.catch(report));
  };
  const refuse = async (c: Asked, refusal: Refusal) => {
    // A page that is not there, or that is asked for too early, is no attempt at anything.
    if (refusal.status === 403 || refusal.status === 413)
      await record(c, `${c.req.method} ${c.req.path.replace(/^\/enter\/.*/, '/enter')}`, '', refusal.code);
    return show(c, refusalPage(shown(refusal)));
  };
  const enter = (c: Asked) => show(c, entryPage(extend.length > 0 && hasLogin(extend)));
  return {
    ...{ data, show, record, refuse, enter },
    charts: remembered(partCharts),
    signing: (_c: Asked, _found: ReviewData): Html => html``,
    /** Opens a session for a person in this browser; what it had before ends. */
    async begin(c: Asked, person: Person): Promise<void> {
      sessions.close(getCookie(c, cookie));
      const name = sessions.open(person);
      setCookie(c, cookie, name, COOKIE);
      c.set('session', sessions.find(name));
      await record(c, 'enter', '', null);
    },
    /** Says what came of an action, keeps it, and goes back to the page that it was about. */
    async settle(c: Asked, outcome: Outcome, action: string, about: string, page: string) {
      data.forget();
      await record(c, action, about, outcome.done ? null : outcome.code);
      if (wantsJson(c)) return c.json(shown(outcome), outcome.done ? 200 : outcome.code === 'ROLE_MISSING' ? 403 : 409);
      sessionOf(c).flash = shown({ kind: outcome.done ? ('pass' as const) : ('fail' as const), text: outcome.text });
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

/** Reviews whose drawings are kept: a manifest never changes. */
const KEPT_DRAWINGS = 16;

function remembered(draw: typeof partCharts) {
  const drawings = new Map<string, ReturnType<typeof partCharts>>();
  return (review: Parameters<typeof partCharts>[0]) => {
    const before = drawings.get(review.manifestDigest);
    if (before) return before;
    if (drawings.size >= KEPT_DRAWINGS) drawings.delete(drawings.keys().next().value!);
    const drawing = draw(review);
    drawings.set(review.manifestDigest, drawing);
    drawing.catch(() => drawings.delete(review.manifestDigest));
    return drawing;
  };
}

/** A provider adds its log-in by a function of this name. */
const hasLogin = (extend: ConsoleSettings['extend']): boolean => extend.some(({ name }) => name === 'addLogin');

export const sessionOf = (c: Asked): Session => c.get('session')!;

const rolesOf = (c: Asked): Person['roles'] => sessionOf(c).person.roles;

export const releaseOf = (c: Context): ReleaseReference | null => {
  const { series, window, version } = c.req.param() as Record<string, string>;
  return parseReleasePath(`${series}/${window}/${version}`);
};

const markOf = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 16);

/** The token of a form, or of what a script sends. A body that cannot be read has none. */
async function tokenOf(c: Asked): Promise<unknown> {
  if (c.req.header('content-type')?.startsWith('application/json')) return c.req.header('x-opaline-token');
  const form = await c.req.parseBody().catch(() => ({}) as Record<string, unknown>);
  return form.token;
}

export const NOT_HERE: Refusal = { status: 404, code: 'NOT_FOUND', message: 'There is nothing at this address.' };
const NO_AUDIT: Refusal = {
  status: 404,
  code: 'NOT_AUDITED',
  message: 'It has not been audited yet: there is nothing to review.',
};
const TOO_MANY: Refusal = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  message: 'Too much within a minute; wait for one.',
};
const TOO_LARGE: Refusal = { status: 413, code: 'TOO_LARGE', message: 'More was sent than any form here takes.' };
const OTHER_ORIGIN: Refusal = {
  status: 403,
  code: 'ORIGIN_REFUSED',
  message: 'This came from another site, and was not done.',
};
const NO_TOKEN: Refusal = {
  status: 403,
  code: 'TOKEN_REFUSED',
  message: 'The form is not of this session, and was not done. Load its page again.',
};
const USED_LINK: Refusal = {
  status: 403,
  code: 'LINK_USED',
  message: 'This link was used, or is too old. The terminal in which the console runs shows another one.',
};

/** What went wrong, in words; nothing of what was not expected. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof OpalineError)) {
    if (error instanceof Error && /ServiceError|GrpcError/.test(`${error.name} ${error.constructor.name}`)) return AWAY;
    return {
      status: 500,
      code: 'UNEXPECTED',
      message: 'Something unexpected happened; the log of the console has it.',
    };
  }
  const { code, message } = error;
  if (code === 'SERVER_UNAVAILABLE' || code === 'STORE_UNAVAILABLE') return { ...AWAY, code };
  if (code === 'RELEASE_UNKNOWN' || code === 'OBJECT_MISSING') return { status: 404, code, message };
  return { status: code === 'USAGE' || code === 'WINDOW_INVALID' ? 400 : 409, code, message };
}

const AWAY: Refusal = {
  status: 503,
  code: 'SERVER_UNAVAILABLE',
  message:
    'What makes releases does not answer at the moment. Nothing is lost; try again in a while. Operators look into it.',
};
