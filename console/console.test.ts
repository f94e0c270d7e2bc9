import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, start, untilUp } from '../cli/process.fixture.ts';
import { statementToSign } from '../client/release/decide-release.ts';
import { planRun, startRelease } from '../client/release/plan-run.ts';
import { EXIT } from '../contracts/errors.ts';
import { FILES, RELEASE_KEYS } from '../contracts/names.ts';
import { putDecisionRecord } from '../services/decisions/decision-record.ts';
import { findRelease } from '../services/publication/audited-release.ts';
import { signEnvelope } from '../services/signing/envelope.ts';
import { ask, type ConsoleBench, person, startConsoleBench, Visitor } from '../test/support/console-bench.ts';
import { newFolder } from '../test/support/new-folder.ts';
import {
  SMALL_WINDOW,
  type SmallSeries,
  smallKey,
  writeSmallTrips,
  writeTruncatedTrips,
} from '../test/support/small-series.ts';
import { startSmallStack } from '../test/support/small-stack.ts';
import { reaches, type TestStack } from '../test/support/test-stack.ts';
import { approverKey, TEST_APPROVER } from '../test/support/test-trust.ts';

let stack: TestStack;
let series: SmallSeries;
let bench: ConsoleBench;
const FIRST = { series: 'small', window: SMALL_WINDOW, version: 1 };
const RELEASE = `/releases/small/${SMALL_WINDOW}/v1`;
const BROKEN = { series: 'small', window: '2026-03-09', version: 1 };

const visitors: Record<'operator' | 'approver' | 'viewer', Visitor> = {} as never;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
  await writeSmallTrips(stack.source, ['2026-03-09', '2026-03-10', '2026-03-11']);
  await writeTruncatedTrips(stack.source, '2026-03-09', 'bus');
  for (const { window } of [FIRST, BROKEN])
    await startRelease(stack.client, await planRun(stack.client, series.file, window, 1));
  bench = await startConsoleBench(stack);
  for (const role of ['operator', 'approver', 'viewer'] as const)
    visitors[role] = await Visitor.of(bench, person(`${role}@example.org`, role));
  await reaches(stack.client, FIRST, ['waiting'], 120);
  await reaches(stack.client, BROKEN, ['partitions-failed'], 120);
});
afterAll(async () => {
  await bench?.close();
  await stack?.end();
});

const PAGES = [
  '/',
  '/releases',
  '/series',
  '/series/small',
  RELEASE,
  `${RELEASE}/review`,
  '/ledger',
  '/ledger/small-riders',
  '/log',
];

describe('who gets in', () => {
  test('a link opens one session, once, under a new name, in a cookie that no script and no other site has', async () => {
    const path = new URL(bench.link(person('a', 'viewer'))).pathname;
    const first = await ask(bench.origin, path, { headers: { cookie: '__Host-opaline=planted' } });
    expect(first.status).toBe(303);
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-opaline=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect(first.headers['set-cookie']![0]).not.toContain('planted');
    expect((await ask(bench.origin, path)).status).toBe(403);
  });

  test('without a session every page and every form is refused, and shows nothing', async () => {
    for (const path of [...PAGES, '/nothing', `/events${RELEASE.slice(9)}`]) {
      const { status, body } = await ask(bench.origin, path);
      expect([path, status]).toEqual([path, 401]);
      expect(body).not.toContain('small');
    }
    const posted = await ask(bench.origin, `${RELEASE}/cancel`, { method: 'POST', headers: { origin: bench.origin } });
    expect(posted.status).toBe(401);
  });

  test('a session ends after half an hour without a request, and after eight hours in any case', async () => {
    const idle = await Visitor.of(bench, person('idle', 'viewer'));
    const busy = await Visitor.of(bench, person('busy', 'viewer'));
    bench.forward(29 * 60_000);
    expect([(await idle.get('/log')).status, (await busy.get('/log')).status]).toEqual([200, 200]);
    bench.forward(31 * 60_000);
    expect((await idle.get('/log')).status).toBe(401);
    const long = await Visitor.of(bench, person('long', 'viewer'));
    for (let hour = 0; hour < 16; hour++) {
      bench.forward(29 * 60_000);
      expect((await long.get('/log')).status).toBe(200);
    }
    bench.forward(20 * 60_000);
    expect((await long.get('/log')).status).toBe(401);
    for (const role of ['operator', 'approver', 'viewer'] as const)
      visitors[role] = await Visitor.of(bench, person(`${role}@example.org`, role));
  });

  test('whoever leaves has no session any more, with an old cookie either', async () => {
    const visitor = await Visitor.of(bench, person('leaves', 'viewer'));
    expect((await visitor.post('/leave')).status).toBe(303);
    expect((await visitor.get('/log')).status).toBe(401);
  });
});

