import { expect, test } from 'vitest';
import { decisionSchema } from '../../contracts/decision.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { signDecision } from '../../test/support/sign-decision.ts';
import { ANY_BASIS } from '../../test/support/trust-files.ts';
import {
  type DecisionRequest,
  decisionStatement,
  envelopeDigest,
  isOverManifest,
  jointStatement,
  readDecision,
  signJointDecision,
} from './decision-statement.ts';
import { signEnvelope } from './envelope.ts';
import { generateSigningKey } from './keys.ts';

const key = generateSigningKey();
const request: DecisionRequest = {
  release: { series: 'demo', window: '2026-03-02', version: 1 },
  manifestDigest: 'ab'.repeat(32),
  subject: 'ada@example.org',
  decision: 'approve',
  reason: 'attention-accepted',
  acknowledged: ['zeta', 'holes'],
  ...ANY_BASIS,
};

test('a decision reads back as it was signed, and equal decisions are equal bytes', () => {
  const envelope = signDecision(request, key.privateKey);
  expect(readDecision(envelope)).toEqual(decisionStatement(request));
  expect(decisionSchema.parse(decisionStatement(request)).predicate.acknowledged).toEqual(['holes', 'zeta']);
  const again = signDecision({ ...request, acknowledged: ['holes', 'zeta'] }, key.privateKey);
  expect(envelopeDigest(again)).toBe(envelopeDigest(envelope));
});

const signText = (text: string) => signEnvelope(Buffer.from(text), key.privateKey);
const text = canonicalJson(decisionStatement(request));

test.each([
  ['a member twice', text.replace('"decision":"approve"', '"decision":"reject","decision":"approve"')],
  ['white space', text.replace(':', ': ')],
  ['an unknown member', text.replace('"basis"', '"aside":"x","basis"')],
  ['another basis', text.replace('folder alone', 'folder and the raw data')],
  ['a reason of the other decision', text.replace('attention-accepted', 'not-needed')],
  ['the manifest of another release', text.replace('demo/2026-03-02/v1/manifest', 'demo/2026-03-02/v2/manifest')],
  ['a sentence for everybody, of an approval', text.replace('"subject":"ada', '"sentence":"Use it.","subject":"ada')],
  ['no JSON', 'approve'],
])('look-alike: %s is refused', (_, payload) => {
  expect(payload).not.toBe(text);
  expect(() => readDecision(signText(payload))).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
});

const next = { release: { ...request.release, window: '2026-03-09' }, manifestDigest: 'cd'.repeat(32) };
const { release, manifestDigest, ...terms } = request;
const both = [next, { release, manifestDigest }];

test('one decision is over several manifests, each of its own release', () => {
  const envelope = signJointDecision(both, terms, key.privateKey);
  const decision = readDecision(envelope);
  expect(decision.predicate.releases).toEqual(['demo/2026-03-02/v1', 'demo/2026-03-09/v1']);
  for (const one of both)
    expect(isOverManifest(decision, { ...one.release, manifestDigest: one.manifestDigest })).toBe(true);
  expect(isOverManifest(decision, { ...release, manifestDigest: next.manifestDigest })).toBe(false);
  expect(isOverManifest(decision, { ...release, version: 2, manifestDigest })).toBe(false);
  expect(envelopeDigest(signJointDecision(both.toReversed(), terms, key.privateKey))).toBe(envelopeDigest(envelope));
});

test.each<[string, (statement: ReturnType<typeof jointStatement>) => void]>([
  ['a release twice', ({ subject }) => subject.push({ ...subject[1]!, digest: { sha256: 'ef'.repeat(32) } })],
  [
    'a release twice, in the names too',
    ({ subject, predicate }) => {
      subject.push(subject[1]!);
      predicate.releases.push(predicate.releases[1]!);
    },
  ],
  [
    'releases out of order',
    ({ subject, predicate }) => {
      subject.reverse();
      predicate.releases.reverse();
    },
  ],
  ['a manifest without its release', ({ predicate }) => predicate.releases.pop()],
  ['a release without its manifest', ({ subject }) => subject.pop()],
  [
    'no release',
    (statement) => {
      statement.subject = [];
      statement.predicate.releases = [];
    },
  ],
])('look-alike: a joint decision with %s is refused', (_, change) => {
  const statement = jointStatement(both, terms);
  change(statement);
  const envelope = signText(canonicalJson(statement));
  expect(() => readDecision(envelope)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
});
