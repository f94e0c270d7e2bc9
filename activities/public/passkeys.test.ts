import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import type { Passkey, TrustVersion } from '../../contracts/formats/trust.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import type { DecideInput } from '../../contracts/stages.ts';
import { type DecisionRequest, decisionStatement, statementBytes } from '../../services/signing/decision-statement.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { pinOf } from '../../services/trust/trust-chain.ts';
import { Authenticator, type Otherwise } from '../../test/support/authenticator.ts';
import { TEST_BUILD } from '../../test/support/folder-contexts.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { type TestRelease, testBasis, testDecision, testRelease } from '../../test/support/test-release.ts';
import { ada, approver, ben, trustChain } from '../../test/support/trust-files.ts';
import { audit } from './audit.ts';
import { decide } from './decide.ts';
import { derive } from './derive.ts';
import { publish } from './publish.ts';
import { retract } from './retract.ts';

const hers = new Authenticator('hers');
const his = new Authenticator('his', 'Ed25519');
const elsewhere = new Authenticator('elsewhere', 'ES256', {
  relyingParty: 'desk.example.com',
  origins: ['https://desk.example.com'],
});
const withPasskey = (subject: string, { passkey }: { passkey: Passkey }) => ({
  subject,
  passkey,
  valid: 'everywhere' as const,
});

/** Ada and Ben have key files, passkeys of the console, and Ben one of another relying party. */
const APPROVERS = [
  approver(ada),
  approver(ben),
  withPasskey(ada.subject, hers),
  withPasskey(ben.subject, his),
  withPasskey(ben.subject, elsewhere),
];
const CHAIN = trustChain({}, { approvers: APPROVERS });

async function atGate(chain = CHAIN): Promise<TestRelease & { manifestDigest: string }> {
  const release = await testRelease();
  const context = { ...release.context, trust: async () => chain };
  await derive(context, release.input);
  const { manifestDigest } = await audit(context, release.input);
  return { ...release, context, manifestDigest };
}

type AtGate = Awaited<ReturnType<typeof atGate>>;

/** A decision by passkey, as the workflow hands it on. */
function byPasskey(
  { run, manifestDigest }: AtGate,
  person: typeof ada,
  key: Authenticator,
  signed: Partial<DecisionRequest> = {},
  otherwise?: Otherwise,
): DecideInput {
  const terms = {
    decision: 'approve',
    reason: 'audit-passed',
    acknowledged: [],
    ...testBasis(run),
    ...signed,
  } as const;
  const statement = statementBytes(
    decisionStatement({ release: run, manifestDigest, subject: person.subject, ...terms }),
  );
  const envelope = otherwise ? key.forge(statement, otherwise) : key.sign(statement);
  return testDecision(run, manifestDigest, person, signed, { envelope });
}

async function accepted({ context }: AtGate, input: DecideInput): Promise<string> {
  const answer = await decide(context, input);
  if (!answer.accepted) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.digest;
}

