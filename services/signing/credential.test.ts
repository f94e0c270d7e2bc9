import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseSignature } from '../../client/release/passkey-envelope.ts';
import type { Envelope } from '../../contracts/decision.ts';
import type { Passkey } from '../../contracts/formats/trust.ts';
import { countElsewhere, P256_ORDER } from '../../contracts/passkey.ts';
import { Authenticator, type Otherwise } from '../../test/support/authenticator.ts';
import { ANY_BASIS, ada, trustVersion } from '../../test/support/trust-files.ts';
import { GateScreen } from '../../workflows/gate-screen.ts';
import { mistakeOf } from '../trust/trust-chain.ts';
import { authenticatorWords, isSignedWith, mistakeInPasskey, passkeyFingerprint, rawKeyOf } from './credential.ts';
import { decisionStatement, statementBytes } from './decision-statement.ts';
import { passkeyChallenge, signEnvelope } from './envelope.ts';
import { isPointOfP256, readPasskey } from './keys.ts';

const RELEASE = { series: 'demo', window: '2026-03-02', version: 1 };
const DIGEST = 'ab'.repeat(32);
const statementOf = (version: number): Buffer =>
  statementBytes(
    decisionStatement({
      release: { ...RELEASE, version },
      manifestDigest: DIGEST,
      subject: ada.subject,
      decision: 'approve',
      reason: 'audit-passed',
      acknowledged: [],
      ...ANY_BASIS,
    }),
  );
const STATEMENT = statementOf(1);

/** What the gate of the workflow answers, which has other code for curves and hashes; null: it passes. */
function screened(envelope: Envelope, { algorithm, relyingParty, origins, ...passkey }: Passkey): string | null {
  const screen = new GateScreen();
  screen.begin(0);
  const terms = { algorithm, relyingParty, origins };
  const raw = rawKeyOf({ passkey: { ...passkey, ...terms } })!;
  screen.approvers = { digest: 'd', approvers: [{ subject: ada.subject, ...raw, passkey: terms }] };
  const matter = { ...RELEASE, manifestDigest: DIGEST, gate: 'publication', action: 'approve' } as const;
  return screen.refusal(envelope, matter, 0)?.code ?? null;
}

const both = (envelope: Envelope, passkey: Passkey): boolean => {
  const holds = isSignedWith(envelope, { passkey });
  expect(screened(envelope, passkey) === null).toBe(holds);
  return holds;
};

