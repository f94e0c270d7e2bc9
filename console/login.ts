import type { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import * as openid from 'openid-client';
import type { ConsoleDeployment } from '../contracts/deployment.ts';
import { readSecret } from '../services/secrets.ts';
import type { ConsoleEnv } from './access.ts';
import { keep } from './live.ts';
import { type PageRefusal, pageRefusal } from './pages/small-pages.ts';
import { isSame, type Person, ROLES, type Role, randomName } from './sessions.ts';
import { COOKIE, type ConsoleTools } from './tools.ts';

/** The way into a console by a provider. */
export type Login = { provider: ConsoleDeployment['login']; origin: string; now: () => number };

/** A log-in is to be finished within so long. */
const OPEN_MS = 10 * 60_000;

/** Log-ins that are open at once; the oldest makes room. */
const MOST_OPEN = 1000;

/** What the provider says is read again after so long: keys are changed. */
const PROVIDER_MS = 10 * 60_000;

/** Sent along when the provider leads back here from its own site, which a strict cookie is not. */
const TRANSACTION = '__Host-opaline-login';

/** Algorithms by which nobody, or everybody who has the client's secret, could sign an ID token. */
const WEAK = /^(none|HS\d+)$/i;

const NO_LOGIN = pageRefusal(403, 'LOGIN_REFUSED', 'The log-in did not work. Begin it again.');
const NO_ROLE = pageRefusal(
  403,
  'ROLE_MISSING',
  'Your account has no role in this console. Whoever looks after accounts gives one: viewer, operator or approver.',
);
const TOO_MANY_ROLES = pageRefusal(
  403,
  'ROLES_EXCLUDE',
  'Your account is an approver and an operator or a custodian. These exclude each other: ask for one of them.',
);

type Transaction = { state: string; nonce: string; verifier: string; at: number };

/**
 * Log-in by OpenID Connect: code flow with PKCE, state and nonce. The provider says who somebody is and which roles they
 * have here; it can delay and hide, and approve nothing: what counts at a gate is signed by a passkey or a key file.
 *
 * @contract C16
 */
export function addLogin(app: Hono<ConsoleEnv>, tools: ConsoleTools, { provider, origin, now }: Login): void {
  const open = new Map<string, Transaction>();
  const redirect = `${origin}/login/back`;
  const discovery = keep(PROVIDER_MS, () => configurationOf(provider), now);

  app.get('/login', async (c) => {
    const configuration = await discovery.get();
    const transaction = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
      at: now(),
    };
    if (open.size >= MOST_OPEN) open.delete(open.keys().next().value!);
    const name = randomName();
    open.set(name, transaction);
    setCookie(c, TRANSACTION, name, { ...COOKIE, sameSite: 'Lax', maxAge: OPEN_MS / 1000 });
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirect,
      scope: 'openid',
      response_type: 'code',
      code_challenge: await openid.calculatePKCECodeChallenge(transaction.verifier),
      code_challenge_method: 'S256',
      state: transaction.state,
      nonce: transaction.nonce,
    });
    return c.redirect(address.href, 303);
  });

  app.get('/login/back', async (c) => {
    const name = getCookie(c, TRANSACTION) ?? '';
    const transaction = open.get(name);
    open.delete(name);
    deleteCookie(c, TRANSACTION, { path: '/', secure: true });
    if (!transaction || now() - transaction.at > OPEN_MS) return tools.refuse(c, NO_LOGIN);
    const url = new URL(c.req.url);
    const person = await personOf(provider, await discovery.get(), new URL(`${redirect}${url.search}`), transaction);
    if ('code' in person) return tools.refuse(c, person);
    await tools.begin(c, person);
    // A page of this site leads on: a strict cookie is not sent where another site has led to.
    c.header('Content-Type', 'text/html; charset=utf-8');
    return c.body(
      String(
        await html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Logged in</title><meta http-equiv="refresh" content="0;url=/"></head><body><main><h1>You are logged in</h1><p><a href="/">Go on</a></p></main></body></html>`,
      ),
    );
  });
}

async function configurationOf({ issuer, clientId, clientSecret }: Login['provider']): Promise<openid.Configuration> {
  const secret = await readSecret(clientSecret, 'login.clientSecret');
  const server = new URL(issuer);
  // Only a provider of this computer is without TLS, as the deployment file sees to.
  const plain = server.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  // The signature of an ID token is looked at too, and not TLS alone.
  const execute = [...plain, openid.enableNonRepudiationChecks];
  return openid.discovery(server, clientId, undefined, openid.ClientSecretBasic(secret), { execute });
}

/** Who came back from the provider; or why nobody did. */
async function personOf(
  provider: Login['provider'],
  configuration: openid.Configuration,
  address: URL,
  { state, nonce, verifier }: Transaction,
): Promise<Person | PageRefusal> {
  // A mix-up of providers is seen by the issuer in the answer (RFC 9207): it has to be there.
  if (address.searchParams.get('iss') !== configuration.serverMetadata().issuer) return NO_LOGIN;
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  const tokens = await openid.authorizationCodeGrant(configuration, address, checks).catch(() => null);
  const claims = tokens?.claims();
  if (!tokens?.id_token || !claims || isWeak(tokens.id_token)) return NO_LOGIN;
  const audience = [claims.aud].flat();
  const isForUs =
    audience.includes(provider.clientId) &&
    (audience.length === 1 || claims.azp !== undefined) &&
    (claims.azp === undefined || isSame(String(claims.azp), provider.clientId));
  if (!isForUs) return NO_LOGIN;
  return personOfClaims(provider, claims);
}

function isWeak(token: string): boolean {
  const head = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString('utf8')) as { alg?: unknown };
  return typeof head.alg !== 'string' || WEAK.test(head.alg);
}

/**
 * A person by issuer and subject, with the roles of one claim. Nobody is operator and approver at once, and a custodian
 * is no approver. An account that the deployment does not name is nobody of the trust file, whatever it is called.
 */
export function personOfClaims(
  { issuer, rolesClaim, people }: Pick<Login['provider'], 'issuer' | 'rolesClaim' | 'people'>,
  claims: { sub: string; [claim: string]: unknown },
): Person | PageRefusal {
  const names: unknown[] = [claims[rolesClaim] ?? []].flat();
  const roles = ROLES.filter((role): role is Role => names.includes(role));
  if (roles.includes('approver') && (roles.includes('operator') || names.includes('custodian'))) return TOO_MANY_ROLES;
  if (roles.length === 0) return NO_ROLE;
  const own = people.find(({ sub }) => sub === claims.sub);
  const account = `${issuer} ${claims.sub}`;
  return { subject: own?.subject ?? `account ${account}`, account, roles };
}
