import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsOfRejected } from '../../client/needs.ts';
import { decideRelease, statementToSign } from '../../client/release/decide-release.ts';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import { listWithRetractions } from '../../client/release/retractions.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { DECISION_REASONS } from '../../contracts/decision.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { Authenticator, type Otherwise } from '../support/authenticator.ts';
import { type ConsoleBench, person, startConsoleBench, Visitor } from '../support/console-bench.ts';
import { SMALL_DAYS, writeSmallSeries, writeSmallTrips, writeTruncatedTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';
import { askFor, COLOR_SCHEMES, launchBrowser, lookAt, openFor, trustToo } from './console-browser.fixture.ts';

const windowOf = (window: string): ReleaseReference => ({ series: 'small', window, version: 1 });
const [GOOD, ODD, BROKEN] = ['2026-03-02', '2026-03-09', '2026-03-16'].map(windowOf) as [
  ReleaseReference,
  ReleaseReference,
  ReleaseReference,
];
const at = (release: ReleaseReference): string => `/releases/${releasePath(release)}`;

const SECOND = 'second@example.org';
let stack: TestStack;
let bench: ConsoleBench;
let browser: Browser;
let manager: { context: BrowserContext; page: Page };
/** The second person, with an authenticator that a test makes do what no true one does. */
let soft: Authenticator;
let second: Visitor;

beforeAll(async () => {
  stack = await startTestStack();
  const { file } = await writeSmallSeries(join(stack.root, 'small'), {}, (yaml) =>
    yaml.replace(/gate:\n {2}approvers:\n.*\n/, 'gate: { required: 2 }\n'),
  );
  const days = [GOOD, ODD, BROKEN].flatMap(({ window }) =>
    SMALL_DAYS.map((_, n) => `${window.slice(0, 8)}${String(Number(window.slice(8)) + n).padStart(2, '0')}`),
  );
  await writeSmallTrips(stack.source, days);
  await writeTruncatedTrips(stack.source, BROKEN.window, 'bus');
  bench = await startConsoleBench(stack);
  soft = new Authenticator('second', 'ES256', { relyingParty: 'localhost', origins: [bench.origin] });
  for (const release of [GOOD, ODD, BROKEN])
    await startRelease(stack.client, await planRun(stack.client, file, release.window, 1));
  browser = await launchBrowser();
  manager = await openFor(browser, bench, person(TEST_APPROVER, 'approver'));
  second = await Visitor.of(bench, person(SECOND, 'approver'));
  for (const release of [GOOD, ODD]) await reaches(stack.client, release, ['waiting'], 200);
  await reaches(stack.client, BROKEN, ['partitions-failed'], 200);
});
afterAll(async () => {
  await browser?.close();
  await bench?.close();
  await stack?.end();
});

/** What the soft authenticator sends for a statement that the console keeps. */
const signedBy = (challenge: string, otherwise: Otherwise = {}) => {
  const { authenticatorData, clientDataJSON, signature } = soft.assert(Buffer.from(challenge, 'base64url'), otherwise);
  const text = (bytes: Buffer) => bytes.toString('base64url');
  return {
    credentialId: soft.passkey.credentialId,
    authenticatorData: text(authenticatorData),
    clientDataJSON: text(clientDataJSON),
    signature: text(signature),
  };
};

/** Asks for a statement without a browser; gives where it is signed, or what was refused. */
async function statementOf(visitor: Visitor, release: ReleaseReference, fields: Record<string, string>) {
  const { status, headers } = await visitor.post(`${at(release)}/statement`, {
    note: 'a note',
    reason: fields.decision === 'approve' ? 'audit-passed' : 'other',
    ...fields,
  });
  const place = String(headers.location ?? '');
  const flash = place.startsWith('/sign/') ? '' : (await visitor.get(place || '/')).body;
  return { status, challenge: place.replace('/sign/', ''), code: flash };
}

describe('signing by passkey', () => {
  test('a person makes a passkey; it counts when the roots have signed a version with it, and not before', async () => {
    const { page } = manager;
    await page.goto(`${bench.origin}/passkey`);
    await page.click('#register');
    await page.waitForSelector('#entry');
    const entry = JSON.parse((await page.textContent('#entry'))!) as TrustVersion['approvers'][number];
    expect(entry).toMatchObject({
      subject: TEST_APPROVER,
      passkey: { relyingParty: 'localhost', origins: [bench.origin] },
    });
    expect(await page.textContent('#fingerprint')).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){7}$/);
    const early = await Visitor.of(bench, person(TEST_APPROVER, 'approver'));
    expect((await statementOf(early, GOOD, { decision: 'reject' })).code).toContain('no passkey');
    await trustToo(stack, [entry, { subject: SECOND, passkey: soft.passkey, valid: 'everywhere' }]);
    await page.reload();
    expect(await page.textContent('main')).toContain('in the trust file');
    expect(await page.locator('#entry').count()).toBe(0);
    // A gate reads its approvers again at most every few seconds.
    await page.waitForTimeout(12_000);
  });

  test('she reads the words of the very bytes, touches once, and her approval is recorded', async () => {
    const { page } = manager;
    await page.goto(`${bench.origin}${at(GOOD)}/review`);
    const decide = page.locator('#decide');
    expect(await decide.textContent()).toContain('it is published at once. From then on it can only be retracted');
    expect(await decide.textContent()).toMatch(
      /A new version is a new charge; one like this takes ε = \d.* left for these/,
    );
    expect(await page.locator('form:has(input[value=withdraw])').count()).toBe(0);
    for (const form of await decide.locator('form').all()) {
      const [box, button] = await Promise.all([form.boundingBox(), form.locator('button').boundingBox()]);
      const isInside = button!.y + button!.height < box!.y + box!.height && button!.x > box!.x;
      expect(isInside).toBe(true);
    }
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#decide form')).borderTopWidth`)).toBe('1px');
    const pictures = `[...document.querySelectorAll('#charts img')].map((one) => one.complete && one.naturalWidth > 0)`;
    const drawn = async () => [...new Set((await page.evaluate(pictures)) as boolean[])];
    await expect.poll(drawn, { timeout: 30_000 }).toEqual([true]);
    await askFor(bench, page, GOOD, 'approve');
    expect(await page.textContent('#effect')).toBe(
      'You approve that everybody gets the figures of 2 to 4 March 2026. It takes 2 signatures, 1 of them not made in this console. With the last approval that it needs it is published at once.',
    );
    const words = await page.textContent('#words');
    const wish = { release: GOOD, decision: 'approve', reason: 'audit-passed' } as const;
    const { attention } = await stack.client.status(GOOD);
    const reason = attention.length > 0 ? ('attention-accepted' as const) : wish.reason;
    const asked = await statementToSign(
      stack.client,
      { ...wish, reason, acknowledged: attention },
      { subject: TEST_APPROVER },
    );
    expect('words' in asked && asked.words.join('\n')).toBe(words);
    expect(page.url()).toBe(`${bench.origin}/sign/${'challenge' in asked && asked.challenge}`);
    const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().includes('/sign/'));
    await page.route('**/sign/*', async (route) => {
      while ((await page.textContent('#outcome')) === '') await page.waitForTimeout(20);
      expect(await page.textContent('#outcome')).toContain('Signed. It is being recorded');
      expect(await page.locator('#back').count()).toBe(0);
      await route.continue();
    });
    await page.click('#sign');
    const assertion = (await sent).postDataJSON() as object;
    await page.waitForURL(/review$/);
    await page.unroute('**/sign/*');
    expect(await page.textContent('.flash')).toContain('Your decision is signed and recorded: approve.');
    expect(await page.textContent('#decide')).toContain('You have approved this.');
    const offered = `[...document.querySelectorAll('#decide input[name=decision]')].map((one) => one.value)`;
    expect(await page.evaluate(offered)).toEqual(['withdraw']);
    expect((await stack.client.status(GOOD)).decisions).toMatchObject([
      { subject: TEST_APPROVER, decision: 'approve' },
    ]);
    // What was signed once is signed nowhere else.
    const again = await Visitor.of(bench, person(TEST_APPROVER, 'approver'));
    const other = await statementOf(again, ODD, { decision: 'reject', reason: 'other' });
    expect(other.challenge).not.toBe('');
    const replayed = await again.send(`/sign/${other.challenge}`, assertion);
    expect([replayed.status, JSON.parse(replayed.body).code]).toEqual([409, 'SIGNATURE_INVALID']);
    expect((await stack.client.status(ODD)).decisions).toEqual([]);
  });

  test('a second person with a key file, and it is public; a reader verifies both signatures', async () => {
    const answer = await decideRelease(stack.client, {
      release: GOOD,
      decision: 'approve',
      reason: 'audit-passed',
      ...(await pointsOf(GOOD)),
      note: 'read it',
      privateKey: approverKey('third@example.org').privateKey,
    });
    expect(answer).toMatchObject({ accepted: true });
    await reaches(stack.client, GOOD, ['published'], 120);
    const { page } = manager;
    await page.goto(`${bench.origin}${at(GOOD)}`);
    expect(await page.textContent('#state')).toBe('published');
    await page.goto(`${bench.origin}${at(GOOD)}/review`);
    expect(await page.textContent('#decide')).toMatch(/You have approved this\..*Retract.*Copies that readers have/s);
    expect(await page.textContent('#decide')).not.toContain('is not among those');
    const folder = join(stack.files.publication, releasePath(GOOD));
    const report = await verifyPublication(folder, await stack.client.trust());
    expect(JSON.stringify(report)).not.toContain('"passed":false');
  });
});

