import { createPublicKey } from 'node:crypto';
import type { Hono } from 'hono';
import { type Passkey, passkeySchema } from '../contracts/formats/trust.ts';
import { passkeyFingerprint } from '../services/signing/credential.ts';
import { isSameSubject } from '../services/signing/subjects.ts';
import { newestVersion } from '../services/trust/trust-chain.ts';
import type { ConsoleEnv } from './access.ts';
import { type PasskeyData, passkeyPage } from './pages/passkey-page.ts';
import { clean } from './safe-text.ts';
import { type ConsoleTools, sessionOf } from './tools.ts';

/** Algorithms of the trust file, by the numbers of COSE (RFC 9053). */
const ALGORITHMS = { ES256: -7, Ed25519: -8 } as const;

/** Loaded with the first passkey that is made: people sign for years without it. */
const library = () => import('@simplewebauthn/server');

/**
 * Registration of a passkey: it makes what the roots put into the trust file, and puts it nowhere itself. It acts when
 * enough roots have signed a version with it, and they compare the fingerprint with the person by another way: whoever
 * serves this page could show a key of their own.
 */
export function addRegistration(app: Hono<ConsoleEnv>, { data, show, record }: ConsoleTools, origin: string): void {
  const relyingParty = new URL(origin).hostname;

  const ownPasskeys = async (subject: string): Promise<Passkey[]> =>
    newestVersion(await data.client.trust()).approvers.flatMap((one) =>
      isSameSubject(one.subject, subject) && 'passkey' in one ? [one.passkey] : [],
    );

  app.get('/passkey', async (c) => {
    const session = sessionOf(c);
    const { subject, roles } = session.person;
    const own = await ownPasskeys(subject);
    const options = await (await library()).generateRegistrationOptions({
      rpName: 'Opaline',
      rpID: relyingParty,
      userName: subject,
      attestationType: 'none',
      supportedAlgorithmIDs: Object.values(ALGORITHMS),
      authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
      excludeCredentials: own
        .filter((one) => one.relyingParty === relyingParty)
        .map(({ credentialId }) => ({ id: credentialId })),
    });
    session.registration = options.challenge;
    const page: PasskeyData = {
      subject,
      isApprover: roles.includes('approver'),
      known: own.map((passkey) => ({ passkey, fingerprint: passkeyFingerprint(subject, passkey) })),
      made: session.made,
      options: JSON.stringify(options),
    };
    return show(c, passkeyPage(clean(page), session));
  });

  app.post('/passkey', async (c) => {
    const session = sessionOf(c);
    const expectedChallenge = session.registration;
    session.registration = null;
    const refuse = async (code: string) => {
      await record(c, 'register passkey', session.person.subject, code);
      session.flash = { done: false, code, text: 'The passkey was not taken. Load the page again, and try once more.' };
      return c.json({ done: false, code, next: '/passkey' }, 409);
    };
    if (!session.person.roles.includes('approver')) return refuse('ROLE_MISSING');
    const response = await c.req.json().catch(() => null);
    if (expectedChallenge === null || response === null) return refuse('REGISTRATION_GONE');
    const { verifyRegistrationResponse } = await library();
    const verification = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: relyingParty,
      requireUserVerification: true,
      supportedAlgorithmIDs: Object.values(ALGORITHMS),
    }).catch(() => null);
    const credential = verification?.registrationInfo?.credential;
    const passkey = credential && (await passkeyOf(credential, relyingParty, origin));
    if (!passkey) return refuse('REGISTRATION_REFUSED');
    session.made = { passkey, fingerprint: passkeyFingerprint(session.person.subject, passkey) };
    await record(c, 'register passkey', `${session.person.subject} ${session.made.fingerprint}`, null);
    return c.json({ done: true, next: '/passkey' });
  });
}

/** What goes into the trust file; null for a key of another kind. */
async function passkeyOf(
  { id, publicKey }: { id: string; publicKey: Uint8Array<ArrayBuffer> },
  relyingParty: string,
  origin: string,
): Promise<Passkey | null> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const key = decodeCredentialPublicKey(publicKey);
  const part = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('base64url');
  const jwk = cose.isCOSEPublicKeyEC2(key)
    ? { kty: 'EC', crv: 'P-256', x: part(key.get(cose.COSEKEYS.x)), y: part(key.get(cose.COSEKEYS.y)) }
    : cose.isCOSEPublicKeyOKP(key)
      ? { kty: 'OKP', crv: 'Ed25519', x: part(key.get(cose.COSEKEYS.x)) }
      : null;
  if (jwk === null) return null;
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
  const algorithm = jwk.kty === 'EC' ? 'ES256' : 'Ed25519';
  const outcome = passkeySchema.safeParse({
    credentialId: id,
    publicKey: pem,
    algorithm,
    relyingParty,
    origins: [origin],
  });
  return outcome.data ?? null;
}