const published = ({ context, run, manifestDigest }: AtGate, decisions: string[]) =>
  publish(context, { ...run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03.000Z' });

const WITHDRAWAL = { decision: 'withdraw', reason: 'not-what-was-shown' } as const;

test('C16: passkeys and key files count alike, and readers check both; two of one host are not enough', async () => {
  const release = await atGate();
  const approvals = [await accepted(release, byPasskey(release, ada, hers))];
  const refused = /made elsewhere than at one host, and has 0/;
  await expect(
    published(release, [...approvals, await accepted(release, byPasskey(release, ben, his))]),
  ).rejects.toThrow(refused);
  approvals.push(await accepted(release, byPasskey(release, ben, elsewhere)));
  await published(release, approvals);
  const folder = join(release.folder, 'publication', 'demo', '2026-03-02', 'v1');
  const { checks } = await verifyPublication(folder, CHAIN);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  const sentences = checks.map(({ sentence }) => sentence).join('\n');
  expect(sentences).toContain('passkey of console.example.org, never backed up, counter 0');
  // Under a file in which the passkey has other pages, or is nobody's, it was approved by one person.
  const { passkey } = hers;
  for (const hersNow of [{ passkey: { ...passkey, origins: ['https://other.console.example.org'] } }, null]) {
    const approvers = [
      approver(ada),
      withPasskey(ben.subject, elsewhere),
      ...(hersNow ? [withPasskey(ada.subject, hersNow)] : []),
    ];
    const other = await verifyPublication(folder, trustChain({}, { approvers: APPROVERS }, { approvers }));
    expect(other.checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['trust']);
  }
});

test('C16: where nothing has to be made elsewhere one host may have all, and every reader is told', async () => {
  const chain = trustChain({ elsewhere: 0, approvers: APPROVERS });
  const release = await atGate(chain);
  const basis = { trust: pinOf(chain[0]!), elsewhere: 0 };
  const approvals = [
    await accepted(release, byPasskey(release, ada, hers, basis)),
    await accepted(release, byPasskey(release, ben, his, basis)),
  ];
  await published(release, approvals);
  const { checks } = await verifyPublication(join(release.folder, 'publication', 'demo', '2026-03-02', 'v1'), chain);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(checks.find(({ id }) => id === 'approvers')?.sentence).toContain('All rest on the host of one page');
});

test('C16: two credentials of one person are one person', async () => {
  const release = await atGate();
  const byFile = testDecision(release.run, release.manifestDigest, ada);
  const decisions = [await accepted(release, byPasskey(release, ada, hers)), await accepted(release, byFile)];
  await expect(published(release, decisions)).rejects.toThrow('one approver is counted more than once');
  const again = { ...byFile, decided: [ada.subject] };
  // The first answer of a retry stays; a statement of its own is a second decision.
  const other = { ...byPasskey(release, ada, hers, { required: 3 }), decided: [ada.subject] };
  expect(await decide(release.context, again)).toMatchObject({ accepted: true });
  expect(await decide(release.context, other)).toMatchObject({ accepted: false, code: 'ALREADY_DECIDED' });
});

test.each<[string, Otherwise]>([
  ['without user verification', { flags: 0x01 }],
  ['of another page', { origin: 'https://console.example.com' }],
  ['of another relying party', { relyingParty: 'desk.example.com' }],
  ['in a frame', { rest: ',"topOrigin":"https://example.com"}' }],
])('C16: a passkey %s is nobody’s at the gate, and leaves no trace', async (_, otherwise) => {
  const release = await atGate();
  const answer = await decide(release.context, byPasskey(release, ada, hers, {}, otherwise));
  expect(answer).toMatchObject({ accepted: false, recorded: false, code: 'SIGNATURE_INVALID' });
});

test('C16: an approval that is posted again after a withdrawal does not count, and a new one that names it does', async () => {
  const release = await atGate();
  const [first, second] = [byPasskey(release, ada, hers), testDecision(release.run, release.manifestDigest, ben)];
  const approvals = [await accepted(release, first), await accepted(release, second)];
  const withdraw = byPasskey(release, ada, hers, WITHDRAWAL);
  const withdrawal = await accepted(release, withdraw);
  expect(await accepted(release, withdraw)).toBe(withdrawal); // a retry
  await expect(published(release, approvals)).rejects.toThrow('of the time before somebody withdrew');
  expect(await decide(release.context, first)).toMatchObject({ accepted: false, recorded: true, code: 'DIGEST_STALE' });
  expect(await decide(release.context, second)).toMatchObject({ accepted: false, code: 'DIGEST_STALE' });
  const after = testDecision(release.run, release.manifestDigest, ben, { after: [withdrawal] });
  expect(await decide(release.context, after)).toMatchObject({ accepted: true });
});

test('C16: a withdrawal of nobody, or for the other gate, takes nothing back', async () => {
  const release = await atGate();
  const approvals = [
    await accepted(release, byPasskey(release, ada, hers)),
    await accepted(release, testDecision(release.run, release.manifestDigest, ben)),
  ];
  const other = byPasskey(release, ada, hers, { ...WITHDRAWAL, gate: 'retraction' });
  expect(await decide(release.context, { ...other, gate: 'publication' })).toMatchObject({
    accepted: false,
    code: 'SIGNATURE_INVALID',
  });
  // Somebody keeps it in the store all the same.
  await accepted(release, other);
  await published(release, approvals);
});

test('C16: a retraction that was withdrawn needs new signatures', async () => {
  const release = await testRelease();
  const manifestDigest = await publishRelease(release);
  const context = { ...release.context, trust: async () => CHAIN };
  const gate = { ...release, context, manifestDigest };
  const wish = { decision: 'retract', reason: 'data-wrong' } as const;
  const [one, two] = [byPasskey(gate, ada, hers, wish), testDecision(release.run, manifestDigest, ben, wish)];
  const decisions = [await accepted(gate, one), await accepted(gate, two)];
  const withdrawal = await accepted(gate, byPasskey(gate, ada, hers, { ...WITHDRAWAL, gate: 'retraction' }));
  const input = { ...release.run, manifestDigest, retractedAt: '2026-04-01T10:00:00.000Z' };
  await expect(retract(context, { ...input, decisions })).rejects.toThrow('of the time before somebody withdrew');
  expect(await decide(context, one)).toMatchObject({ accepted: false, code: 'DIGEST_STALE' });
  const after = { ...wish, after: [withdrawal] };
  const again = [
    await accepted(gate, byPasskey(gate, ada, hers, after)),
    await accepted(gate, testDecision(release.run, manifestDigest, ben, after)),
  ];
  await retract(context, { ...input, decisions: again });
});

test('C16: the statement says what a hostile host could do, where nobody has to approve out of its reach', async () => {
  const sentence = 'It may have been approved on pages of one server alone';
  const statementUnder = async (...versions: Partial<TrustVersion>[]) => {
    const { context, run } = await atGate(trustChain({}, ...versions));
    return (await readBytes(context.releaseStore, RELEASE_KEYS.staged(run, TEST_BUILD, FILES.statement))).toString();
  };
  const people = { approvers: APPROVERS, required: 2 };
  expect(await statementUnder({ ...people, elsewhere: 0 })).toContain(sentence);
  expect(await statementUnder(people)).not.toContain(sentence);
  // Nobody signs in a browser.
  expect(await statementUnder({ elsewhere: 0 })).not.toContain(sentence);
});
