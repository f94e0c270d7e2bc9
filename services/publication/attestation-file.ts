import type { z } from 'zod';
import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import {
  type AttestationStatement,
  attestationFileSchema,
  attestationStatementSchema,
} from '../../contracts/formats/attestation.ts';
import { readDocument } from '../signing/signed-document.ts';
import { type Approval, keyIdOfApproval, signFile } from './signed-file.ts';

/** The attestation of a publication. */
export type Attestation = ReturnType<typeof readAttestation>;

/** The bytes of attestation.json: a statement that the publisher's key (PKCS#8 PEM) signs, with the decisions. */
export const attestationFile = (
  statement: AttestationStatement,
  approvals: readonly Approval[],
  reserve: Envelope,
  privateKey: string,
): z.output<typeof attestationFileSchema> =>
  attestationFileSchema.parse({
    ...signFile('opaline-attestation-file/4', statement, approvals, privateKey),
    reserve,
  });

/** Names and key ids of approvals, as the publisher signs them. */
export const approversOfApprovals = (approvals: readonly Approval[]): AttestationStatement['approvers'] =>
  approvals.map((approval) => ({ subject: approval.subject, keyid: keyIdOfApproval(approval) }));

/**
 * Reads attestation.json; says nothing about its signatures. Throws VERIFICATION_FAILED or SIGNATURE_INVALID when it is
 * no attestation, or names approvers different from those whose decisions it carries.
 */
export function readAttestation(value: unknown) {
  const file = attestationFileSchema.safeParse(value);
  if (!file.success) throw new OpalineError('VERIFICATION_FAILED', 'attestation.json is not of its form.');
  const { publisherKey, statement: envelope, approvals, reserve } = file.data;
  const statement = readDocument(envelope, attestationStatementSchema, 'attestation');
  if (statement.approvers.length !== approvals.length)
    throw new OpalineError('VERIFICATION_FAILED', 'The attestation names other approvers than it has decisions of.');
  const signers: Approval[] = approvals.map((approval, index) => ({
    ...approval,
    subject: statement.approvers[index]!.subject,
  }));
  const { release, manifestDigest, publishedAt, required, seriesDigest } = statement;
  /** What the publisher's key signed, and the ledger's entry of the charge. */
  const publisher = { publicKey: publisherKey, envelope, statement, reserve };
  return { release, manifestDigest, publishedAt, required, seriesDigest, approvals: signers, publisher };
}
