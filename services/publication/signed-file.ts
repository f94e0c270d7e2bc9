import type { Envelope } from '../../contracts/decision.ts';
import type { SignedApproval } from '../../contracts/formats/attestation.ts';
import { type Credential, credentialKeyId } from '../signing/credential.ts';
import { publicKeyOf } from '../signing/keys.ts';
import { signDocument } from '../signing/signed-document.ts';

/** A decision in a publication: who made it, and the public key that it was signed with. */
export type Approval = SignedApproval & { subject: string };

/** An approval by somebody of the trust file. */
export const approvalOf = (
  { subject, key, passkey }: Credential & { subject: string },
  envelope: Envelope,
): Approval => {
  if (passkey === undefined) return { subject, publicKey: key, envelope };
  const { publicKey, ...terms } = passkey;
  return { subject, publicKey, passkey: terms, envelope };
};

/** With what an approval says that it was signed. */
export const credentialOf = ({ publicKey, passkey }: SignedApproval): Credential =>
  passkey === undefined ? { key: publicKey } : { passkey: { publicKey, ...passkey } };

/** The publisher's signature under a statement. */
export type PublisherSignature = { publicKey: string; envelope: Envelope };

/** The id of the key that an approval says it was signed with. Throws KEY_INVALID. */
export const keyIdOfApproval = (approval: SignedApproval): string => credentialKeyId(credentialOf(approval));

/** A statement with the publisher's signature, and the decisions that it is about (contracts/formats/attestation.ts). */
export function signFile(format: string, statement: object, approvals: readonly Approval[], privateKey: string) {
  return {
    format,
    publisherKey: publicKeyOf(privateKey),
    statement: signDocument(statement, privateKey),
    approvals: approvals.map(({ subject, ...approval }) => approval),
  };
}
