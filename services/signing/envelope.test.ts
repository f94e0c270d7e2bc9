import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Envelope } from '../../contracts/decision.ts';
import { isSignedBy, payloadOf, preAuthenticationEncoding, signEnvelope } from './envelope.ts';
import { generateSigningKey, publicKeyOf, readPrivateKey, readPublicKey } from './keys.ts';

const key = generateSigningKey();
const envelope = signEnvelope(Buffer.from('{"a":1}'), key.privateKey);

const withSignature = (change: Partial<Envelope['signatures'][number]>): Envelope => ({
  ...envelope,
  signatures: [{ ...envelope.signatures[0]!, ...change }],
});

test('the encoding has the form of the DSSE specification, with lengths in bytes', () => {
  expect(preAuthenticationEncoding('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
    'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  );
  expect(preAuthenticationEncoding('é', Buffer.from('ü')).toString()).toBe('DSSEv1 2 é 2 ü');
});

test('different (type, payload) pairs never have the same encoding', () => {
  const text = fc.string({ unit: fc.constantFrom(' ', '1', '2', 'a', 'é') });
  const pair = fc.tuple(text, text);
  fc.assert(
    fc.property(pair, pair, ([typeA, payloadA], [typeB, payloadB]) => {
      const same = typeA === typeB && payloadA === payloadB;
      const a = preAuthenticationEncoding(typeA, Buffer.from(payloadA));
      expect(a.equals(preAuthenticationEncoding(typeB, Buffer.from(payloadB)))).toBe(same);
    }),
  );
});

test('broken twin: an encoding without lengths confuses look-alike bytes that ours keeps apart', () => {
  const joined = (type: string, payload: string) => `DSSEv1 ${type} ${payload}`;
  expect(joined('a b', 'c')).toBe(joined('a', 'b c'));
  const ours = (type: string, payload: string) => preAuthenticationEncoding(type, Buffer.from(payload)).toString();
  expect(ours('a b', 'c')).not.toBe(ours('a', 'b c'));
});

test('a signed payload verifies with its key and reads back', () => {
  expect(isSignedBy(envelope, key.publicKey)).toBe(true);
  expect(payloadOf(envelope).toString()).toBe('{"a":1}');
  expect(publicKeyOf(key.privateKey)).toBe(key.publicKey);
});

test('look-alike: a tampered payload, another type, a wrong key, a flipped signature bit do not verify', () => {
  const tampered = { ...envelope, payload: Buffer.from('{"a":2}').toString('base64') };
  expect(isSignedBy(tampered, key.publicKey)).toBe(false);
  expect(isSignedBy(envelope, generateSigningKey().publicKey)).toBe(false);
  const bytes = Buffer.from(envelope.signatures[0]!.sig, 'base64');
  for (let bit = 0; bit < bytes.length * 8; bit += 7) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    expect(isSignedBy(withSignature({ sig: flipped.toString('base64') }), key.publicKey)).toBe(false);
  }
  expect(() => payloadOf({ ...envelope, payloadType: 'application/json' })).toThrow(/DSSE/);
});

test('look-alike: a signature over the bare payload, without the encoding, does not verify', () => {
  const inner = preAuthenticationEncoding(envelope.payloadType, payloadOf(envelope));
  // The signature of the encoding is valid for an envelope whose payload is {"a":1}, not for one that holds the encoding.
  expect(isSignedBy({ ...envelope, payload: inner.toString('base64') }, key.publicKey)).toBe(false);
});

test('look-alike: non-canonical base64 of the same bytes is refused', () => {
  const spare = signEnvelope(Buffer.from('ab'), key.privateKey); // YWI= ; YWJ= decodes to the same two bytes
  const twin = { ...spare, payload: 'YWJ=' };
  expect(Buffer.from(twin.payload, 'base64').equals(Buffer.from(spare.payload, 'base64'))).toBe(true);
  expect(isSignedBy(spare, key.publicKey)).toBe(true);
  expect(isSignedBy(twin, key.publicKey)).toBe(false);
  expect(() => payloadOf(twin)).toThrow(/canonical/);
  expect(() => payloadOf({ ...spare, payload: 'YWI' })).toThrow();
  expect(() => payloadOf({ ...spare, payload: 'YWI=\n' })).toThrow();
});

test('look-alike: a second signature, or a key id of another key, is refused', () => {
  const signature = envelope.signatures[0]!;
  expect(isSignedBy({ ...envelope, signatures: [signature, signature] }, key.publicKey)).toBe(false);
  expect(isSignedBy(withSignature({ keyid: '0'.repeat(64) }), key.publicKey)).toBe(false);
});

test('keys of other kinds, and texts that are no keys, are refused', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsaPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const bad of ['', 'hello', rsaPem, key.privateKey, key.publicKey.replace('MCow', 'MCox')])
    expect(() => readPublicKey(bad)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
  for (const bad of ['', key.publicKey, key.privateKey.slice(0, 60)])
    expect(() => readPrivateKey(bad)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
});
