import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package is without types
import Provider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpalineClient } from '../client/opaline-client.ts';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { consoleDeploymentSchema } from '../contracts/deployment.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { type Answered, Visitor } from '../test/support/console-bench.ts';
import { newFolder } from '../test/support/new-folder.ts';
import type { Console } from './listening.ts';
import { personOfClaims } from './login.ts';
import { startConsole } from './server.ts';

/** What the provider gives of a log-in that is under way. */
type Context = { oidc: { client: { clientId: string }; session: { accountId: string } } };

/** Accounts of the provider, with their roles. */
const ACCOUNTS: Record<string, string[]> = {
  'sub-viewer': ['viewer'],
  'sub-manager': ['viewer', 'approver'],
  'sub-both': ['operator', 'approver'],
  'sub-custodian': ['custodian', 'approver'],
  'sub-nobody': [],
  'manager@example.org': ['approver'],
};
const SECRET = 'the-secret-of-this-client-and-nobody-else';

/** What becomes of the ID token on its way; null: nothing. */
let forgery: ((token: string) => string) | null = null;

let provider: Server;
let issuer: string;
let served: Console;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

beforeAll(async () => {
  const [own, port] = [await freePort(), await freePort()];
  issuer = `http://localhost:${own}`;
  const origin = `http://localhost:${port}`;
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: 'opaline',
        client_secret: SECRET,
        redirect_uris: [`${origin}/login/back`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub', 'roles'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, roles: ACCOUNTS[sub] ?? [] }) }),
    // Who logs in agrees: consent has no part here.
    loadExistingGrant: async (ctx: Context) => {
      const grant = new oidc.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });
  const answer = oidc.callback();
  provider = createServer((request, response) => {
    const end = response.end.bind(response);
    const forge = request.url === '/token' ? forgery : null;
    // Somebody has the provider's answer in hand.
    if (forge)
      response.end = ((body: string) => {
        const { id_token, ...rest } = JSON.parse(String(body));
        const forged = JSON.stringify({ ...rest, id_token: forge(id_token) });
        response.setHeader('content-length', Buffer.byteLength(forged));
        return end(forged);
      }) as typeof response.end;
    return answer(request, response);
  }).listen(own, '127.0.0.1');
  await once(provider, 'listening');
  process.env.OPALINE_TEST_SECRET = SECRET;
  const client = { releaseStore: new FolderStore(newFolder()) } as unknown as OpalineClient;
  served = await startConsole({
    client,
    deployment: {} as ClientDeployment,
    listen: { host: '127.0.0.1', port, origin },
    login: {
      origin,
      now: Date.now,
      provider: {
        issuer,
        clientId: 'opaline',
        clientSecret: { env: 'OPALINE_TEST_SECRET' },
        rolesClaim: 'roles',
        people: [{ sub: 'sub-manager', subject: 'manager@example.org' }],
      },
    },
  });
});
afterAll(async () => {
  await served?.close();
  provider?.close();
});

/** Logs in at the provider as a person would; gives the address that leads back to the console. */
async function atProvider(start: string, account: string): Promise<string> {
  const cookies = new Map<string, string>();
  const go = async (address: string, body?: URLSearchParams): Promise<Response> => {
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((one) => one.join('=')).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const one of answer.headers.getSetCookie()) {
      const [name, value] = one.split(';')[0]!.split('=') as [string, string];
      cookies.set(name, value);
    }
    return answer;
  };
  let address = start;
  for (let step = 0; step < 10; step++) {
    const answer = await go(address);
    const next = answer.headers.get('location');
    if (next?.startsWith(`${served.origin}/`)) return next;
    if (next) {
      address = new URL(next, issuer).href;
      continue;
    }
    const action = /action="([^"]+)"/.exec(await answer.text())![1]!;
    const form = new URLSearchParams({ prompt: 'login', login: account, password: 'any' });
    address = new URL((await go(new URL(action, issuer).href, form)).headers.get('location')!, issuer).href;
  }
  throw new Error('the provider leads nowhere');
}

/** Begins a log-in; `change` is of the address that leads back. */
async function logIn(
  account: string,
  change: (back: URL) => void = () => undefined,
): Promise<{ visitor: Visitor; answer: Answered; back: string }> {
  const visitor = new Visitor(served.origin);
  const begun = await visitor.get('/login');
  const back = new URL(await atProvider(String(begun.headers.location), account));
  change(back);
  const answer = await visitor.get(back.pathname + back.search);
  // The last cookie that was set is that of the session.
  const cookies = (answer.headers['set-cookie'] ?? []) as string[];
  const session = cookies.find((one) => one.startsWith('__Host-opaline='));
  visitor.cookie = session?.split(';')[0] ?? '';
  return { visitor, answer, back: back.pathname + back.search };
}

