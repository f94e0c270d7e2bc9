import { expect, test } from 'vitest';
import { decisionSchema } from '../../contracts/decision.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { type DecisionRequest, decisionStatement, envelopeDigest, readDecision, signDecision } from './decision.ts';
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
  ['no JSON', 'approve'],
])('look-alike: %s is refused', (_, payload) => {
  expect(payload).not.toBe(text);
  expect(() => readDecision(signText(payload))).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
});
