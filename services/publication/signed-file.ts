import type { Envelope } from '../../contracts/decision.ts';
import type { SignedApproval } from '../../contracts/formats/attestation.ts';
import { publicKeyOf } from '../signing/keys.ts';
import { signDocument } from '../signing/signed-document.ts';

/** A decision in a publication: who made it, and the public key that it was signed with. */
export type Approval = SignedApproval & { subject: string };

/** The publisher's signature under a statement. */
export type PublisherSignature = { publicKey: string; envelope: Envelope };

/** A statement with the publisher's signature, and the decisions that it is about (contracts/formats/attestation.ts). */
export function signedFile<Format extends string>(
  format: Format,
  statement: object,
  approvals: readonly Approval[],
  privateKey: string,
) {
  return {
    format,
    publisherKey: publicKeyOf(privateKey),
    statement: signDocument(statement, privateKey),
    approvals: approvals.map(({ publicKey, envelope }) => ({ publicKey, envelope })),
  };
}
