import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contextsOf } from '../../cli/private-deployment.ts';
import { run, start, untilUp } from '../../cli/process.fixture.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import type { Console } from '../../console/listening.ts';
import { startCustodianConsole } from '../../console/private/custodian-server.ts';
import { privateDeploymentSchema } from '../../contracts/deployment.ts';
import { EXIT } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { ask, type ConsoleBench, person, startConsoleBench, Visitor } from '../support/console-bench.ts';
import {
  SMALL_WINDOW,
  type SmallSeries,
  smallKey,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
} from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { approverKey, TEST_APPROVER, TEST_TRUST } from '../support/test-trust.ts';
import { COLOR_SCHEMES, launchBrowser, lookAt, trustToo } from './console-browser.fixture.ts';

/** Values of rows that no page may take for markup, and that no public place may hold. */
const CANARY = 'canary-4711';
const EVIL = `<img src=x onerror=alert(1)>${CANARY}\u202e`;
const EVIL_OBJECT = '<b onclick=alert(2)>.csv.gz';

const CLEARED = 'cut-riders';
const FIRST: ReleaseReference = { series: 'small', window: SMALL_WINDOW, version: 1 };
const WAITING: ReleaseReference = { series: CLEARED, window: SMALL_WINDOW, version: 1 };
const INPUT = `/releases/${releasePath(FIRST)}`;
const CUSTODIAN = person('custodian@example.org');

let stack: TestStack;
let series: SmallSeries;
let custodians: Console;
let other: ConsoleBench;
let browser: Browser;
let visitor: Visitor;
const diagnosed: (string | null)[] = [];

const optionsOf = async () => {
  const deployment = await readDeployment(stack.files.deployment('private'), privateDeploymentSchema);
  const sources = Object.keys(deployment.sources);
  const files = new Map([['series.yaml', () => loadSeriesFile(series.file, CLIENT_KINDS, sources)]]);
  return { deployment, context: contextsOf(deployment), files, subject: CUSTODIAN.subject };
};

beforeAll(async () => {
  const { populations: all } = TEST_TRUST;
  const populations = { 'small-riders': all['small-riders']!, [CLEARED]: { ...all[CLEARED]!, clearance: true } };
  stack = await startTestStack(usualDeployments, undefined, { ...TEST_TRUST, populations });
  await writeSmallTrips(stack.source);
  const bus = smallTrips(SMALL_WINDOW, 'bus');
  const bad = `bus,${SMALL_WINDOW} 08:00:00,"${EVIL}","${EVIL}",stop-1\nbus,"a\u0007 ${CANARY}",stop-1,,\n`;
  await writeFile(join(stack.source, smallKey(SMALL_WINDOW, 'bus')), gzipSync(bus + bad.repeat(30)));
  await writeFile(join(stack.source, EVIL_OBJECT), gzipSync(bus));
  series = await writeSmallSeries(join(stack.root, 'small'));
  await writeSmallSeries(join(stack.root, CLEARED), { series: CLEARED, population: CLEARED });
  custodians = await startCustodianConsole({
    ...(await optionsOf()),
    report: (id) => diagnosed.push(id),
  });
  other = await startConsoleBench(stack);
  browser = await launchBrowser();
  visitor = await Visitor.of(custodians, CUSTODIAN);
});
afterAll(async () => {
  await browser?.close();
  await custodians?.close();
  await other?.close();
  await stack?.end();
});

const EVERY_PAGE = ['/', '/preview', '/releases', INPUT, `${INPUT}?rows=20`, `${INPUT}/risk`, '/policy', '/nothing'];

const enter = (page: Page) => page.goto(custodians.link(CUSTODIAN));