describe.each(['ES256', 'Ed25519'] as const)('C16: a passkey of %s', (algorithm) => {
  const hers = new Authenticator('hers', algorithm);
  const { passkey } = hers;

  test('signs a statement as a key file does, for workers, readers and the gate of the workflow', () => {
    expect(both(hers.sign(STATEMENT), passkey)).toBe(true);
  });

  test('also where the browser adds members to the client data, and the authenticator counts and keeps copies', () => {
    const rest = ',"other_keys_can_be_added_here":"do not compare clientDataJSON against a template"}';
    const envelope = hers.forge(STATEMENT, { rest, counter: 7, flags: 0x1d });
    expect(both(envelope, passkey)).toBe(true);
    expect(authenticatorWords(envelope, passkey)).toBe('passkey of console.example.org, backed up, counter 7');
  });

  test.each<[string, Otherwise]>([
    ['made at a registration', { type: 'webauthn.create' }],
    ['on a page of somebody else', { origin: 'https://console.example.com' }],
    ['on a page whose address begins like hers', { origin: 'https://console.example.org.example.com' }],
    ['on a page without TLS', { origin: 'http://console.example.org' }],
    ['for another relying party', { relyingParty: 'example.org' }],
    ['in a frame', { crossOrigin: true }],
    ['in a frame of somebody else', { rest: ',"topOrigin":"https://example.com"}' }],
    ['with a type that is there twice', { rest: ',"type":"webauthn.create"}' }],
    ['with an origin that is there twice, as escapes', { rest: ',"or\\u0069gin":"https://example.com"}' }],
    ['with a text that ends before its time', { rest: ',' }],
    ['with blanks', { rest: ' }' }],
    ['without the user', { flags: 0x04 }],
    ['with a user who was not verified', { flags: 0x01 }],
    ['with data of extensions', { flags: 0x85, more: Buffer.from([0xa0]) }],
    ['with the flag of extensions alone', { flags: 0x85 }],
    ['with a credential in it', { flags: 0x45 }],
    ['with a byte more', { more: Buffer.from([0]) }],
    ['over the statement of another release', { challenge: passkeyChallenge(statementOf(2)) }],
    ['over client data without end', { rest: `,"a":"${'x'.repeat(1100)}"}` }],
  ])('signs nothing %s', (_, otherwise) => {
    expect(both(hers.forge(STATEMENT, otherwise), passkey)).toBe(false);
  });

  test('signs nothing in the place of another: another statement, key, deployment, algorithm, or a second signature', () => {
    const envelope = hers.sign(STATEMENT);
    const replayed = { ...envelope, payload: statementOf(2).toString('base64') };
    expect(isSignedWith(replayed, { passkey })).toBe(false);
    expect(both(envelope, new Authenticator('other', algorithm).passkey)).toBe(false);
    // Another deployment of the same domain names other pages.
    expect(both(envelope, { ...passkey, origins: ['https://other.console.example.org'] })).toBe(false);
    expect(both(envelope, { ...passkey, relyingParty: 'example.org' })).toBe(false);
    const twice = { ...envelope, signatures: [envelope.signatures[0]!, envelope.signatures[0]!] };
    expect(isSignedWith(twice, { passkey })).toBe(false);
  });

  test('and a key file do not stand for one another', () => {
    const { passkey: _, ...bare } = hers.sign(STATEMENT).signatures[0]!;
    expect(both({ ...hers.sign(STATEMENT), signatures: [bare] }, passkey)).toBe(false);
    const byFile = signEnvelope(STATEMENT, ada.privateKey);
    const assertion = hers.sign(STATEMENT).signatures[0]!.passkey!;
    const dressed = { ...byFile, signatures: [{ ...byFile.signatures[0]!, passkey: assertion }] };
    expect(isSignedWith(dressed, { key: ada.publicKey })).toBe(false);
  });

  test('holds for no envelope in which a byte was changed', () => {
    const envelope = hers.sign(STATEMENT);
    const [signature] = envelope.signatures;
    const parts = ['payload', 'sig', 'authenticatorData', 'clientDataJSON'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.nat(), fc.integer({ min: 1, max: 255 }), (part, at, change) => {
        const changed = (text: string): string => {
          const bytes = Buffer.from(text, 'base64');
          bytes[at % bytes.length]! ^= change;
          return bytes.toString('base64');
        };
        const { passkey: assertion, ...one } = signature!;
        const forged: Envelope = {
          ...envelope,
          payload: part === 'payload' ? changed(envelope.payload) : envelope.payload,
          signatures: [
            {
              ...one,
              sig: part === 'sig' ? changed(one.sig) : one.sig,
              passkey: {
                ...assertion!,
                ...(part in assertion! && { [part]: changed(assertion![part as 'clientDataJSON']) }),
              },
            },
          ],
        };
        return !isSignedWith(forged, { passkey });
      }),
      { numRuns: 60 },
    );
  });
});