async function pointsOf(release: ReleaseReference) {
  const { attention } = await stack.client.status(release);
  return attention.length > 0 ? { acknowledged: attention, reason: 'attention-accepted' as const } : {};
}

describe('what is refused, kept, and changes nothing', () => {
  const nothingHappened = async () => expect((await stack.client.status(ODD)).decisions).toEqual([]);

  test.each<[string, Otherwise]>([
    ['of a page of another origin', { origin: 'https://evil.example' }],
    ['of a page of another port', { origin: 'http://localhost:1' }],
    ['of another relying party', { relyingParty: 'evil.example' }],
    ['without that the person was verified', { flags: 0x01 }],
    ['that makes a credential', { type: 'webauthn.create' }],
    ['in a page of another site', { crossOrigin: true }],
    ['over something else', { challenge: Buffer.alloc(32, 7) }],
  ])('an assertion %s', async (_, otherwise) => {
    const { challenge } = await statementOf(second, ODD, { decision: 'reject', reason: 'other' });
    const { status, body } = await second.send(`/sign/${challenge}`, signedBy(challenge, otherwise));
    expect([status, JSON.parse(body).code]).toEqual([409, 'SIGNATURE_INVALID']);
    expect((await second.get('/log')).body).toContain('refused: signature invalid');
    await nothingHappened();
  });

  test('a passkey of another person than the session’s', async () => {
    const other = await Visitor.of(bench, person(TEST_APPROVER, 'approver'));
    const { challenge } = await statementOf(other, ODD, { decision: 'reject', reason: 'other' });
    const { body } = await other.send(`/sign/${challenge}`, signedBy(challenge));
    expect(JSON.parse(body)).toMatchObject({
      code: 'SIGNATURE_INVALID',
      text: expect.stringContaining('not one of yours'),
    });
    await nothingHappened();
  });

  test('a statement of another session, or of a session that has ended', async () => {
    const { challenge } = await statementOf(second, ODD, { decision: 'reject', reason: 'other' });
    const other = await Visitor.of(bench, person(SECOND, 'approver'));
    expect((await other.send(`/sign/${challenge}`, signedBy(challenge))).status).toBe(404);
    expect((await second.send(`/sign/${challenge}`, signedBy(challenge), 'forged')).status).toBe(403);
    bench.forward(31 * 60_000);
    expect((await second.send(`/sign/${challenge}`, signedBy(challenge), 'any')).status).toBe(401);
    second = await Visitor.of(bench, person(SECOND, 'approver'));
    await manager.page.goto(bench.link(person(TEST_APPROVER, 'approver')));
    await nothingHappened();
  });

  test('a page that shows another release than the one at the gate, and points that nobody acknowledged', async () => {
    const stale = await statementOf(second, ODD, { decision: 'reject', shown: 'ab'.repeat(32) });
    expect(stale.challenge).toBe(stale.challenge.startsWith('/') ? stale.challenge : '');
    expect(stale.code).toContain('Refused.');
    const { attention } = await stack.client.status(ODD);
    const careless = await statementOf(second, ODD, { decision: 'approve' });
    if (attention.length > 0) expect(careless.code).toContain(attention[0]);
    await nothingHappened();
  });

  test('a decision without a public reason, or with one that is of another decision: nothing is chosen for her', async () => {
    await manager.page.goto(`${bench.origin}${at(ODD)}/review`);
    const reject = manager.page.locator('form:has(input[name=decision][value=reject]) select');
    expect([await reject.inputValue(), await reject.getAttribute('required')]).toEqual(['', '']);
    for (const reason of ['', 'privacy-in-doubt'])
      expect((await statementOf(second, ODD, { decision: 'reject', reason })).code).toContain('Choose a public reason');
    await nothingHappened();
  });

  test('whoever goes back without signing, or is refused, finds what she wrote, and nobody else does', async () => {
    const { page } = manager;
    const note = 'Tram of Wednesday: </textarea><script>ask the supplier';
    await page.goto(`${bench.origin}${at(ODD)}/review`);
    const form = page.locator('form:has(input[name=decision][value=reject])');
    await form.locator('select').selectOption('input-in-doubt');
    await form.locator('textarea').fill(note);
    await form.locator('button').click();
    await page.waitForURL(/\/sign\//);
    expect(await page.textContent('#effect')).toMatch(/^You refuse, for good, the figures of 9.*2026\.$/);
    await page.click('#back a');
    expect(page.url()).toBe(`${bench.origin}${at(ODD)}/review#decide`);
    expect([await form.locator('select').inputValue(), await form.locator('textarea').inputValue()]).toEqual([
      'input-in-doubt',
      note,
    ]);
    expect(await page.locator('form:has(input[value=approve]) textarea').inputValue()).toBe('');
    expect((await second.get(`${at(ODD)}/review`)).body).not.toContain('ask the supplier');
    await statementOf(second, ODD, { decision: 'reject', reason: '', note: 'kept by a refusal' });
    expect((await second.get(`${at(ODD)}/review`)).body).toContain('kept by a refusal</textarea>');
    await nothingHappened();
  });

  test('a viewer, an operator, and somebody who is in no trust file', async () => {
    for (const [role, code] of [
      ['viewer', 'Approvers sign'],
      ['operator', 'Approvers sign'],
      ['approver', 'passkey'],
    ] as const) {
      const visitor = await Visitor.of(bench, person('nobody@example.org', role));
      expect((await statementOf(visitor, ODD, { decision: 'reject' })).code).toContain(code);
    }
    await nothingHappened();
  });
});

describe('in a browser', () => {
  const pages = () => [
    ...[
      '/',
      '/releases',
      '/series',
      '/series/small',
      '/ledger',
      '/ledger/small-riders',
      '/log',
      '/passkey',
      '/nothing',
    ],
    ...[GOOD, ODD, BROKEN].map(at),
    ...[GOOD, ODD].map((release) => `${at(release)}/review`),
  ];

  for (const [colorScheme, tags] of COLOR_SCHEMES)
    test(`axe finds nothing on any page, and nothing reaches over an edge, ${colorScheme}`, {
      tags: [...tags],
    }, async () => {
      const context = await browser.newContext({ bypassCSP: true, colorScheme });
      const page = await context.newPage();
      await page.goto(bench.link(person(SECOND, 'viewer', 'operator', 'approver')));
      for (const path of pages()) {
        await page.goto(`${bench.origin}${path}`);
        await lookAt(page, `${path} ${colorScheme}`);
      }
      await askFor(bench, page, ODD, 'reject');
      await lookAt(page, `/sign ${colorScheme}`);
      await context.close();
    });

  test('no page breaks its own policy, and every page can be read and used without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(bench.link(person('ops@example.org', 'operator')));
    for (const path of pages().filter((one) => one !== '/nothing')) {
      await page.goto(`${bench.origin}${path}`);
      expect(await page.textContent('h1')).not.toBe('');
    }
    expect(complaints).toEqual([]);
    await page.goto(`${bench.origin}${at(BROKEN)}`);
    await page.click('text=Retry what failed');
    expect(await page.textContent('.flash')).toMatch(/Done|Refused/);
    await context.close();
  });

  test('by keyboard alone: the first stop leads past the ways, and a release is reached and read', async () => {
    const { page } = manager;
    await page.goto(bench.origin);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(page.url()).toContain('#main');
    for (let stop = 0; stop < 20; stop++) {
      await page.keyboard.press('Tab');
      if (String(await page.evaluate('document.activeElement.textContent')).startsWith('Review')) break;
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/review$/);
  });

  test('a rejection ends the release, its charge stays, and a page that is open says that it has changed', async () => {
    const { page: own, context } = manager;
    const page = await context.newPage();
    await page.goto(`${bench.origin}${at(ODD)}`);
    expect(await page.textContent('#state')).toBe('waiting');
    await page.waitForTimeout(4_000);
    await askFor(bench, own, ODD, 'reject');
    await own.click('#sign');
    await own.waitForURL(/review$/);
    expect(await own.textContent('.flash')).toContain('Your decision is signed and recorded: reject.');
    await reaches(stack.client, ODD, ['rejected'], 60);
    await page.waitForSelector('#changed', { timeout: 20_000 });
    expect(await page.textContent('#state')).toBe('rejected');
    await page.click('#changed a');
    expect(await page.textContent('main')).toContain('its charge stays');
    expect(await page.textContent('main')).not.toMatch(/To be acknowledged|\d needed/);
    expect(await page.textContent('main')).toContain('reject');
  });

  test('a rejection stays among what needs operators until a newer version, or three newer windows, are there', async () => {
    const ops = await Visitor.of(bench, person('ops@example.org', 'operator'));
    const { body } = await ops.get('/');
    const reason = DECISION_REASONS.reject[0].replaceAll('-', ' ');
    const sentence = `${releasePath(ODD)} was rejected by ${TEST_APPROVER}: ${reason}. A new version is a new charge.`;
    expect(body).toContain(sentence);
    const lines = await listWithRetractions(stack.client);
    const needs = (more: readonly object[]) =>
      needsOfRejected(stack.client, [
        ...lines,
        ...more.map((one) => ({ ...lines[0]!, ...ODD, state: 'waiting' as const, ...one })),
      ]);
    expect(await needs([])).toMatchObject([{ who: 'operator', sentence, place: { name: releasePath(ODD) } }]);
    expect(await needs([{ version: 2 }])).toEqual([]);
    expect(await needs([{ window: '2026-03-23' }])).toHaveLength(1);
    expect(await needs([{ window: '2026-03-23' }, { window: '2026-03-30' }])).toEqual([]);
    expect(await needs([{ window: '2026-03-23', series: 'other' }, { window: '2026-03-30' }])).toHaveLength(1);
  });
});
