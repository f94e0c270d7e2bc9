import { expect, test } from 'vitest';
import { TRUST_FILE_FORMAT, type TrustVersion } from '../../contracts/formats/trust.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import {
  ada,
  approver,
  ben,
  eve,
  rootKey,
  trustChain,
  trustFile,
  trustVersion,
} from '../../test/support/trust-files.ts';
import { generateSigningKey } from '../signing/keys.ts';
import { countersign, signDocument } from '../signing/signed-document.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';
import { findVersion, newestVersion, pinOf, readTrustChain, requirePin } from './trust-chain.ts';

const [one, two, three] = [generateSigningKey(), generateSigningKey(), generateSigningKey()];
const roots = { keys: [one, two].map(({ publicKey }) => publicKey), threshold: 2 };
const first = trustVersion({ roots });
const digestOf = (version: TrustVersion): string => sha256(canonicalJson(version));
const second = (change: Partial<TrustVersion> = {}): TrustVersion =>
  trustVersion({ roots, number: 2, previous: digestOf(first), ...change });

const signed = (version: object, [key, ...others]: { privateKey: string }[]) =>
  others.reduce(
    (envelope, { privateKey }) => countersign(envelope, privateKey),
    signDocument(version, key!.privateKey),
  );
const good = signed(first, [one, two]);
const read = (...versions: Parameters<typeof trustFile>) => readTrustChain(trustFile(...versions));

test('a chain is read: each version under the roots of the one before', () => {
  const handed = second({ roots: { keys: [three.publicKey], threshold: 1 } });
  const last = trustVersion({ number: 3, previous: digestOf(handed), approvers: [approver(ben)] });
  const chain = read(good, signed(handed, [one, two]), signed(last, [three]));
  expect(chain.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(newestVersion(chain).approvers).toHaveLength(1);
  expect(findVersion(chain, { number: 2, digest: digestOf(handed) })?.number).toBe(2);
  expect(findVersion(chain, { number: 2, digest: digestOf(first) })).toBeNull();
});

test.each<[string, Parameters<typeof trustFile>]>([
  ['a first version with one signature of two', [signed(first, [one])]],
  ['a first version that a stranger signed twice over', [signed(first, [three, generateSigningKey()])]],
  ['a second version with one signature of two', [good, signed(second(), [one])]],
  [
    'a second version signed by its own roots alone',
    [good, signed(second({ roots: { keys: [three.publicKey], threshold: 1 } }), [three])],
  ],
  ['a second version signed by one root and a stranger', [good, signed(second(), [one, three])]],
  ['a version left out', [good, signed({ ...second(), number: 3 }, [one, two])]],
  ['a version of another chain', [good, signed(second({ previous: 'ab'.repeat(32) }), [one, two])]],
  ['a chain without its beginning', [signed(second(), [one, two])]],
  ['a version twice', [good, good]],
  [
    'a version that was changed after it was signed',
    [{ ...good, payload: Buffer.from(canonicalJson({ ...first, required: 2 })).toString('base64') }],
  ],
  ['a version in another layout', [{ ...good, payload: Buffer.from(` ${canonicalJson(first)}`).toString('base64') }]],
  ['a version of another format', [signed({ ...first, format: 'opaline-trust/9' }, [one, two])]],
])('look-alike: %s is refused', (_, versions) => {
  expect(() => read(...versions)).toThrow(expect.objectContaining({ code: 'TRUST_INVALID' }));
});

const valid = 'everywhere';
const small =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n-----END PUBLIC KEY-----\n';
const odd = (key: string): string => key.replaceAll('\n', '\r\n');

test.each<[string, string, Partial<TrustVersion>]>([
  [
    'an approver with the key of another',
    'twice',
    { approvers: [approver(ada), approver({ ...ben, publicKey: ada.publicKey })] },
  ],
  [
    'one key in two layouts',
    'twice',
    { approvers: [approver(ada), approver({ ...ben, publicKey: odd(ada.publicKey) })] },
  ],
  ['an approver with the key of the publisher', 'twice', { publishers: [{ key: ada.publicKey, valid }] }],
  ['a ledger with the key of a root', 'twice', { ledgers: [{ key: rootKey.publicKey, valid }] }],
  ['a root twice', 'twice', { roots: { keys: [rootKey.publicKey, rootKey.publicKey], threshold: 2 } }],
  ['a key of small order', 'no Ed25519', { publishers: [{ key: small, valid }] }],
  ['a key that is none', 'no Ed25519', { ledgers: [{ key: 'BEGIN PUBLIC KEY', valid }] }],
  ['more roots to sign than there are', 'root keys', { roots: { keys: [rootKey.publicKey], threshold: 2 } }],
  [
    'more approvals than people',
    'approvals',
    { required: 2, approvers: [approver(ada), approver({ ...ben, subject: ada.subject })] },
  ],
  [
    'one name in two spellings',
    'spellings',
    { approvers: [approver(ada), approver({ ...ben, subject: ada.subject.toUpperCase() })] },
  ],
  [
    'two names that look alike',
    'look alike',
    { approvers: [approver(eve), approver({ ...ben, subject: 'ev\u0435@example.org' })] },
  ],
  [
    'more approvals than people who are still there',
    'it names 1 approvers',
    { required: 2, approvers: [approver(ada), approver(ben, { people: { until: 7 } })] },
  ],
  [
    'a name with a line end',
    'not shown',
    { approvers: [approver({ ...ada, subject: 'ada\nverified' }), approver(eve)] },
  ],
])('a version with %s is refused', (_, sentence, change) => {
  expect(() => trustChain(change)).toThrow(
    expect.objectContaining({ code: 'TRUST_INVALID', message: expect.stringContaining(sentence) }),
  );
});

test('a person may have two keys, as in a rotation', () => {
  const keys = [
    approver(ada, { people: { until: 7 } }),
    approver({ ...ben, subject: ada.subject }, { people: { from: 8 } }),
  ];
  expect(newestVersion(trustChain({ approvers: keys })).approvers).toHaveLength(2);
});

test('C16: a version without tips, and the form before it, are no versions', () => {
  const { tips, ...without } = first;
  for (const version of [without, { ...first, format: 'opaline-trust/1' }])
    expect(() => read(signed(version, [one, two]))).toThrow(expect.objectContaining({ code: 'TRUST_INVALID' }));
  expect(tips).toEqual({});
});

test('a pin holds what came after it, and refuses another file and an older one', () => {
  const chain = trustChain({}, { required: 2 });
  const [before, now] = chain.map(pinOf);
  for (const pin of [before!, now!]) expect(() => requirePin(chain, pin)).not.toThrow();
  expect(() => requirePin(chain.slice(0, 1), now!)).toThrow(
    expect.objectContaining({ message: expect.stringContaining('ends at version 1') }),
  );
  expect(() => requirePin(trustChain({ organisation: 'Another' }), before!)).toThrow(
    expect.objectContaining({ code: 'TRUST_INVALID', message: expect.stringContaining('not the one') }),
  );
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['another format', jsonBytes({ format: 'x', versions: [good] }).toString()],
  ['no version', jsonBytes({ format: TRUST_FILE_FORMAT, versions: [] }).toString()],
  ['a member too many', jsonBytes({ format: TRUST_FILE_FORMAT, versions: [good], aside: 1 }).toString()],
  ['brackets without end', '['.repeat(3_000_000)],
  ['nine megabytes', ' '.repeat(9 * 2 ** 20)],
])('a file of %s is no trust file, and says so', (_, text) => {
  expect(() => readTrustChain(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'TRUST_INVALID' }));
});