describe('while nothing was released', () => {
  test('every page says what to do next, and axe finds nothing', async () => {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await enter(page);
    for (const path of ['/', '/preview', '/releases', '/policy']) {
      await page.goto(`${custodians.origin}${path}`);
      await lookAt(page, `custodian ${path} empty`);
    }
    expect(await (await page.goto(`${custodians.origin}/releases`))!.text()).toContain('No release was read here yet.');
    await page.goto(custodians.origin);
    expect(await page.textContent('main')).toContain('No release waits for an order');
    await context.close();
  });

  test('C17: by keyboard alone a window is previewed; the look is recorded as that of the command is', async () => {
    const context = await browser.newContext({ javaScriptEnabled: true });
    const page = await context.newPage();
    await enter(page);
    const alarms: string[] = [];
    page.on('dialog', (dialog) => alarms.push(dialog.message()));
    await page.goto(`${custodians.origin}/preview`);
    const tabTo = async (selector: string): Promise<void> => {
      for (let stop = 0; stop < 40; stop++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      }
      throw new Error(`no stop is ${selector}`);
    };
    await tabTo('input[name=window]');
    // As browsers of English take a day: month, day, year.
    await page.keyboard.type('03022026');
    await tabTo('main form.act button');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/preview');
    await page.waitForSelector('h1:has-text("Preview of small")');
    const text = await page.textContent('main');
    expect(text).toContain('It is recorded that this was looked at');
    expect(text).toContain(`<img src=x onerror=alert(1)>${CANARY}\\u{202e}`);
    expect(text).toContain(`OBJECT_UNEXPECTED: ${EVIL_OBJECT}`);
    expect(await page.locator('img[src=x], [onclick], [onerror]').count()).toBe(0);
    expect(alarms).toEqual([]);
    const records = await readdir(join(stack.files.store('private'), 'previews', 'small-riders'));
    expect(records).toHaveLength(1);
    expect(
      await readFile(join(stack.files.store('private'), 'previews', 'small-riders', records[0]!), 'utf8'),
    ).toContain('"command":"preview"');
    await context.close();
  });

  test('its twin is what the command prints; values of rows are in neither', async () => {
    const posted = await visitor.post(
      '/preview',
      { series: 'series.yaml', window: SMALL_WINDOW },
      { accept: 'application/json' },
    );
    const { stdout } = await run(['preview', series.file, '--window', SMALL_WINDOW, '--json'], {
      custodians: stack.files.deployment('private'),
    });
    const [own, theirs] = [JSON.parse(posted.body), JSON.parse(stdout)];
    expect(own.totals).toEqual(theirs.totals);
    expect(own.objects).toEqual(theirs.objects);
    expect({ ...own, sample: null }).toMatchObject({ confidential: true, unsaid: theirs.unsaid, sample: null });
    // The names that no list knows are counted in both, and no value of any other column is there.
    expect(JSON.stringify(own)).not.toContain('08:00:00');
  });

  test('what no file or series is called, and what is no day, is refused in words', async () => {
    for (const [name, window, sentence] of [
      ['/etc/passwd', SMALL_WINDOW, 'No such series was applied here.'],
      ['../../small', SMALL_WINDOW, 'No such series was applied here.'],
      ['__proto__', SMALL_WINDOW, 'No such series was applied here.'],
      ['series.yaml', '2026-13-45', 'Name the first day of a window'],
      ['series.yaml', "2026-03-02'; DROP TABLE x", 'Name the first day of a window'],
    ] as const) {
      const { status, body } = await visitor.post('/preview', { series: name, window });
      expect([name, status, body.includes(sentence)]).toEqual([name, 400, true]);
    }
  });
});

