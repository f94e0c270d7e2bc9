import { z } from 'zod';
import { IN_TOTO_TYPE } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import {
  type AttestationStatement,
  attestationFileSchema,
  attestationStatementSchema,
} from '../../contracts/formats/attestation.ts';
import { digestText } from '../../contracts/formats/common.ts';
import { FILES } from '../../contracts/names.ts';
import { keyIdOfPem } from '../signing/keys.ts';
import { readDocument } from '../signing/signed-document.ts';
import { type Approval, firstApproval, type PublisherSignature, signedFile } from './signed-file.ts';

/** attestation.json of the first generation: an in-toto statement that nobody signed, with the signed decisions. */
const firstAttestationSchema = z.strictObject({
  _type: z.literal(IN_TOTO_TYPE),
  subject: z.array(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: digestText }) })).length(1),
  predicateType: z.literal('https://opaline.example/attestation/v1'),
  predicate: z.strictObject({
    release: z.string(),
    publishedAt: z.iso.datetime(),
    seriesDigest: digestText,
    required: z.int().positive(),
    approvals: z.array(firstApproval).max(1000),
  }),
});

/** The attestation of a publication, of either generation. */
export type Attestation = Pick<
  AttestationStatement,
  'release' | 'manifestDigest' | 'publishedAt' | 'required' | 'seriesDigest'
> & {
  approvals: readonly Approval[];
  /** What the publisher's key signed; null in the first generation, where nobody did. */
  publisher: (PublisherSignature & { statement: AttestationStatement }) | null;
};

/** The bytes of attestation.json: a statement that the publisher's key (PKCS#8 PEM) signs, with the decisions. */
export const attestationFile = (
  statement: AttestationStatement,
  approvals: readonly Approval[],
  privateKey: string,
): z.output<typeof attestationFileSchema> =>
  attestationFileSchema.parse(signedFile('opaline-attestation-file/2', statement, approvals, privateKey));

/** Names and key ids of approvals, as the publisher signs them. */
export const approversOfApprovals = (approvals: readonly Approval[]): AttestationStatement['approvers'] =>
  approvals.map(({ subject, publicKey }) => ({ subject, keyid: keyIdOfPem(publicKey) }));

/**
 * Reads attestation.json of either generation; says nothing of its signatures. Throws VERIFICATION_FAILED or
 * SIGNATURE_INVALID when it is none, or names other approvers than it carries decisions of.
 */
export function readAttestation(value: unknown): Attestation {
  const first = firstAttestationSchema.safeParse(value);
  if (first.success) return attestationOfFirst(first.data);
  const file = attestationFileSchema.safeParse(value);
  if (!file.success) throw new OpalineError('VERIFICATION_FAILED', 'attestation.json is not of its form.');
  const { publisherKey, statement: envelope, approvals } = file.data;
  const statement = readDocument(envelope, attestationStatementSchema, 'attestation');
  if (statement.approvers.length !== approvals.length)
    throw new OpalineError('VERIFICATION_FAILED', 'The attestation names other approvers than it has decisions of.');
  const named = approvals.map((approval, index) => ({ ...approval, subject: statement.approvers[index]!.subject }));
  const { release, manifestDigest, publishedAt, required, seriesDigest } = statement;
  const publisher = { publicKey: publisherKey, envelope, statement };
  return { release, manifestDigest, publishedAt, required, seriesDigest, approvals: named, publisher };
}

function attestationOfFirst({ subject: [about], predicate }: z.output<typeof firstAttestationSchema>): Attestation {
  const { release, publishedAt, required, seriesDigest } = predicate;
  if (about?.name !== `${release}/${FILES.manifest}`)
    throw new OpalineError('VERIFICATION_FAILED', 'The attestation is about another release than it names.');
  const approvals = predicate.approvals.map(({ subject, publicKey, envelope }) => ({ subject, publicKey, envelope }));
  const manifestDigest = about.digest.sha256;
  return { release, manifestDigest, publishedAt, required, seriesDigest, approvals, publisher: null };
}
