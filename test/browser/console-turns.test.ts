import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideRelease } from '../../client/release/decide-release.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { type ConsoleBench, person, startConsoleBench, Visitor } from '../support/console-bench.ts';
import { SMALL_DAYS, writeSmallSeries, writeSmallTrips, writeTruncatedTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';
import { askFor, launchBrowser, openFor, trustToo } from './console-browser.fixture.ts';

/** Decisions that take something back, signed in a browser; and people who see, read and move otherwise. */
const windowOf = (window: string): ReleaseReference => ({ series: 'small', window, version: 1 });
const [GOOD, TURNED, BROKEN] = ['2026-03-02', '2026-03-09', '2026-03-16'].map(windowOf) as [
  ReleaseReference,
  ReleaseReference,
  ReleaseReference,
];
/** Its gate closes soon. */
const EXPIRING = { ...GOOD, series: 'expiring' };
const at = (release: ReleaseReference): string => `/releases/${releasePath(release)}`;

let stack: TestStack;
let bench: ConsoleBench;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await startTestStack();
  bench = await startConsoleBench(stack);
  browser = await launchBrowser();
  ({ page } = await openFor(browser, bench, person(TEST_APPROVER, 'approver')));
  await page.goto(`${bench.origin}/passkey`);
  await page.click('#register');
  await page.waitForSelector('#entry');
  await trustToo(stack, [JSON.parse((await page.textContent('#entry'))!) as TrustVersion['approvers'][number]]);
  const days = [GOOD, TURNED, BROKEN].flatMap(({ window }) =>
    SMALL_DAYS.map((_, n) => `${window.slice(0, 8)}${String(Number(window.slice(8)) + n).padStart(2, '0')}`),
  );
  await writeSmallTrips(stack.source, days);
  await writeTruncatedTrips(stack.source, BROKEN.window, 'bus');
  const small = await seriesWith('small', 'required: 2', 'small-riders');
  const expiring = await seriesWith('expiring', `expiresAfterDays: ${1 / 86_400}`, 'expiring');
  for (const release of [GOOD, TURNED, BROKEN])
    await startRelease(stack.client, await planRun(stack.client, small, release.window, 1));
  await startRelease(stack.client, await planRun(stack.client, expiring, EXPIRING.window, 1));
  for (const release of [GOOD, TURNED]) await reaches(stack.client, release, ['waiting'], 300);
  await reaches(stack.client, BROKEN, ['partitions-failed'], 300);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await bench?.close();
  await stack?.end();
});

async function seriesWith(series: string, gate: string, population: string): Promise<string> {
  const edit = (yaml: string): string => yaml.replace(/gate:\n {2}approvers:\n.*\n/, `gate: { ${gate} }\n`);
  return (await writeSmallSeries(join(stack.root, series), { series, population }, edit)).file;
}

/** Goes on from stop to stop, as somebody does who has no mouse. */
async function tabTo(selector: string): Promise<void> {
  for (let stop = 0; stop < 150; stop++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`no stop is ${selector}`);
}