describe('when releases were made', () => {
  beforeAll(async () => {
    for (const file of [series.file, join(stack.root, CLEARED, 'series.yaml')])
      await startRelease(stack.client, await planRun(stack.client, file, SMALL_WINDOW, 1));
    await reaches(stack.client, FIRST, ['waiting'], 300);
    await reaches(stack.client, WAITING, ['stalled'], 300);
  });

  test('what was read and left out is what the command prints, raw rows as text', async () => {
    const { value } = await visitor.json(`${INPUT}?rows=5`);
    const { stdout } = await run(['rejects', releasePath(FIRST), '--rows', '5', '--json'], {
      custodians: stack.files.deployment('private'),
    });
    const printed = JSON.parse(stdout);
    const samples = (one: { samples: { row: string }[] }) => one.samples.length;
    expect(value).toMatchObject({ objects: printed.objects, totals: printed.totals, warnings: printed.warnings });
    expect(samples(value)).toBe(samples(printed));
    const { body } = await visitor.get(`${INPUT}?rows=5`);
    expect(body).toContain(CANARY);
    for (const raw of ['<img', '<b onclick', '\u202e', '\u0007']) expect(body).not.toContain(raw);
  });

  test('C11a: a release that waits for an order is named, with the command; warnings of the source stand below', async () => {
    const { value } = await visitor.json('/');
    expect(value).toMatchObject({
      waiting: [
        {
          release: releasePath(WAITING),
          code: 'ORDER_MISSING',
          sentence: expect.stringContaining(`opaline order clear ${releasePath(WAITING)}`),
        },
      ],
      unknown: null,
    });
    const { body } = await visitor.get('/');
    expect(body).toMatch(/was rejected|at places that no list names/);
    const posted = await visitor.post('/preview', { series: CLEARED, window: SMALL_WINDOW });
    expect(posted.body).toContain('To be cleared');
  });

  test('a risk report is made, and is the one that the command makes beside a release', async () => {
    const before = await visitor.json(`${INPUT}/risk`);
    expect(before.value).toMatchObject({ report: null });
    await visitor.post('/reports', { release: releasePath(FIRST) });
    const { body } = await visitor.get(`${INPUT}/risk`);
    expect(body).toContain('What the number says');
    expect((await visitor.json(`${INPUT}/risk`)).value).toMatchObject({
      format: 'opaline-risk/1',
      confidential: expect.any(String),
    });
    expect(body.match(/<img|<script|style="/g)).toBeNull();
  });

  for (const [colorScheme, tags] of COLOR_SCHEMES)
    test(`axe finds nothing on any page, and nothing reaches over an edge, ${colorScheme}`, {
      tags: [...tags],
    }, async () => {
      const context = await browser.newContext({ bypassCSP: true, colorScheme });
      const page = await context.newPage();
      await enter(page);
      for (const path of EVERY_PAGE) {
        await page.goto(`${custodians.origin}${path}`);
        await lookAt(page, `custodian ${path} ${colorScheme}`);
      }
      await page.goto(`${custodians.origin}/preview`);
      await page.fill('input[name=window]', SMALL_WINDOW);
      await page.click('main form.act button');
      await page.waitForSelector('h1:has-text("Preview of")');
      await lookAt(page, `custodian /preview shown ${colorScheme}`);
      await context.close();
    });

  test('no page needs or has a script, and none breaks its own policy', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await enter(page);
    for (const path of EVERY_PAGE.filter((one) => one !== '/nothing')) {
      await page.goto(`${custodians.origin}${path}`);
      expect(await page.locator('script').count()).toBe(0);
      expect(await page.textContent('.notice')).toContain('Confidential');
    }
    expect(complaints).toEqual([]);
    expect((await visitor.get('/console.js')).status).toBe(404);
    await context.close();
  });
});

describe('who gets in', () => {
  const leads = (path: string) => new URL(path).pathname;

  test('C16: an approver of the trust file starts no such console, and opens no page of one', async () => {
    const refused = await run(['console', '--private', '--subject', TEST_APPROVER], {
      custodians: stack.files.deployment('private'),
    });
    expect([refused.code, refused.stderr]).toEqual([EXIT.refused, expect.stringContaining('SUBJECT_IS_CUSTODIAN')]);
    for (const path of EVERY_PAGE) {
      const approver = await Visitor.of(custodians, person(TEST_APPROVER));
      const { status, body } = await approver.get(path);
      expect([path, status, body.includes(CANARY)]).toEqual([path, 403, false]);
    }
  });

  test('C16: whoever becomes an approver while a session is open sees nothing more', async () => {
    const late = await Visitor.of(custodians, person('late@example.org'));
    expect((await late.get('/policy')).status).toBe(200);
    const { publicKey } = approverKey('late@example.org');
    await trustToo(stack, [{ subject: 'Late@example.org', key: publicKey, valid: 'everywhere' }]);
    expect((await late.get('/policy')).status).toBe(403);
    expect((await late.get('/policy')).status).toBe(401);
  });

  test('neither console takes a session, a link, a host or a form of the other', async () => {
    const approver = await Visitor.of(other, person(TEST_APPROVER, 'approver'));
    const secret = (cookie: string): string => cookie.split('=')[1]!;
    for (const cookie of [
      approver.cookie,
      `__Host-opaline-custodian=${secret(approver.cookie)}`,
      `__Host-opaline=${secret(visitor.cookie)}`,
    ])
      expect((await ask(custodians.origin, '/policy', { headers: { cookie } })).status).toBe(401);
    for (const cookie of [visitor.cookie, `__Host-opaline=${secret(visitor.cookie)}`])
      expect((await ask(other.origin, '/', { headers: { cookie } })).status).toBe(401);
    expect((await ask(custodians.origin, leads(other.link(person('a', 'viewer'))))).status).toBe(403);
    expect((await ask(other.origin, leads(custodians.link(CUSTODIAN)))).status).toBe(403);
    const { cookie } = visitor;
    for (const host of [new URL(other.origin).host, `localhost:${new URL(custodians.origin).port}`, 'evil.example'])
      expect((await ask(custodians.origin, '/policy', { headers: { host, cookie } })).status).toBe(421);
    const token = await visitor.token();
    const foreign: Record<string, string>[] = [
      { origin: other.origin },
      { origin: custodians.origin.replace('127.0.0.1', 'localhost') },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const { status, body } = await visitor.post(
        '/preview',
        { token, series: 'series.yaml', window: SMALL_WINDOW },
        headers,
      );
      expect([status, body.includes('origin refused')]).toEqual([403, true]);
    }
    expect((await visitor.post('/preview', { token: await approver.token() })).body).toContain('token refused');
  });

  test('a browser sends neither console the cookie of the other', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(other.link(person('viewer@example.org', 'viewer')));
    await enter(page);
    const names = async (origin: string) => (await context.cookies(origin)).map(({ name }) => name);
    expect([await names(custodians.origin), await names(other.origin)]).toEqual([
      ['__Host-opaline-custodian'],
      ['__Host-opaline'],
    ]);
    await context.close();
  });
});

