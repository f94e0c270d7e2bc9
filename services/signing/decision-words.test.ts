import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DECISION_REASONS, DECISIONS, type Decision } from '../../contracts/decision.ts';
import { decisionStatement, statementBytes } from './decision-statement.ts';
import { decisionWords } from './decision-words.ts';

const digest = fc.integer({ min: 0, max: 3 }).map((digit) => String(digit).repeat(64));
const name = fc.constantFrom('ada', 'ben', 'a"d,a', 'a\u202eda', '“ada”', 'ada, ben', 'α');
const count = fc.integer({ min: 1, max: 3 });

const statement = fc
  .record({
    version: count,
    manifestDigest: digest,
    subject: name,
    decision: fc.constantFrom(...DECISIONS),
    reason: fc.nat({ max: 4 }),
    isRetraction: fc.boolean(),
    sentence: fc.option(fc.constantFrom('one', 'two', 'one" two')),
    acknowledged: fc.uniqueArray(name, { maxLength: 3 }),
    trust: fc.record({ number: count, digest }),
    ledger: fc.record({ sequence: count, digest }),
    required: count,
    elsewhere: fc.nat({ max: 2 }),
    after: fc.uniqueArray(digest, { maxLength: 3 }),
  })
  .map(({ version, reason, isRetraction, sentence, decision, ...terms }): Decision => {
    const reasons = DECISION_REASONS[decision];
    const turns = isRetraction && (decision === 'reject' || decision === 'withdraw');
    return decisionStatement({
      release: { series: 'demo', window: '2026-03-02', version },
      decision,
      reason: reasons[reason % reasons.length]!,
      gate: turns ? 'retraction' : undefined,
      ...(decision === 'retract' && sentence !== null && { sentence }),
      ...terms,
    });
  });

test('C16: the words of a statement are made from its bytes alone, and two statements never read the same', () => {
  const read = (one: Decision): string => decisionWords(statementBytes(one)).join('\n');
  fc.assert(
    fc.property(statement, statement, (one, other) => {
      const isSame = statementBytes(one).equals(statementBytes(other));
      return (read(one) === read(other)) === isSame;
    }),
    { numRuns: 2000 },
  );
});

test('C16: one member that differs is in the words', () => {
  fc.assert(
    fc.property(statement, statement, fc.nat({ max: 20 }), (one, other, at) => {
      const names = Object.keys(one.predicate) as (keyof Decision['predicate'])[];
      const member = names[at % names.length]!;
      // What belongs together: a decision with its gate, reason and sentence, and a release with its subject.
      if (['decision', 'gate', 'reason', 'sentence', 'releases'].includes(member)) return true;
      const changed = { ...one, predicate: { ...one.predicate, [member]: other.predicate[member] } };
      const isSame = statementBytes(one).equals(statementBytes(changed));
      return isSame === (decisionWords(statementBytes(one)).join() === decisionWords(statementBytes(changed)).join());
    }),
    { numRuns: 1000 },
  );
});

test('C16: an approval for which one host suffices says what that host can do', () => {
  const of = (elsewhere: number): string =>
    decisionWords(statementBytes({ ...SAMPLE, predicate: { ...SAMPLE.predicate, elsewhere } })).join('\n');
  expect(of(0)).toContain('may show one statement and have another signed');
  expect(of(1)).not.toContain('may show one statement');
  expect(of(0)).toMatchInlineSnapshot(`
    ""ada@example.org" approves that this becomes public, before publication:
      demo/2026-03-02/v1, by the manifest with the SHA-256 abababababababababababababababababababababababababababababababab
    Public reason: attention-accepted.
    Points of the audit that are accepted: "totals".
    It was decided on the release folder alone.
    It goes by version 2 of the trust file (1212121212121212121212121212121212121212121212121212121212121212) and entry 7 of the ledger (3434343434343434343434343434343434343434343434343434343434343434).
    It asks for at least 1 person, 0 of them elsewhere than at one host of pages.
    No approval has to be made elsewhere: if it is signed in a browser, it rests on the host of that page, which may show one statement and have another signed.
    Nobody withdrew or reopened this gate before."
  `);
});

test('bytes that are no decision have no words', () => {
  expect(() => decisionWords(Buffer.from('{}'))).toThrow('not a decision');
  expect(() => decisionWords(Buffer.concat([statementBytes(SAMPLE), Buffer.from(' ')]))).toThrow('not a decision');
});

const SAMPLE = decisionStatement({
  release: { series: 'demo', window: '2026-03-02', version: 1 },
  manifestDigest: 'ab'.repeat(32),
  subject: 'ada@example.org',
  decision: 'approve',
  reason: 'attention-accepted',
  acknowledged: ['totals'],
  trust: { number: 2, digest: '12'.repeat(32) },
  ledger: { sequence: 7, digest: '34'.repeat(32) },
  required: 1,
  elsewhere: 0,
  after: [],
});
