import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementToSign } from '../../client/release/decide-release.ts';
import { passkeyEnvelope } from '../../client/release/passkey-envelope.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { signVersion } from '../../client/trust/sign-version.ts';
import { nextDraft } from '../../client/trust/trust-draft.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { RELEASE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { Authenticator } from '../support/authenticator.ts';
import { type ConsoleBench, person, startConsoleBench, Visitor } from '../support/console-bench.ts';
import { SMALL_WINDOW, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { trustFile } from '../support/trust-files.ts';
import { launchBrowser, lookAt } from './console-browser.fixture.ts';

/** Two deployments of one relying party, with the same people, passkeys, series and windows. */
const RELEASE: ReleaseReference = { series: 'small', window: SMALL_WINDOW, version: 1 };
const at = `/releases/${releasePath(RELEASE)}`;
const [STARTER, SECOND] = ['starter@example.org', 'second@example.org'];

type Deployment = { stack: TestStack; bench: ConsoleBench };
let own: Deployment;
let other: Deployment;
let passkeys: Record<string, Authenticator>;
let browser: Browser;

async function deployment(): Promise<Deployment> {
  const stack = await startTestStack();
  await writeSmallTrips(stack.source);
  const { file } = await writeSmallSeries(join(stack.root, 'small'), {}, (yaml) =>
    yaml.replace(/gate:\n {2}approvers:\n.*\n/, 'gate: { required: 1 }\n'),
  );
  await applySeries(stack.client, await loadSeriesFile(file));
  return { stack, bench: await startConsoleBench(stack) };
}

/** The roots sign a version with these passkeys: nobody approves what they started, and approvals cool an hour. */
async function trustThem({ stack }: Deployment): Promise<void> {
  const chain = await stack.client.trust();
  const draft = await nextDraft(chain, stack.client.releaseStore);
  const people = Object.entries(passkeys).map(([subject, { passkey }]) => ({ subject, passkey, valid: 'everywhere' }));
  const approvers = [...draft.approvers, ...people] as TrustVersion['approvers'];
  const version: TrustVersion = { ...draft, ownReleases: 'refused', coolingHours: 1, approvers };
  const { envelope } = signVersion(chain, { version, envelope: null }, await readFile(stack.files.key('root'), 'utf8'));
  await writeFile(stack.files.trust, trustFile(...chain.map((one) => one.envelope), envelope));
}

beforeAll(async () => {
  [own, other] = [await deployment(), await deployment()];
  const place = { relyingParty: 'localhost', origins: [own.bench.origin, other.bench.origin] };
  passkeys = Object.fromEntries([STARTER, SECOND].map((name) => [name!, new Authenticator(name!, 'ES256', place)]));
  for (const one of [own, other]) await trustThem(one);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const one of [own, other]) {
    await one?.bench.close();
    await one?.stack.end();
  }
});

/** Asks for a statement in the console of a deployment; gives its challenge, or what the page says instead. */
async function statementAt({ bench }: Deployment, subject: string, decision: string, fields = {}) {
  const visitor = await Visitor.of(bench, person(subject, 'approver'));
  const { headers } = await visitor.post(`${at}/statement`, { decision, note: 'a note', ...fields });
  const place = String(headers.location ?? '/');
  return { visitor, challenge: place.replace('/sign/', ''), place };
}

/** What a browser sends of the touch of a person, on a page of a deployment. */
function touched(subject: string, challenge: string, origin: string) {
  const { passkey } = passkeys[subject]!;
  const assertion = passkeys[subject]!.assert(Buffer.from(challenge, 'base64url'), { origin });
  const text = (bytes: Buffer): string => bytes.toString('base64url');
  return {
    assertion,
    sent: {
      credentialId: passkey.credentialId,
      authenticatorData: text(assertion.authenticatorData),
      clientDataJSON: text(assertion.clientDataJSON),
      signature: text(assertion.signature),
    },
  };
}

test('before anything was released every page says so, and axe finds nothing', async () => {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(own.bench.link(person('viewer@example.org', 'viewer')));
  for (const path of ['/', '/releases', '/series', '/series/small', '/ledger', '/log', '/passkey']) {
    await page.goto(`${own.bench.origin}${path}`);
    await lookAt(page, `${path} empty`);
  }
  await page.goto(own.bench.origin);
  expect(await page.textContent('main')).toContain('Nothing waits for anybody.');
  await context.close();
});

