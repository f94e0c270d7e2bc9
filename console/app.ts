import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { readConsoleRecords } from '../client/console-records.ts';
import { releasePath } from '../contracts/names.ts';
import { type Asked, type ConsoleEnv, hasToken, headers, isOwnOrigin, Limit, ownHost } from './access.ts';
import { actOnRelease, actOnSeries, isFormAction, isSeriesAction } from './actions.ts';
import { addressOfSeries, ICON, releaseAddress, STYLE } from './frame.ts';
import { addLogin, type Login } from './login.ts';
import { ledgerPage, overviewPage, populationPage } from './pages/budget.ts';
import { homePage, releasesPage, seriesListPage } from './pages/lists.ts';
import { statusPage } from './pages/release-page.ts';
import { reviewPage } from './pages/review.ts';
import { decisionForms } from './pages/signing.ts';
import { logPage } from './pages/small-pages.ts';
import { addRegistration } from './registration.ts';
import { SCRIPT } from './script.ts';
import { shown } from './shown.ts';
import { addSigning } from './signing.ts';
import {
  COOKIE,
  type ConsoleSettings,
  markOf,
  NO_AUDIT,
  NO_TOKEN,
  NOT_HERE,
  OTHER_ORIGIN,
  PER_MINUTE,
  refusalOf,
  releaseOf,
  rolesOf,
  sessionOf,
  TOO_LARGE,
  TOO_MANY,
  tokenOf,
  toolsOf,
  USED_LINK,
} from './tools.ts';

/** Bytes of a form, or of what a browser sends of a passkey. */
const MOST_BODY = 32 * 1024;

/** Days, and records, that the log shows. */
const LOG = { days: 30, most: 200 };

export function consoleApp(settings: ConsoleSettings, login: Login | null): Hono<ConsoleEnv> {
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
  if (login) addLogin(app, tools, login);

  // Whoever comes as far as here sees nothing without a session.
  app.use(async (c, next) => (c.get('session') ? next() : tools.enter(c)));
  app.post('/leave', async (c) => {
    sessions.close(getCookie(c, settings.cookie));
    setCookie(c, settings.cookie, '', { ...COOKIE, maxAge: 0 });
    await tools.record(c, 'leave', '', null);
    return c.redirect('/', 303);
  });
  app.get('/', async (c) => show(c, homePage(shown(await data.home(rolesOf(c))), rolesOf(c))));
  addSigning(app, tools, settings.now);
  addRegistration(app, tools, origin);
  app.get('/releases', async (c) => {
    const of = (name: string) => (c.req.query(name) ?? '').slice(0, 100);
    const filter = { series: of('series'), state: of('state'), name: of('name') };
    return show(c, releasesPage(shown(await data.releases(filter, rolesOf(c)))));
  });
  app.get('/releases/:series/:window/:version', async (c) => {
    const release = releaseOf(c);
    if (!release) return refuse(c, NOT_HERE);
    return show(c, statusPage(shown(await data.release(release, rolesOf(c))), sessionOf(c)));
  });
  app.get('/releases/:series/:window/:version/review', async (c) => {
    const release = releaseOf(c);
    const found = release && (await data.review(release, rolesOf(c)));
    if (!found) return refuse(c, release ? NO_AUDIT : NOT_HERE);
    return show(
      c,
      reviewPage(shown(found), await tools.charts(found.review), decisionForms(shown(found), sessionOf(c))),
    );
  });
  app.post('/releases/:series/:window/:version/:action', async (c) => {
    const release = releaseOf(c);
    const action = c.req.param('action');
    if (!release || !isFormAction(action)) return refuse(c, NOT_HERE);
    const outcome = await actOnRelease(
      data.client,
      sessionOf(c).person,
      release,
      action,
      await c.req.parseBody({ all: true }),
    );
    return tools.settle(c, outcome, action, releasePath(release), releaseAddress(releasePath(release)));
  });
  app.get('/series', async (c) => show(c, seriesListPage(shown(await data.seriesList()))));
  app.get('/series/:series', async (c) =>
    show(c, overviewPage(shown(await data.series(c.req.param('series'), rolesOf(c))), sessionOf(c))),
  );
  app.post('/series/:series/:action', async (c) => {
    const { series, action } = c.req.param();
    if (!isSeriesAction(action)) return refuse(c, NOT_HERE);
    const outcome = await actOnSeries(
      data.client,
      sessionOf(c).person,
      series,
      action,
      await c.req.parseBody({ all: true }),
    );
    return tools.settle(c, outcome, action, series, addressOfSeries(series));
  });
  app.get('/ledger', async (c) => show(c, ledgerPage(shown(await data.ledger()))));
  app.get('/ledger/:population', async (c) => {
    const budget = await data.population(c.req.param('population'));
    return budget ? show(c, populationPage(shown(budget))) : refuse(c, NOT_HERE);
  });
  app.get('/log', async (c) => {
    const kept = await readConsoleRecords(data.client.releaseStore, LOG);
    // When somebody triggered or retried a release says when its private stages ran: that is for operators (C18).
    const isOperator = rolesOf(c).includes('operator');
    const records = kept.map((one) => (isOperator ? one : { ...one, at: one.at.slice(0, 10) }));
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