describe('what a browser is told', () => {
  test('every answer has the headers, errors too', async () => {
    for (const path of ['/', '/style.css', '/nothing', '/enter/x', '/../../etc/passwd']) {
      const { headers } = await visitors.viewer.get(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['permissions-policy']).toContain('publickey-credentials-get=(self)');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-powered-by'] ?? headers.server).toBeUndefined();
    }
  });

  test('pages hold no script, style or handler of their own', async () => {
    for (const path of PAGES) {
      const { status, body } = await visitors.operator.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(body.match(/<script(?! src="\/console\.js" defer>)|<style|\sstyle="|\son\w+="/g)).toBeNull();
    }
  });

  test('each page has its twin for programs, of the same data', async () => {
    for (const path of PAGES) {
      const { status, value } = await visitors.operator.json(path);
      expect([path, status, typeof value]).toEqual([path, 200, 'object']);
    }
    const { value } = await visitors.approver.json(RELEASE);
    expect(value).toMatchObject({ release: { state: 'waiting', release: `small/${SMALL_WINDOW}/v1` } });
  });
});

describe('charts', () => {
  test('are pictures at addresses of their own, for whoever has a session, and hold no script', async () => {
    const { body } = await visitors.viewer.get(`${RELEASE}/review`);
    const addresses = [...body.matchAll(/<img src="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const address of addresses) {
      expect((await ask(bench.origin, address)).status).toBe(401);
      const { status, headers, body: picture } = await visitors.viewer.get(address);
      expect([status, headers['content-type'], picture.slice(0, 5)]).toEqual([200, 'image/svg+xml', '<svg ']);
      expect(picture).not.toMatch(/<script|\son\w+=|href=/);
    }
    for (const other of [
      addresses[0]!.replace('0.svg', '99.svg'),
      `/charts/${'ab'.repeat(32)}/0.svg`,
      '/charts/x/y.svg',
    ])
      expect((await visitors.viewer.get(other)).status).toBe(404);
  });
});

describe('requests that are none of this console', () => {
  test('another host is refused: no name that points here reads anything', async () => {
    for (const host of ['evil.example', 'localhost', '127.0.0.1:1', 'localhost.evil.example:80'])
      expect((await ask(bench.origin, '/', { headers: { host, cookie: visitors.viewer.cookie } })).status).toBe(421);
  });

  test('a form of another site, without an origin, or with a forged token is refused and kept', async () => {
    const { operator } = visitors;
    const token = await operator.token();
    const other = await visitors.viewer.token();
    for (const [headers, fields, code] of [
      [{ origin: 'https://evil.example' }, { token }, 'origin refused'],
      [{ origin: 'null' }, { token }, 'origin refused'],
      [{ 'sec-fetch-site': 'cross-site' }, { token }, 'origin refused'],
      [{}, { token: `${token}x` }, 'token refused'],
      [{}, { token: other }, 'token refused'],
    ] as const) {
      const { status, body } = await operator.post(`${RELEASE}/cancel`, { ...fields, sure: 'yes' }, headers);
      expect([code, status, body.includes(code)]).toEqual([code, 403, true]);
    }
    expect((await stack.client.status(FIRST)).state).toBe('waiting');
    const { body } = await visitors.viewer.get('/log');
    expect(body).toContain('refused: token refused');
    expect(body).toContain('refused: origin refused');
  });

  test('bodies, heads and methods have bounds', async () => {
    const { operator } = visitors;
    expect((await operator.post(`${RELEASE}/cancel`, { note: 'x'.repeat(40_000) })).status).toBe(413);
    const head = await operator.get('/', { 'x-long': 'x'.repeat(9000) }).catch((error: Error) => error);
    expect(head instanceof Error || head.status === 431).toBe(true);
    const put = await ask(bench.origin, '/', {
      method: 'PUT',
      headers: { cookie: operator.cookie, origin: bench.origin },
    });
    expect(put.status).toBe(404);
  });

  test('names that lead elsewhere lead nowhere', async () => {
    for (const path of [
      '/releases/..%2f..%2fetc/2026-03-02/v1',
      '/releases/small/2026-03-02/v1%00',
      '/releases/small/2026-03-02/v01',
      '/series/..%2f..',
      '/ledger/..%2fseries',
      '/ledger/__proto__',
      `${RELEASE}/review/..%2f..`,
    ]) {
      const { status } = await visitors.operator.get(path);
      expect([path, [400, 404].includes(status)]).toEqual([path, true]);
    }
    expect(bench.unexpected).toEqual([]);
  });

  test('too much within a minute is refused until the minute is over', async () => {
    const visitor = await Visitor.of(bench, person('eager', 'viewer'));
    const token = await visitor.token();
    const many = [];
    for (let n = 0; n < 62; n++) many.push((await visitor.post('/nowhere', { token })).status);
    expect(many.at(-1)).toBe(429);
    bench.forward(60_000);
    expect((await visitor.post('/nowhere', { token })).status).toBe(404);
  });
});

describe('roles', () => {
  test('a viewer’s form is refused, kept, and changes nothing; so is an approver’s retry', async () => {
    for (const [who, path] of [
      ['viewer', `${RELEASE}/cancel`],
      ['viewer', `${RELEASE}/proceed`],
      ['approver', '/releases/small/2026-03-09/v1/retryPartitions'],
      ['approver', '/series/small/trigger'],
    ] as const) {
      await visitors[who].post(path, { sure: 'yes', window: SMALL_WINDOW });
      const { body } = await visitors[who].get('/');
      expect(body).toContain('Refused.');
      expect((await visitors.viewer.get('/log')).body).toContain('refused: role missing');
    }
    expect((await stack.client.status(FIRST)).state).toBe('waiting');
    expect((await stack.client.status(BROKEN)).state).toBe('partitions-failed');
  });

  test('C18: nobody but operators gets times, attempts or start times of private stages, in page, JSON or event', async () => {
    const status = await stack.client.status(FIRST);
    const started = (await stack.client.list())[0]!.startedAt!;
    // Deadlines are whole hours: a start on the hour cannot be distinguished from them.
    const minute = started.slice(14, 16) === '00' ? [] : [started.slice(11, 16)];
    const hidden = [started, ...minute, status.since!, status.expiresAt!];
    for (const role of ['viewer', 'approver'] as const)
      for (const path of PAGES.filter((one) => one !== '/log')) {
        const { value } = await visitors[role].json(path);
        const text = JSON.stringify(value);
        expect([role, path, hidden.filter((moment) => text.includes(moment))]).toEqual([role, path, []]);
        expect([path, /"(startedAt|since|attempts|operator)":(?!null|\{"release)/.exec(text)?.[0]]).toEqual([
          path,
          undefined,
        ]);
        const { body, headers } = await visitors[role].get(path);
        expect(body).not.toMatch(/For operators|Started<|In this state since/);
        expect(headers['last-modified'] ?? headers['server-timing']).toBeUndefined();
      }
    for (const path of ['/', RELEASE]) expect((await visitors.approver.get(path)).body).toContain('Decide by');
    const seen = JSON.stringify((await visitors.operator.json('/releases')).value);
    expect(seen).toContain(started);
  });

  test('C18: when somebody acted is shown to operators; to others the day alone', async () => {
    const seen = async (role: keyof typeof visitors) => JSON.stringify((await visitors[role].json('/log')).value);
    expect(await seen('operator')).toMatch(/"at":"\d{4}-\d\d-\d\dT\d\d:/);
    for (const role of ['viewer', 'approver'] as const) expect(await seen(role)).not.toMatch(/\d\d:\d\d/);
  });

  test('no word of the machinery, and no code, is on a page of managers', async () => {
    for (const path of [...PAGES, '/releases/small/2026-03-09/v1', '/nothing']) {
      const { body } = await visitors.approver.get(path);
      expect([path, /Temporal|DuckDB|\bS3\b|\b[A-Z]{2,}(?:_[A-Z]+)+\b|>partitions-failed/.exec(body)?.[0]]).toEqual([
        path,
        undefined,
      ]);
    }
  });
});

describe('what operators do', () => {
  test('a broken delivery is named with its cause; delivered again, a retry at 0 ε takes the release to its gate', async () => {
    const page = `/releases/small/2026-03-09/v1`;
    const before = await visitors.operator.get(page);
    expect(before.body).toContain(`object unreadable in ${smallKey('2026-03-09', 'bus')}`);
    expect(before.body).toContain('costs 0 ε');
    expect(before.body).toContain('Ask the supplier to deliver it again, then retry');
    expect(before.body).toMatch(/holds back bus\/2026-03-10 too, as a trip may begin the day before/);
    expect((await visitors.operator.get('/')).body).toContain('>Look and mend<');
    expect((await visitors.approver.get('/')).body).toMatch(/>Look<(?!.*>Look and mend<)/s);
    await rm(join(stack.source, smallKey('2026-03-09', 'bus')));
    await writeSmallTrips(stack.source, ['2026-03-09']);
    const posted = await visitors.operator.post(`${page}/retryPartitions`);
    expect([posted.status, posted.headers.location]).toEqual([303, page]);
    expect((await visitors.operator.get(page)).body).toContain('What failed is tried again.');
    await reaches(stack.client, BROKEN, ['waiting'], 120);
    expect((await visitors.viewer.get('/log')).body).toContain('retry partitions');
  });

  test('what cannot be taken back needs the mark beside its button', async () => {
    await visitors.operator.post('/releases/small/2026-03-09/v1/cancel');
    expect((await visitors.operator.get('/')).body).toContain('Set the mark beside the button first');
    expect((await stack.client.status(BROKEN)).state).toBe('waiting');
    await visitors.operator.post('/releases/small/2026-03-09/v1/cancel', { sure: 'yes' });
    await reaches(stack.client, BROKEN, ['cancelled']);
  });
});

describe('what an adversary writes', () => {
  test('names of a record are text, bounded, and shown as they are', async () => {
    const name = `<script>alert(1)</script>\u202e${'x'.repeat(2000)}`;
    const evil = await Visitor.of(bench, person(name, 'viewer'));
    const { body } = await evil.get('/log');
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('\u202e');
    expect(body).not.toContain('x'.repeat(3001));
    const { body: own } = await evil.get('/');
    expect(own).not.toContain('<script>alert');
  });

  test('C16: a decision that somebody planted is on no page, with the right signature of an approver either', async () => {
    const { client } = stack;
    const wish = { release: FIRST, decision: 'approve', reason: 'audit-passed' } as const;
    const { attention } = await client.status(FIRST);
    const { privateKey } = approverKey(TEST_APPROVER);
    const asked = await statementToSign(client, { ...wish, acknowledged: attention }, { privateKey });
    if (!('statement' in asked)) throw new Error(asked.message);
    const envelope = signEnvelope(asked.statement, privateKey);
    const arrived = { at: new Date(), publisherKey: privateKey };
    await putDecisionRecord(client.releaseStore, FIRST, { envelope, note: 'a planted note' }, arrived);
    for (const path of ['/', RELEASE, `${RELEASE}/review`]) {
      const { status, body } = await visitors.operator.get(path);
      expect([path, status, /planted note|approve, audit passed/.exec(body)?.[0]]).toEqual([path, 200, undefined]);
    }
  });

  test('C16: a staged file that somebody changed is not shown and nobody is asked to sign it, until it is back', async () => {
    const { report, manifest } = (await findRelease(stack.client, FIRST))!;
    expect(report.verdict).not.toBe('fail');
    const staged = join(
      stack.files.store('release'),
      RELEASE_KEYS.staged(FIRST, manifest.build.sources, FILES.summary),
    );
    const before = await readFile(staged, 'utf8');
    await writeFile(staged, before.replace(/\d/, '7'));
    for (const role of ['viewer', 'approver'] as const) {
      const { status, body } = await visitors[role].get(`${RELEASE}/review`);
      expect([status, body.includes('is not the one that was audited')]).toEqual([409, true]);
      expect(body).not.toContain('Approve');
    }
    await writeFile(staged, before);
    expect((await visitors.viewer.get(`${RELEASE}/review`)).status).toBe(200);
  });

  test('a page that somebody planted in the store is not shown: the release is refused by name', async () => {
    const { releaseStore } = stack.client;
    const key = RELEASE_KEYS.consoleRecord('29990101T000000000Z-evil');
    await releaseStore.putIfAbsent(key, Buffer.from('{"format":"opaline-console-record/1","at":"<b>"}'));
    expect((await visitors.viewer.get('/log')).status).toBe(200);
  });
});

describe('opaline console', () => {
  test('prints a link of one session, another one when it was used, and ends when it is told to', async () => {
    const { child, ending } = start(['console', '--as', 'viewer', '--subject', 'somebody'], {
      deployment: stack.files.deployment('client'),
    });
    const said = await untilUp(child);
    const link = new URL(/http:\/\/localhost:\S+/.exec(said)![0]);
    const first = await ask(link.origin, link.pathname);
    expect([first.status, (await ask(link.origin, link.pathname)).status]).toEqual([303, 403]);
    const visitor = new Visitor(link.origin);
    visitor.cookie = first.headers['set-cookie']![0]!.split(';')[0]!;
    expect((await visitor.get('/log')).body).toContain('somebody, viewer');
    child.kill('SIGINT');
    const { code, stderr } = await ending;
    expect([code, stderr.match(/http:\/\/localhost:\S+/g)!.length]).toEqual([EXIT.interrupted, 2]);
  });

  test('takes no name beside a deployment file, and none without TLS elsewhere than on loopback', async () => {
    const file = join(newFolder(), 'console.json');
    const { signingKeyFile: _, ...own } = JSON.parse(await readFile(stack.files.deployment('client'), 'utf8'));
    const login = { issuer: 'https://login.example.org', clientId: 'a', clientSecret: { env: 'NONE' } };
    const open = { ...own, listen: '0.0.0.0:4443', origin: 'https://opaline.example.org', login };
    await writeFile(file, JSON.stringify(open));
    expect(await run(['console', file, '--as', 'viewer'])).toMatchObject({ code: EXIT.badInput, stdout: '' });
    const refused = await run(['console', file]);
    expect([refused.code, refused.stderr]).toEqual([EXIT.badInput, expect.stringContaining('CONFIGURATION_INVALID')]);
    await writeFile(file, JSON.stringify({ ...open, behindProxy: true, signingKeyFile: 'policy.pem' }));
    expect((await run(['console', file])).stderr).toContain('CONFIGURATION_INVALID');
  });
});
