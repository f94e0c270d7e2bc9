import { sign } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Envelope } from '../contracts/decision.ts';
import type { SigningApprovers } from '../contracts/stages.ts';
import { rawKeyOf } from '../services/signing/credential.ts';
import { type DecisionRequest, signJointDecision } from '../services/signing/decision-statement.ts';
import { isSignedBy, preAuthenticationEncoding, signEnvelope } from '../services/signing/envelope.ts';
import { generateSigningKey, readPrivateKey } from '../services/signing/keys.ts';
import { signDecision } from '../test/support/sign-decision.ts';
import { ANY_BASIS } from '../test/support/trust-files.ts';
import { fromBase64, GateScreen } from './gate-screen.ts';

const PAUSE = 10_000;
const DAY = 86_400_000;
const person = (subject: string) => ({ subject, ...generateSigningKey() });
const [ada, ben, mallory] = [person('ada'), person('ben'), person('mallory')];
const RELEASE = { series: 'demo', window: '2026-03-02', version: 1 };
const MATTER = { ...RELEASE, manifestDigest: 'ab'.repeat(32), gate: 'publication', action: 'approve' } as const;

const listed = (digest: string, ...people: (typeof ada)[]): SigningApprovers => ({
  digest,
  approvers: people.map(({ subject, publicKey }) => ({ subject, ...rawKeyOf({ key: publicKey })!, passkey: null })),
});

function screenOf(...people: (typeof ada)[]): GateScreen {
  const screen = new GateScreen();
  screen.begin(0);
  screen.approvers = listed('first', ...people);
  return screen;
}

const approval = (by = ada, changes: Partial<DecisionRequest> = {}): Envelope =>
  signDecision(
    {
      release: RELEASE,
      manifestDigest: MATTER.manifestDigest,
      subject: by.subject,
      decision: 'approve',
      reason: 'audit-passed',
      acknowledged: [],
      ...ANY_BASIS,
      ...changes,
    },
    by.privateKey,
  );
const code = (screen: GateScreen, envelope: Envelope, now = 0) => screen.refusal(envelope, MATTER, now)?.code ?? null;

test('what an approver signed over this manifest passes, alone or with other releases', () => {
  expect(code(screenOf(ada, ben), approval())).toBeNull();
  const { subject, privateKey } = ben;
  const others = [1, 2].map((version) => ({ release: { ...RELEASE, version }, manifestDigest: MATTER.manifestDigest }));
  const terms = { subject, decision: 'approve', reason: 'audit-passed', acknowledged: [], ...ANY_BASIS } as const;
  expect(code(screenOf(ada, ben), signJointDecision(others, terms, privateKey))).toBeNull();
});

const changed = (envelope: Envelope, change: Partial<Envelope['signatures'][number]>): Envelope => ({
  ...envelope,
  signatures: [{ ...envelope.signatures[0]!, ...change }],
});
const good = approval();
const flipped = Buffer.from(good.payload, 'base64');
flipped[flipped.length - 3]! ^= 1;

const JUNK: [what: string, code: string, Envelope][] = [
  ['a key that nobody knows', 'SUBJECT_UNKNOWN', approval(mallory)],
  ['the name of an approver under another key', 'SUBJECT_UNKNOWN', approval({ ...mallory, subject: 'ada' })],
  ['the key id of an approver over junk', 'SIGNATURE_INVALID', changed(approval(mallory), { keyid: ada.keyid })],
  ['one approver in the name of another', 'SIGNATURE_INVALID', approval({ ...ada, subject: 'ben' })],
  ['one bit of the statement', 'SIGNATURE_INVALID', { ...good, payload: flipped.toString('base64') }],
  ['base64 that is not canonical', 'SIGNATURE_INVALID', { ...good, payload: `${good.payload}\n` }],
  ['a signature that is too short', 'SIGNATURE_INVALID', changed(good, { sig: 'AAAA' })],
  ['another type of payload', 'SIGNATURE_INVALID', { ...good, payloadType: 'text/plain' as never }],
  ['signed bytes that are no decision', 'SIGNATURE_INVALID', signEnvelope(Buffer.from('[1]'), ada.privateKey)],
  ['signed JSON of other types', 'SIGNATURE_INVALID', signEnvelope(Buffer.from('{"subject":3}'), ada.privateKey)],
  ['another manifest', 'DIGEST_STALE', approval(ada, { manifestDigest: 'cd'.repeat(32) })],
  ['another release', 'DIGEST_STALE', approval(ada, { release: { ...RELEASE, version: 2 } })],
  ['another action', 'SIGNATURE_INVALID', approval(ada, { decision: 'reject', reason: 'other' })],
];

