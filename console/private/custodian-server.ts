import { getCookie } from 'hono/cookie';
import { OpalineError } from '../../contracts/errors.ts';
import { parseReleasePath, releasePath } from '../../contracts/names.ts';
import { keepDiagnostics } from '../../custodian/diagnostics.ts';
import { MOST_SAMPLES } from '../../custodian/preview/input-report.ts';
import { CONFIDENTIAL } from '../../custodian/risk/confidential-page.ts';
import { isSameSubject } from '../../services/signing/subjects.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import { trustReader } from '../../services/trust/trust-file.ts';
import type { Asked } from '../access.ts';
import type { Site } from '../frame.ts';
import { type Console, listenAt } from '../listening.ts';
import { type PageRefusal, pageRefusal } from '../pages/small-pages.ts';
import { clip } from '../safe-text.ts';
import { Sessions } from '../sessions.ts';
import { consoleShell } from '../shell.ts';
import { type ConsoleSettings, NOT_HERE, releaseOf, sessionOf, toolsOf } from '../tools.ts';
import { type CustodianData, type CustodianSide, custodianData } from './custodian-data.ts';
import {
  custodianHomePage,
  inputListPage,
  inputPage,
  policyPage,
  previewFormPage,
  previewPage,
  riskReportPage,
} from './pages.ts';

/** The other console is at `localhost`: no browser sends to one host what belongs to the other. */
const HOST = '127.0.0.1';

/** Another name than that of the other console, so that neither takes a session for its own. */
const COOKIE = '__Host-opaline-custodian';

const SITE: Site = {
  name: 'Opaline, custodian side',
  ways: [
    ['/', 'Waits'],
    ['/preview', 'Preview'],
    ['/releases', 'Releases'],
    ['/policy', 'Policy'],
  ],
  isForSigning: false,
  warning: CONFIDENTIAL,
  rolesText: () => 'custodian',
};

const IS_APPROVER = {
  status: 403,
  code: 'SUBJECT_IS_CUSTODIAN',
  message: 'An approver of the trust file sees no raw data: a custodian never is an approver (C16).',
} as const satisfies PageRefusal;
const BUSY = pageRefusal(429, 'TOO_MANY_REQUESTS', 'Rows are being looked at; wait for that.');

export type CustodianConsoleOptions = CustodianSide & {
  /** Whose links it gives. */
  subject: string;
  port?: number;
  now?: () => number;
  onEntered?: () => void;
  /** Takes the id under which the private store keeps what was not expected; null: it takes nothing at the moment. */
  report?: (id: string | null) => void;
};

/**
 * The console of a custodian, a process of its own beside the private worker. Only this computer reaches it, no approver
 * of the trust file opens it, and nothing of what it shows is kept: not in a log, a cache or the release store.
 *
 * @contract C6
 * @contract C16
 */
export async function startCustodianConsole(options: CustodianConsoleOptions): Promise<Console> {
  const { now = Date.now, onEntered = () => undefined, report = () => undefined, context, deployment } = options;
  const sessions = new Sessions(now);
  const data = custodianData(options);
  const trust = trustReader(deployment.trust, true);
  const isApprover = async (subject: string): Promise<boolean> =>
    newestVersion(await trust()).approvers.some((one) => isSameSubject(one.subject, subject));
  if (await isApprover(options.subject))
    throw new OpalineError(IS_APPROVER.code, `${IS_APPROVER.message} Name another person with --subject.`);
  const originAt = (port: number) => `http://${HOST}:${port}`;
  const server = await listenAt({ hosts: [HOST], port: options.port ?? 0 }, (own) =>
    custodianApp(data, isApprover, {
      sessions,
      site: SITE,
      origin: originAt(own),
      cookie: COOKIE,
      now,
      onEntered,
      hasLogin: false,
      // The text of an error may quote a row.
      report: (error) =>
        void context()
          .then((side) => keepDiagnostics(side)('console', error))
          .then(report, () => report(null)),
      keep: async () => undefined,
      forget: () => undefined,
    }),
  );
  const origin = originAt(server.port);
  return {
    origin,
    link: (person) => `${origin}/enter/${sessions.link(person)}`,
    close: async () => {
      await server.close();
      await data.close();
    },
  };
}

function custodianApp(
  data: CustodianData,
  isApprover: (subject: string) => Promise<boolean>,
  settings: ConsoleSettings,
) {
  const tools = toolsOf(settings);
  const { show, refuse } = tools;
  const app = consoleShell(settings, tools);
  // The trust file may name somebody since they came in.
  app.use(async (c, next) => {
    if (!(await isApprover(sessionOf(c).person.subject))) return next();
    settings.sessions.close(getCookie(c, COOKIE));
    c.set('session', null);
    return refuse(c, IS_APPROVER);
  });
  let isBusy = false;
  /** Work over raw rows, one at a time: each may take as much memory as the deployment allows. */
  const alone = async (c: Asked, work: () => Promise<Response>): Promise<Response> => {
    if (isBusy) return refuse(c, BUSY);
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  };

  app.get('/', async (c) => show(c, custodianHomePage(clip(await data.home()))));
  app.get('/preview', async (c) => show(c, previewFormPage(clip(await data.previewable()), sessionOf(c))));
  app.post('/preview', async (c) => {
    const { series, window } = await c.req.parseBody();
    return alone(c, async () => show(c, previewPage(clip(await data.preview(String(series), String(window))))));
  });
  app.get('/releases', async (c) => show(c, inputListPage(clip(await data.releases()))));
  app.get('/releases/:series/:window/:version', async (c) => {
    const release = releaseOf(c);
    const rows = Number(c.req.query('rows') ?? 0);
    if (!release || !Number.isInteger(rows) || rows < 0 || rows > MOST_SAMPLES) return refuse(c, NOT_HERE);
    return show(c, inputPage(clip(await data.input(release, rows)), rows));
  });
  app.get('/releases/:series/:window/:version/risk', async (c) => {
    const release = releaseOf(c);
    if (!release) return refuse(c, NOT_HERE);
    return show(c, riskReportPage(releasePath(release), await data.risk(release), sessionOf(c)));
  });
  app.post('/reports', async (c) => {
    const { release } = await c.req.parseBody();
    const make = async (): Promise<Response> => {
      const reports = await data.makeReports();
      const failures = reports.filter(({ problem }) => problem !== null);
      const problems = failures.map((one) => `${one.release}: ${one.problem}`).join(' ');
      const outcome =
        failures.length === 0
          ? { done: true as const, text: 'Every release has its report.' }
          : { done: false as const, code: 'RISK', text: problems };
      const target = parseReleasePath(String(release));
      return tools.settle(c, outcome, 'reports', '', target ? `/releases/${releasePath(target)}/risk` : '/releases');
    };
    return alone(c, make);
  });
  app.get('/policy', async (c) => show(c, policyPage(clip(await data.policy()))));
  return app;
}