describe('log-in by a provider', () => {
  test('asks for a code, with PKCE, state and nonce; its cookie is lax, short, and of the log-in alone', async () => {
    const { status, headers } = await new Visitor(served.origin).get('/login');
    const { searchParams, origin } = new URL(String(headers.location));
    expect([status, origin]).toEqual([303, issuer]);
    expect(Object.fromEntries(searchParams)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
    expect(['state', 'nonce', 'code_challenge'].every((name) => (searchParams.get(name) ?? '').length >= 43)).toBe(
      true,
    );
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-opaline-login=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  test('an account comes in with its roles, and as the person that the deployment names by its subject', async () => {
    const { visitor, answer } = await logIn('sub-manager');
    expect(answer.status).toBe(200);
    expect(String(answer.headers['set-cookie'])).toMatch(
      /__Host-opaline=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict/,
    );
    const { status, body } = await visitor.get('/log');
    expect([status, body.includes('manager@example.org, viewer, approver')]).toEqual([200, true]);
  });

  test('an account that is called like an approver is not the approver', async () => {
    const { visitor } = await logIn('manager@example.org');
    expect((await visitor.get('/log')).body).toContain(`account ${issuer} manager@example.org`);
  });

  test.each([
    ['sub-both', 'roles exclude'],
    ['sub-custodian', 'roles exclude'],
    ['sub-nobody', 'role missing'],
  ])('C16: %s is refused: %s', async (account, code) => {
    const { visitor, answer } = await logIn(account);
    expect([answer.status, answer.body.includes(code), visitor.cookie]).toEqual([403, true, '']);
  });

  test.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (back) => back.searchParams.delete('state')],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
    ['no issuer', (back) => back.searchParams.delete('iss')],
    ['another code', (back) => back.searchParams.set('code', 'x'.repeat(43))],
    ['an error in place of a code', (back) => back.searchParams.set('error', 'access_denied')],
  ])('an answer with %s opens nothing', async (_, change) => {
    const { visitor, answer } = await logIn('sub-viewer', change);
    expect([answer.status, visitor.cookie]).toEqual([403, '']);
  });

  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  const symmetric = (token: string): string => {
    const signed = `${encoded({ alg: 'HS256' })}.${token.split('.')[1]}`;
    return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
  };

  test.each<[string, (token: string) => string]>([
    ['that nobody signed', (token) => `${encoded({ alg: 'none' })}.${token.split('.')[1]}.`],
    ['that the secret of the client signed', (token) => symmetric(token)],
    [
      'with other roles than its signature is of',
      (token) => {
        const [head, , signature] = token.split('.');
        return `${head}.${encoded({ ...payloadOf(token), roles: ['approver'] })}.${signature}`;
      },
    ],
  ])('an ID token %s opens nothing', async (_, forge) => {
    forgery = forge;
    const { visitor, answer } = await logIn('sub-viewer').finally(() => {
      forgery = null;
    });
    expect([answer.status, visitor.cookie]).toEqual([403, '']);
    // It is the token: without a forger the same account comes in.
    expect((await logIn('sub-viewer')).answer.status).toBe(200);
  });

  test('an answer counts once, and in the browser that asked alone', async () => {
    const { back, answer } = await logIn('sub-viewer');
    expect(answer.status).toBe(200);
    const other = new Visitor(served.origin);
    expect((await other.get(back)).status).toBe(403);
    await other.get('/login');
    expect((await other.get(back)).status).toBe(403);
  });

  test('roles are those of one claim, and a claim of another form gives none', () => {
    const provider = { issuer: 'https://a.example', rolesClaim: 'roles', people: [] };
    const roles = (value: unknown) => {
      const found = personOfClaims(provider, { sub: 'x', roles: value });
      return 'roles' in found ? found.roles : found.code;
    };
    expect(['viewer', ['viewer', 'root'], { viewer: true }, 7, null, ['Approver']].map(roles)).toEqual([
      ['viewer'],
      ['viewer'],
      'ROLE_MISSING',
      'ROLE_MISSING',
      'ROLE_MISSING',
      'ROLE_MISSING',
    ]);
  });
});

describe('where a console listens', () => {
  const file = (change: object): unknown => ({
    temporal: { address: '127.0.0.1:7233' },
    trust: { file: 'trust.json' },
    releaseStore: { kind: 'folder', path: 'release' },
    listen: '0.0.0.0:443',
    origin: 'https://opaline.example.org',
    login: { issuer: 'https://login.example.org', clientId: 'opaline', clientSecret: { env: 'SECRET' } },
    ...change,
  });
  const isTaken = (change: object): boolean => consoleDeploymentSchema.safeParse(file(change)).success;

  test('elsewhere than on loopback with TLS or behind a proxy, and nowhere without a log-in', () => {
    expect(isTaken({ tls: { certFile: 'a', keyFile: 'b' } })).toBe(true);
    expect(isTaken({ behindProxy: true })).toBe(true);
    expect(isTaken({ listen: '127.0.0.1:8443' })).toBe(true);
    for (const change of [
      {},
      { listen: '10.0.0.1:80' },
      { listen: '[::]:443' },
      { behindProxy: true, login: undefined },
      { behindProxy: true, origin: 'http://opaline.example.org' },
      { behindProxy: true, origin: 'https://opaline.example.org/' },
      { behindProxy: true, signingKeyFile: 'policy.pem' },
      { behindProxy: true, login: { issuer: 'http://login.example.org', clientId: 'a', clientSecret: { env: 'S' } } },
    ])
      expect([change, isTaken(change)]).toEqual([change, false]);
  });
});