describe('C16: who started a release, where nobody approves an own one', () => {
  test('is refused on the page, before anything is signed; the refusal is kept, and another person can', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const { bench, stack } = own;
    // Both roles are of one session in a trial alone.
    await page.goto(bench.link(person(STARTER!, 'operator', 'approver')));
    await page.goto(`${bench.origin}/series/small`);
    const form = page.locator('form[action$="/trigger"]');
    await form.locator('input[name=window]').fill(SMALL_WINDOW);
    await form.locator('input[name=sure]').check();
    await form.locator('button').click();
    expect(await page.textContent('.flash')).toContain(`${releasePath(RELEASE)} was started.`);
    const { attention } = await reaches(stack.client, RELEASE, ['waiting'], 300);
    expect(await stack.client.releaseStore.head(RELEASE_KEYS.starter(RELEASE))).not.toBeNull();
    await page.goto(`${bench.origin}${at}/review`);
    const approve = page.locator('form:has(input[name=decision][value=approve])');
    for (const point of await approve.locator('input[name=acknowledge]').all()) await point.check();
    await approve.locator('textarea').fill('It is mine.');
    await approve.locator('button').click();
    await page.waitForURL(/review$/);
    expect(await page.textContent('.flash')).toContain('another approve it; nothing is signed');
    await page.goto(`${bench.origin}/log`);
    expect(await page.textContent('main')).toContain('refused: own release');
    expect((await stack.client.status(RELEASE)).decisions).toEqual([]);
    const acknowledge = attention[0] === undefined ? {} : { acknowledge: attention[0] };
    const asked = await statementAt(own, SECOND!, 'approve', {
      ...acknowledge,
      reason: attention.length > 0 ? 'attention-accepted' : 'audit-passed',
    });
    expect(asked.place).toMatch(/^\/sign\//);
    await context.close();
  });
});

describe('an assertion of another deployment under one relying party', () => {
  test('is refused by the page and by the gate, though person, passkey, origin and name of the release are the same', async () => {
    const file = join(other.stack.root, 'small', 'series.yaml');
    await startRelease(other.stack.client, await planRun(other.stack.client, file, SMALL_WINDOW, 1));
    await reaches(other.stack.client, RELEASE, ['waiting'], 300);
    // She signs at the other deployment what she means there.
    const there = await statementAt(other, SECOND!, 'reject', { reason: 'not-needed' });
    const { sent, assertion } = touched(SECOND!, there.challenge, other.bench.origin);
    const here = await statementAt(own, SECOND!, 'reject', { reason: 'not-needed' });
    expect(here.challenge).not.toBe(there.challenge);
    const posted = await here.visitor.send(`/sign/${here.challenge}`, sent);
    expect([posted.status, JSON.parse(posted.body).code]).toEqual([409, 'SIGNATURE_INVALID']);
    expect((await here.visitor.get('/log')).body).toContain('refused: signature invalid');
    // The host of this console brings the whole statement of the other one to the gate.
    const asked = await statementToSign(
      other.stack.client,
      { release: RELEASE, decision: 'reject', reason: 'not-needed' },
      { subject: SECOND! },
    );
    if (!('statement' in asked)) throw new Error(asked.message);
    expect(asked.challenge).toBe(there.challenge);
    const envelope = passkeyEnvelope(asked.statement, passkeys[SECOND!]!.passkey, assertion);
    const answer = await own.stack.client
      .ask(RELEASE, 'reject', { envelope, note: 'from elsewhere' })
      .catch((error: unknown) => error);
    expect(answer).not.toMatchObject({ accepted: true });
    const { decisions, state } = await own.stack.client.status(RELEASE);
    expect([decisions, state]).toEqual([[], 'waiting']);
    // It is the deployment: where it was made the same assertion counts.
    const taken = await there.visitor.send(`/sign/${there.challenge}`, sent);
    expect([taken.status, JSON.parse(taken.body).done]).toEqual([200, true]);
    await reaches(other.stack.client, RELEASE, ['rejected'], 60);
  });
});

describe('C16: a cooling time', () => {
  test('an approved release says when it is published, and an approver takes it back on the page before that', async () => {
    const { stack, bench } = own;
    const sign = async (decision: string, fields: Record<string, string>) => {
      const { visitor, challenge } = await statementAt(own, SECOND!, decision, fields);
      const { body } = await visitor.send(`/sign/${challenge}`, touched(SECOND!, challenge, bench.origin).sent);
      expect(JSON.parse(body)).toMatchObject({ done: true });
    };
    const [point] = (await stack.client.status(RELEASE)).attention;
    await sign('approve', point ? { acknowledge: point, reason: 'attention-accepted' } : { reason: 'audit-passed' });
    await reaches(stack.client, RELEASE, ['approved-waiting'], 60);
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(bench.link(person(SECOND!, 'approver')));
    const words = /It is published at \d{4}-\d\d-\d\d \d\d:\d\d Australia\/Sydney, unless somebody withdraws it before/;
    for (const path of [at, `${at}/review`]) {
      await page.goto(`${bench.origin}${path}`);
      expect(await page.textContent('main')).toMatch(words);
      await lookAt(page, `${path} cooling`);
    }
    const offered = `[...document.querySelectorAll('#decide input[name=decision]')].map((one) => one.value)`;
    expect(await page.evaluate(offered)).toEqual(['withdraw']);
    await sign('withdraw', { reason: 'not-what-was-shown' });
    await reaches(stack.client, RELEASE, ['withdrawn'], 60);
    await page.reload();
    expect(await page.textContent('#state')).toBe('withdrawn');
    expect(await page.evaluate(offered)).toEqual([]);
    await context.close();
  });
});