test.each(JUNK)('junk is turned away: %s', (_, expected, envelope) => {
  expect(code(screenOf(ada, ben), envelope)).toBe(expected);
});

test('a signature is believed exactly when Node believes it: a twin that looks at the key id alone is caught', () => {
  const twin = (envelope: Envelope) => [ada, ben].some(({ keyid }) => keyid === envelope.signatures[0]?.keyid);
  const wrong: boolean[] = [];
  for (let round = 0; round < 60; round += 1) {
    const payload = Buffer.from(JSON.stringify({ subject: [], predicate: { subject: 'ada', decision: round } }));
    const bytes = sign(null, preAuthenticationEncoding(good.payloadType, payload), readPrivateKey(ada.privateKey));
    if (round % 2 === 1) bytes[round]! ^= 1 << (round % 8);
    const envelope: Envelope = {
      payloadType: good.payloadType,
      payload: payload.toString('base64'),
      signatures: [{ keyid: ada.keyid, sig: bytes.toString('base64') }],
    };
    const signed = isSignedBy(envelope, ada.publicKey);
    // A signed statement over nothing is believed, and is over another manifest.
    expect(code(screenOf(ada), envelope)).toBe(signed ? 'DIGEST_STALE' : 'SIGNATURE_INVALID');
    wrong.push(twin(envelope) !== signed);
  }
  expect(wrong).toContain(true);
});

test('a statement is answered once under one list of approvers', () => {
  const screen = screenOf(ada);
  screen.note(approval());
  expect(code(screen, approval())).toBe('ALREADY_DECIDED');
  expect(code(screen, approval(ada, { reason: 'attention-accepted' }))).toBeNull();
  screen.approvers = listed('second', ada);
  expect(code(screen, approval())).toBeNull();
});

test('until the approvers are known one decision passes every ten seconds, and has them read', () => {
  const screen = new GateScreen();
  expect(code(screen, approval(mallory), 5)).toBeNull();
  screen.begin(5);
  expect(code(screen, approval(), 6)).toBe('STORE_UNAVAILABLE');
  expect(code(screen, approval(), 5 + PAUSE)).toBeNull();
});

/** How often the approvers are read when somebody asks for it without a pause. */
function readings(days: number, pause: (screen: GateScreen, now: number) => number): number {
  const screen = screenOf(ada);
  let count = 0;
  for (let now = 0; now < days * DAY; count += 1) {
    now += Math.max(1_000, pause(screen, now));
    screen.begin(now);
  }
  return count;
}

test('a flood of wishes to read the approvers again is a few hundred readings; a twin without a pause is caught', () => {
  expect(readings(366, (screen, now) => screen.pause(now))).toBeLessThan(650);
  expect(readings(1, () => 0)).toBeGreaterThan(10_000);
  const screen = screenOf(ada);
  expect(screen.pause(0)).toBe(PAUSE);
  expect(screen.pause(PAUSE)).toBe(0);
});

test('base64: reads what Node wrote', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(fromBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
    }),
  );
});

test('base64: takes a text only when it is the one for its bytes; Node takes them all', () => {
  const texts = fc.string({
    unit: fc.constantFrom('A', 'B', '/', '+', '=', '-', '_', '\n', 'é', '€', ' '),
    maxLength: 9,
  });
  fc.assert(
    fc.property(texts, (text) => {
      const canonical = Buffer.from(text, 'base64').toString('base64') === text;
      expect(fromBase64(text) !== null).toBe(canonical);
    }),
    { numRuns: 2000 },
  );
  expect(Buffer.from('AB==', 'base64')).toHaveLength(1);
  expect(fromBase64('AB==')).toBeNull();
});
