import type { Envelope } from '../../contracts/decision.ts';
import { ATTESTATION_FORMAT, type AttestationStatement } from '../../contracts/formats/attestation.ts';
import { DRAW_RECEIPT_FORMAT, type Receipt } from '../../contracts/formats/draw-receipt.ts';
import { SHADOW_RECEIPT_FORMAT, type ShadowReceipt } from '../../contracts/formats/stage-receipts.ts';
import { TRUST_FILE_FORMAT, TRUST_FORMAT, type TrustVersion } from '../../contracts/formats/trust.ts';
import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import type { DecisionBasis } from '../../services/signing/decision-statement.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { newestVersion, pinOf, readTrustChain, type TrustChain } from '../../services/trust/trust-chain.ts';
import { seededKey } from './seeded-key.ts';
import { LEDGER_KEY, PRIVATE_BUILD } from './test-custody.ts';
import { approverKey, TEST_APPROVER } from './test-trust.ts';

/** Keys of everybody whom tests of single activities and of the verifier believe. */
export const rootKey = seededKey('root');
export const ledgerKey = LEDGER_KEY;
export const publisherKey = seededKey('publisher');
export const ada = { subject: 'ada@example.org', ...approverKey('ada@example.org') };
export const ben = { subject: 'ben@example.org', ...approverKey('ben@example.org') };
export const eve = { subject: 'eve@example.org', ...approverKey('eve@example.org') };
/** The approver of the small series. */
const manager = { subject: TEST_APPROVER, ...approverKey(TEST_APPROVER) };

type Person = { subject: string; publicKey: string };

/** A person as a trust file names one. */
export const approver = (
  { subject, publicKey }: Person,
  valid: TrustVersion['approvers'][number]['valid'] = 'everywhere',
) => ({
  subject,
  key: publicKey,
  valid,
});

/** A first version: ada, ben, eve and the approver of the small series decide; one approval at least. */
export const trustVersion = (change: Partial<TrustVersion> = {}): TrustVersion => ({
  format: TRUST_FORMAT,
  organisation: 'Test transport',
  number: 1,
  previous: null,
  demo: false,
  tips: {},
  roots: { keys: [rootKey.publicKey], threshold: 1 },
  ledgers: [{ key: ledgerKey.publicKey, valid: 'everywhere' }],
  publishers: [{ key: publisherKey.publicKey, valid: 'everywhere' }],
  approvers: [ada, ben, eve, manager].map((person) => approver(person)),
  required: 1,
  ...change,
});

export const trustFile = (...versions: Envelope[]): Buffer => jsonBytes({ format: TRUST_FILE_FORMAT, versions });

/** A chain whose versions follow each other, each signed by the one root; `changes` says what each has of its own. */
export function trustChain(...changes: Partial<TrustVersion>[]): TrustChain {
  const versions: Envelope[] = [];
  let previous: string | null = null;
  for (const [index, change] of changes.entries()) {
    const version = trustVersion({ number: index + 1, previous, ...change });
    versions.push(signDocument(version, rootKey.privateKey));
    previous = sha256(canonicalJson(version));
  }
  return readTrustChain(trustFile(...versions));
}

/** The chain that test contexts believe. */
export const TEST_CHAIN = trustChain({});

/** Under what a decision is made, for tests that look at something else. */
export const ANY_BASIS: DecisionBasis = {
  trust: pinOf(newestVersion(TEST_CHAIN)),
  ledger: { sequence: 1, digest: 'cd'.repeat(32) },
  required: 1,
  elsewhere: 0,
  after: [],
};

/** What a publisher signs of a release that is public. */
export function publishedStatement(
  run: Run,
  change: Partial<AttestationStatement> = {},
  { privateKey } = publisherKey,
): Envelope {
  const statement: AttestationStatement = {
    format: ATTESTATION_FORMAT,
    release: releasePath(run),
    manifestDigest: 'ab'.repeat(32),
    publishedAt: '2026-03-20T00:00:00.000Z',
    approvers: [{ subject: ada.subject, keyid: ada.keyid }],
    seriesDigest: run.seriesDigest,
    policyDigest: null,
    trust: ANY_BASIS.trust,
    required: ANY_BASIS.required,
    ledger: { sequence: 99, digest: 'cd'.repeat(32) },
    ...change,
  };
  return signDocument(statement, privateKey);
}

/** A receipt of a shadow run as the private worker stores it. */
export const shadowReceiptBytes = (
  {
    release,
    seriesDigest,
    charge,
    build = PRIVATE_BUILD,
  }: Pick<ShadowReceipt, 'release' | 'seriesDigest' | 'charge'> & {
    build?: string;
  },
  tallies: object,
  privateKey = ledgerKey.privateKey,
): Buffer => {
  const receipt = { format: SHADOW_RECEIPT_FORMAT, release, seriesDigest, charge, build, tallies };
  return jsonBytes(signDocument(receipt, privateKey));
};

export type DrawReceipt = Extract<Receipt, { table: string }>;

/** A receipt of a draw or of a hole as the private worker stores it. */
export const receiptBytes = (
  receipt: Omit<DrawReceipt, 'format' | 'build'> | Receipt,
  privateKey = ledgerKey.privateKey,
): Buffer => {
  const whole = 'format' in receipt ? receipt : { format: DRAW_RECEIPT_FORMAT, build: PRIVATE_BUILD, ...receipt };
  return jsonBytes(signDocument(whole, privateKey));
};