test('C16: an ES256 signature has one form: the other s is refused, and the client brings it into it', () => {
  const hers = new Authenticator('hers');
  expect(both(hers.forge(STATEMENT, { highS: true }), hers.passkey)).toBe(false);
  for (let time = 0; time < 20; time += 1) {
    const { authenticatorData, clientDataJSON, signature } = hers.assert(passkeyChallenge(STATEMENT));
    const fixed = normaliseSignature(signature);
    const covered = Buffer.concat([authenticatorData, hash(clientDataJSON)]);
    const key = { key: readPasskey(hers.passkey), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', covered, key, fixed)).toBe(true);
    expect(2n * BigInt(`0x${fixed.subarray(32).toString('hex')}`) < P256_ORDER).toBe(true);
  }
  for (const der of ['', '3000', '3006020100020101', '3006020101020101ff', '3006020181020101'])
    expect(() => normaliseSignature(Buffer.from(der, 'hex'))).toThrow('no ECDSA signature');
});

const hash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const P256 = '3059301306072a8648ce3d020106082a8648ce3d030107034200';
const pemOf = (der: string): string =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.from(der, 'hex').toString('base64')}\n-----END PUBLIC KEY-----\n`;

test('C16: a passkey whose key is no point of its curve, or another key than its algorithm, is refused', () => {
  const { passkey } = new Authenticator('hers');
  const mistake = (change: Partial<Passkey>, demo = false): string | null =>
    mistakeOf(
      trustVersion({
        demo,
        approvers: [{ subject: ada.subject, passkey: { ...passkey, ...change }, valid: 'everywhere' }],
      }),
    );
  expect(mistake({})).toBeNull();
  const der = createPublicKey(passkey.publicKey).export({ type: 'spki', format: 'der' });
  const point = Buffer.from(der.subarray(-64));
  expect(isPointOfP256(point)).toBe(true);
  point[63]! ^= 1;
  expect(isPointOfP256(point)).toBe(false);
  expect(isPointOfP256(Buffer.alloc(64))).toBe(false);
  expect(isPointOfP256(Buffer.alloc(64, 0xff))).toBe(false);
  const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey.export({ type: 'spki', format: 'pem' });
  const bad = [pemOf(`${P256}04${point.toString('hex')}`), pemOf(`${P256}00`), p384.toString(), ada.publicKey];
  for (const publicKey of bad) expect(mistake({ publicKey }), publicKey).toContain('one of its passkeys none');
  // A point of small order: one signature under it holds for many texts.
  const small = pemOf(`302a300506032b6570032100${'01'.padEnd(64, '0')}`);
  expect(mistake({ algorithm: 'Ed25519', publicKey: small })).toContain('one of its passkeys none');
  expect(mistake({ algorithm: 'Ed25519' })).toContain('one of its passkeys none');
});

test('C16: localhost is a relying party of trials alone, and pages are https pages of the relying party', () => {
  const { passkey } = new Authenticator('hers');
  const wrong = (change: Partial<Passkey>, isDemo: boolean) => mistakeInPasskey({ ...passkey, ...change }, isDemo);
  const local = { relyingParty: 'localhost', origins: ['http://localhost:8080'] };
  expect(wrong(local, true)).toBeNull();
  expect(wrong(local, false)).toContain('trial alone');
  expect(wrong({ origins: ['https://pages.console.example.org:8443'] }, false)).toBeNull();
  for (const origin of [
    'http://console.example.org',
    'https://console.example.org/',
    'https://console.example.org.example.com',
    'https://badconsole.example.org',
    'null',
  ])
    expect(wrong({ origins: [origin] }, true), origin).toContain('no https page');
});

test('C16: two subjects cannot have one credential or key, in whatever form', () => {
  const [one, other] = [new Authenticator('hers'), new Authenticator('his')];
  const twice = (passkey: Passkey) =>
    mistakeOf(
      trustVersion({
        approvers: [
          { subject: 'ada', passkey: one.passkey, valid: 'everywhere' },
          { subject: 'ben', passkey, valid: 'everywhere' },
        ],
      }),
    );
  expect(twice(other.passkey)).toBeNull();
  expect(twice({ ...other.passkey, credentialId: one.passkey.credentialId })).toContain('one owner');
  expect(twice({ ...one.passkey, credentialId: 'AAAA' })).toContain('twice');
});

test('the fingerprint of a passkey is that of everything that the trust file says of it, and of whose it is', () => {
  const { passkey } = new Authenticator('hers');
  const prints = [
    passkeyFingerprint('ada', passkey),
    passkeyFingerprint('ben', passkey),
    passkeyFingerprint('ada', { ...passkey, relyingParty: 'example.org' }),
    passkeyFingerprint('ada', { ...passkey, origins: ['https://example.org'] }),
    passkeyFingerprint('ada', new Authenticator('hers').passkey),
  ];
  expect(new Set(prints).size).toBe(prints.length);
  expect(prints[0]).toMatch(/^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$/);
});

describe('C16: what was decided elsewhere than at any one host', () => {
  const by = (subject: string, relyingParty: string | null) => ({ subject, relyingParty });
  test.each<[number, ReturnType<typeof by>[]]>([
    [0, []],
    [1, [by('ada', null)]],
    [0, [by('ada', 'a.org')]],
    [0, [by('ada', 'a.org'), by('ben', 'a.org')]],
    [1, [by('ada', 'a.org'), by('ben', null)]],
    [1, [by('ada', 'a.org'), by('ben', 'b.org')]],
    // The page of x.a.org can ask for passkeys of a.org, and not the other way round.
    [0, [by('ada', 'a.org'), by('ben', 'x.a.org')]],
    [1, [by('ada', 'y.a.org'), by('ben', 'x.a.org')]],
    [1, [by('ada', 'a.org'), by('ben', 'xa.org')]],
    [1, [by('ada', 'a.org'), by('ada', null)]],
  ])('%i of %j', (expected, decisions) => {
    expect(countElsewhere(decisions)).toBe(expected);
  });

  test('one more decision takes nothing away, and there are never more than people', () => {
    const decision = fc.record({
      subject: fc.constantFrom('ada', 'ben', 'eve'),
      relyingParty: fc.constantFrom(null, 'a.org', 'x.a.org', 'y.a.org', 'b.org'),
    });
    fc.assert(
      fc.property(fc.array(decision, { maxLength: 6 }), decision, (decisions, one) => {
        const before = countElsewhere(decisions);
        const after = countElsewhere([...decisions, one]);
        return after >= before && after <= new Set([...decisions, one].map(({ subject }) => subject)).size;
      }),
    );
  });
});
