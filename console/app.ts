import type { Hono } from 'hono';
import { readConsoleRecords } from '../client/console-records.ts';
import { releasePath } from '../contracts/names.ts';
import { inWords } from '../contracts/release-state.ts';
import type { ConsoleEnv } from './access.ts';
import { actOnRelease, actOnSeries } from './actions.ts';
import { chartKeeper, partDrawings } from './charts.ts';
import type { ConsoleData } from './data.ts';
import { addressOfSeries, releaseAddress } from './frame.ts';
import { addLogin, type Login } from './login.ts';
import { ledgerPage, overviewPage, populationPage } from './pages/budget-page.ts';
import { homePage, releasesPage, seriesListPage } from './pages/list-pages.ts';
import { statusPage } from './pages/release-page.ts';
import { reviewPage } from './pages/review-page.ts';
import { decisionForms } from './pages/sign-page.ts';
import { logPage } from './pages/small-pages.ts';
import { addRegistration } from './registration.ts';
import { isFormAction } from './release-view.ts';
import { clean } from './safe-text.ts';
import { consoleShell } from './shell.ts';
import { addSigning } from './signing.ts';
import {
  type ConsoleSettings,
  markOf,
  NO_AUDIT,
  NOT_DRAWN,
  NOT_HERE,
  releaseOf,
  rolesOf,
  sessionOf,
  toolsOf,
} from './tools.ts';

/** Days, and records, that the log shows. */
const LOG = { days: 30, most: 200 };

export function consoleApp(data: ConsoleData, login: Login | null, settings: ConsoleSettings): Hono<ConsoleEnv> {
  const tools = { ...toolsOf(settings), data };
  const { show, refuse } = tools;
  const charts = chartKeeper();
  const app = consoleShell(settings, tools, (entry) => {
    if (login) addLogin(entry, tools, login);
  });

  app.get('/', async (c) => show(c, homePage(clean(await data.home(rolesOf(c))), rolesOf(c))));
  addSigning(app, tools, settings.now);
  addRegistration(app, tools, settings.origin);
  app.get('/releases', async (c) => {
    const of = (name: string) => (c.req.query(name) ?? '').slice(0, 100);
    const filter = { series: of('series'), state: of('state'), name: of('name') };
    return show(c, releasesPage(clean(await data.releases(filter, rolesOf(c)))));
  });
  app.get('/releases/:series/:window/:version', async (c) => {
    const release = releaseOf(c);
    if (!release) return refuse(c, NOT_HERE);
    return show(c, statusPage(clean(await data.release(release, rolesOf(c))), sessionOf(c)));
  });
  app.get('/releases/:series/:window/:version/review', async (c) => {
    const release = releaseOf(c);
    const view = release && (await data.review(release, rolesOf(c)));
    if (!view) return refuse(c, release ? NO_AUDIT : NOT_HERE);
    const pictures = charts.keep(clean(partDrawings(view.review)));
    const page = clean(view);
    return show(c, reviewPage(page, pictures, decisionForms(page, sessionOf(c))));
  });
  app.get('/charts/:digest/:file{\\d+\\.svg}', async (c) => {
    const { digest, file } = c.req.param();
    const picture = await charts.picture(digest, Number.parseInt(file, 10)).catch(settings.report);
    if (picture) return c.body(picture, 200, { 'Content-Type': 'image/svg+xml' });
    return refuse(c, picture === null ? NOT_HERE : NOT_DRAWN);
  });
  app.post('/releases/:series/:window/:version/:action', async (c) => {
    const release = releaseOf(c);
    const action = c.req.param('action');
    if (!release || !isFormAction(action)) return refuse(c, NOT_HERE);
    const form = await c.req.parseBody({ all: true });
    const outcome = await actOnRelease(data.client, sessionOf(c).person, release, action, form);
    return tools.settle(c, outcome, action, releasePath(release), releaseAddress(releasePath(release)));
  });
  app.get('/series', async (c) => show(c, seriesListPage(clean(await data.seriesList()))));
  app.get('/series/:series', async (c) =>
    show(c, overviewPage(clean(await data.series(c.req.param('series'), rolesOf(c))), sessionOf(c))),
  );
  app.post('/series/:series/:action{pause|resume|trigger}', async (c) => {
    const { series, action } = c.req.param();
    const form = await c.req.parseBody({ all: true });
    const outcome = await actOnSeries(data.client, sessionOf(c).person, series, action, form);
    return tools.settle(c, outcome, action, series, addressOfSeries(series));
  });
  app.get('/ledger', async (c) => show(c, ledgerPage(clean(await data.ledger()))));
  app.get('/ledger/:population', async (c) => {
    const budget = await data.population(c.req.param('population'));
    return budget ? show(c, populationPage(clean(budget))) : refuse(c, NOT_HERE);
  });
  app.get('/log', async (c) => {
    const log = await readConsoleRecords(data.client.releaseStore, LOG);
    // When somebody triggered or retried a release says when its private stages ran: that is for operators (C18).
    const isOperator = rolesOf(c).includes('operator');
    const records = log.map((one) => (isOperator ? one : { ...one, at: one.at.slice(0, 10) }));
    return show(c, logPage(clean({ records, days: LOG.days })));
  });
  app.get('/events', (c) => tools.stream(c, async () => ({ mark: markOf((await data.home(rolesOf(c))).needs) })));
  app.get('/events/:series/:window/:version', async (c) => {
    const release = releaseOf(c);
    if (!release) return refuse(c, NOT_HERE);
    return tools.stream(c, async () => {
      const { state, meaning, steps, partitions, operator, decisions } = (await data.release(release, rolesOf(c)))
        .release;
      const cells = operator ? partitions.map((one) => ({ part: one.part, day: one.day, state: one.state })) : [];
      return clean({
        mark: markOf([state, decisions]),
        state: inWords(state),
        meaning,
        steps,
        stage: operator?.stage ?? null,
        cells,
      });
    });
  });
  return app;
}