describe('what turns a gate, signed in a browser', () => {
  const flash = () => page.textContent('.flash');

  test('by keyboard alone a release is approved, with every point, and withdrawn before the second person signs', async () => {
    for (const decision of ['approve', 'withdraw']) {
      await page.goto(`${bench.origin}${at(TURNED)}/review`);
      const form = `form:has(input[name=decision][value=${decision}])`;
      const points = await page.locator(`${form} input[name=acknowledge]`).count();
      for (let point = 0; point < points; point++) {
        await tabTo(`${form} input[name=acknowledge]`);
        await page.keyboard.press('Space');
      }
      if (decision === 'withdraw') {
        await tabTo(`${form} select`);
        await page.keyboard.type('signed');
      }
      await tabTo(`${form} textarea`);
      await page.keyboard.type('I changed my mind.');
      await tabTo(`${form} button`);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/sign\//);
      await tabTo('#sign');
      await page.keyboard.press('Enter');
      await page.waitForURL(/review$/);
      expect(await flash()).toContain(`Your decision is signed and recorded: ${decision}.`);
    }
    await reaches(stack.client, TURNED, ['withdrawn'], 60);
    const ops = await Visitor.of(bench, person('ops@example.org', 'operator'));
    const now = async () => (await ops.get('/')).body;
    await expect.poll(now, { timeout: 20_000, interval: 1_000 }).toContain(`${releasePath(TURNED)} was withdrawn`);
    await expect(readFile(join(stack.files.publication, releasePath(TURNED), 'manifest.json'))).rejects.toThrow();
  });

  test('a gate that has expired is offered again', async () => {
    await reaches(stack.client, EXPIRING, ['expired'], 120);
    await askFor(bench, page, EXPIRING, 'reopen');
    await page.click('#sign');
    await page.waitForURL(/review$/);
    expect(await flash()).toContain('Your decision is signed and recorded: reopen.');
  });

  test('a retraction is begun by one of two, and withdrawn again: what is public stays', async () => {
    const { attention } = await stack.client.status(GOOD);
    for (const subject of ['second@example.org', 'third@example.org'])
      await decideRelease(stack.client, {
        release: GOOD,
        decision: 'approve',
        acknowledged: attention,
        note: 'read it',
        reason: attention.length > 0 ? 'attention-accepted' : 'audit-passed',
        privateKey: approverKey(subject).privateKey,
      });
    await reaches(stack.client, GOOD, ['published'], 200);
    await askFor(bench, page, GOOD, 'retract');
    expect(await page.textContent('#words')).toContain('takes this back for everybody, for ever');
    expect(await page.textContent('#effect')).toMatch(
      /^You take back, for everybody and for ever, the figures of 2 to 4 March 2026\. It takes 2 signatures, 1 of them/,
    );
    await page.click('#sign');
    await page.waitForURL(/review$/);
    expect(await flash()).toContain('retract');
    await page.goto(`${bench.origin}${at(GOOD)}`);
    expect(await page.textContent('main')).toContain('Its retraction has 1 of 2 signatures.');
    await page.goto(`${bench.origin}${at(GOOD)}/review`);
    expect(await page.textContent('#decide')).toContain('You have signed its retraction');
    expect(await page.locator('input[name=decision][value=retract]').count()).toBe(0);
    await askFor(bench, page, GOOD, 'withdraw');
    expect(await page.textContent('#words')).toContain('as a retraction of what is public');
    expect(await page.textContent('#effect')).toContain('You end the retraction of the figures of');
    await page.click('#sign');
    await page.waitForURL(/review$/);
    expect(await flash()).toContain('withdraw');
    expect((await stack.client.status(GOOD)).state).toBe('published');
  });
});

describe('for eyes, paper and heads that differ', () => {
  const everyPage = [
    ...['/', '/releases', '/series/small', '/ledger/small-riders', '/log', '/passkey', at(BROKEN)],
    `${at(GOOD)}/review`,
  ];
  const visit = async (look: (visited: Page, path: string) => Promise<void>, options: object = {}): Promise<void> => {
    const context = await browser.newContext({ bypassCSP: true, ...options });
    const page = await context.newPage();
    await page.goto(bench.link(person('second@example.org', 'viewer', 'approver')));
    for (const path of everyPage) {
      await page.goto(`${bench.origin}${path}`);
      await look(page, path);
    }
    await context.close();
  };
  const over = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  test('at 200 % nothing reaches over an edge: of the page, and of the text alone', async () => {
    // A page of 1,280 pixels at 200 % has half of them.
    await visit(async (page, path) => expect([path, await over(page)]).toEqual([path, 0]), {
      viewport: { width: 640, height: 512 },
      deviceScaleFactor: 2,
    });
    await visit(async (page, path) => {
      await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
      expect([path, await over(page)]).toEqual([path, 0]);
    });
  });

  test('nothing moves for whoever asks for less motion', async () => {
    const moving = `[...document.querySelectorAll('*')].filter((one) => {
      const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(one);
      return animationName !== 'none' || Number.parseFloat(transitionDuration) > 0 || scrollBehavior === 'smooth';
    }).length`;
    await visit(async (page, path) => expect([path, await page.evaluate(moving)]).toEqual([path, 0]), {
      reducedMotion: 'reduce',
    });
  });

  test('on paper the ways, the buttons and what is folded away make room for the content', async () => {
    await visit(async (page, path) => {
      await page.emulateMedia({ media: 'print' });
      const shown = `[...document.querySelectorAll('.bar, button, .skip')].filter((one) => one.checkVisibility()).length`;
      expect([path, await page.evaluate(shown)]).toEqual([path, 0]);
      expect(await page.textContent('h1')).not.toBe('');
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(5_000);
    });
  });
});