describe('what stays here', () => {
  test('every answer says that it is not to be kept, and asks no authenticator; names that lead elsewhere lead nowhere', async () => {
    for (const path of [
      ...EVERY_PAGE,
      '/style.css',
      '/releases/..%2f..%2fetc/2026-03-02/v1',
      '/releases/small/2026-03-02/v1%00',
      '/releases/small/2026-03-02/v01/risk',
      `${INPUT}?rows=99999`,
      `${INPUT}?rows=-1`,
      '/previews/small-riders/x',
    ]) {
      const { status, headers } = await visitor.get(path);
      if (!EVERY_PAGE.includes(path) && path !== '/style.css') expect([path, status]).toEqual([path, 404]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toContain("script-src 'none'");
      expect(headers['permissions-policy']).toContain('publickey-credentials-get=()');
      expect(headers.etag ?? headers['last-modified'] ?? headers['server-timing']).toBeUndefined();
      expect(JSON.stringify(headers)).not.toContain(CANARY);
    }
    expect(diagnosed).toEqual([]);
  });

  test('C6: nothing of what was shown is in the release store, in a log, or in a publication', async () => {
    await visitor.get(`${INPUT}?rows=20`);
    const found: string[] = [];
    for (const folder of [stack.files.store('release'), stack.files.publication, stack.files.logs])
      for (const name of await readdir(folder, { recursive: true }).catch(() => [] as string[])) {
        const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
        if (bytes.includes(CANARY)) found.push(join(folder, name));
      }
    expect(found).toEqual([]);
    // Whoever opened these pages is in no record of the other console.
    const records = join(stack.files.store('release'), 'console');
    for (const name of await readdir(records))
      expect(await readFile(join(records, name), 'utf8')).not.toContain(CUSTODIAN.subject);
  });
});

describe('opaline console --private', () => {
  test('prints a link of one session at 127.0.0.1, says nothing of rows, and ends when it is told to', async () => {
    const { child, ending } = start(['console', '--private', '--subject', 'c@example.org', '--series', series.file], {
      custodians: stack.files.deployment('private'),
    });
    const said = await untilUp(child);
    const link = new URL(/http:\/\/127\.0\.0\.1:\S+/.exec(said)![0]);
    const own = new Visitor(link.origin);
    expect((await own.get(link.pathname)).status).toBe(303);
    expect((await own.get('/preview')).body).toContain(series.file);
    const posted = await own.post('/preview', { series: series.file, window: SMALL_WINDOW });
    expect(posted.body).toContain(CANARY);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ending;
    expect([code, stdout.includes(CANARY), stderr.includes(CANARY)]).toEqual([EXIT.interrupted, false, false]);
  });

  test('what is not expected is kept in the private store alone, and named by its id', async () => {
    const broken = await startCustodianConsole({
      ...(await optionsOf()),
      files: new Map([['broken', async () => Promise.reject(new Error(`a row: ${CANARY}`))]]),
      report: (id) => diagnosed.push(id),
    });
    const own = await Visitor.of(broken, CUSTODIAN);
    const { status, body } = await own.post('/preview', { series: 'broken', window: SMALL_WINDOW });
    expect([status, body.includes(CANARY)]).toEqual([500, false]);
    await expect.poll(() => diagnosed.length).toBe(1);
    const kept = await readFile(join(stack.files.store('private'), 'diagnostics', `${diagnosed[0]}.json`), 'utf8');
    expect(kept).toContain(CANARY);
    await broken.close();
  });
});
