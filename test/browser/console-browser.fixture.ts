import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { signVersion } from '../../client/trust/sign-version.ts';
import { nextDraft } from '../../client/trust/trust-draft.ts';
import type { Person } from '../../console/sessions.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import type { ConsoleBench } from '../support/console-bench.ts';
import type { TestStack } from '../support/test-stack.ts';
import { trustFile } from '../support/trust-files.ts';

/** The folder of the pictures, for those who want to look at them. */
const PICTURES = process.env.OPALINE_SCREENSHOTS;

/** How many pixels of a page are beyond its edge. */
const OVER_AN_EDGE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on a page that is open, each with the first place. The context has to bypass the policy of content. */
async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const found = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })`)) as AxeResults;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
}

/** Pages are looked at in both; the dark ones, which differ in colours alone, in the soak. */
export const COLOR_SCHEMES = [
  ['light', []],
  ['dark', ['soak' as const]],
] as const;

const WIDTHS = [390, 768, 1440, 1920];

export async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/** A page that is open, under a name: axe finds nothing, and at no width does anything reach over an edge. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: WIDTHS[0]!, height: 800 });
  expect([name, await axeFindings(page)]).toEqual([name, []]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect([name, width, await page.evaluate(OVER_AN_EDGE)]).toEqual([name, width, 0]);
    await takePicture(page, `${name.replaceAll(/[/?=]/g, '_')}-${width}`);
  }
}

const OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await provideTool('chromium'), args: OPTIONS });

/** A browser with an authenticator that touches by itself. */
export async function withAuthenticator(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page };
}

/** The same, of a person who has come in. */
export async function openFor(
  browser: Browser,
  bench: ConsoleBench,
  who: Person,
): ReturnType<typeof withAuthenticator> {
  const opened = await withAuthenticator(browser);
  await opened.page.goto(bench.link(who));
  return opened;
}

/** The roots sign a version in which these people have these passkeys too. */
export async function trustToo(stack: TestStack, passkeys: TrustVersion['approvers']): Promise<void> {
  const chain = await stack.client.trust();
  const draft = await nextDraft(chain, stack.client.releaseStore);
  const next = { ...draft, approvers: [...draft.approvers, ...passkeys] };
  const key = await readFile(stack.files.key('root'), 'utf8');
  const { envelope } = signVersion(chain, { version: next, envelope: null }, key);
  await writeFile(stack.files.trust, trustFile(...chain.map((one) => one.envelope), envelope));
}

/** Fills the form of a decision, and gives the page that shows what is signed. */
export async function askFor(
  bench: ConsoleBench,
  page: Page,
  release: ReleaseReference,
  decision: string,
): Promise<void> {
  await page.goto(`${bench.origin}/releases/${releasePath(release)}/review`);
  const form = page.locator(`form:has(input[name=decision][value=${decision}])`);
  for (const point of await form.locator('input[name=acknowledge]').all()) await point.check();
  for (const reason of await form.locator('select').all()) await reason.selectOption({ index: 1 });
  await form.locator('textarea').fill('I read the statement and the audit.');
  await form.locator('button').click();
  await page.waitForURL(/\/sign\//);
}
