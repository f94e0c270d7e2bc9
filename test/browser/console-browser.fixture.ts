import { readFile, writeFile } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { signVersion } from '../../client/trust/sign-version.ts';
import { nextDraft } from '../../client/trust/trust-draft.ts';
import type { Person } from '../../console/sessions.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { provideChromium } from '../../infra/provision/tools.mjs';
import type { ConsoleBench } from '../support/console-bench.ts';
import type { TestStack } from '../support/test-stack.ts';
import { trustFile } from '../support/trust-files.ts';

const OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await provideChromium(), args: OPTIONS });

/** A browser of a person, with an authenticator that touches by itself. */
export async function openFor(
  browser: Browser,
  bench: ConsoleBench,
  who: Person,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto(bench.link(who));
  return { context, page };
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
  await form.locator('textarea').fill('I read the statement and the audit.');
  await form.locator('button').click();
  await page.waitForURL(/\/sign\//);
}
