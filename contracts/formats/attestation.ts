import { z } from 'zod';
import { DECISION_REASONS, envelopeSchema, publicSentence } from '../decision.ts';
import { digestText, fileVersion, ledgerTip, publicKeyText } from './common.ts';
import { passkeySchema, subjectText } from './trust.ts';

/**
 * What the publisher's key signs of a publication: when it was published, and everything under which it was (C16).
 */
export const ATTESTATION_FORMAT = 'opaline-attestation/2';

/**
 * A publication (`series/window/vN`), and the ledger and trust file under which the key of its publisher has to be
 * valid.
 */
const basis = { release: z.string().max(200), manifestDigest: digestText, ledger: ledgerTip, trust: fileVersion };

export const attestationStatementSchema = z.strictObject({
  format: z.literal(ATTESTATION_FORMAT),
  ...basis,
  /** ISO 8601 with Z: the only time in a publication. */
  publishedAt: z.iso.datetime(),
  /** Approvals that it needed. */
  required: z.number().int().positive(),
  /** Who approved it, with the ids of the keys that they signed with. */
  approvers: z
    .array(z.strictObject({ subject: subjectText, keyid: digestText }))
    .min(1)
    .max(1000),
  seriesDigest: digestText,
  policyDigest: digestText.nullable(),
});

export const RETRACTION_FORMAT = 'opaline-retraction/4';

/** What the publisher's key signs of a retraction. */
export const retractionStatementSchema = z.strictObject({
  format: z.literal(RETRACTION_FORMAT),
  ...basis,
  retractedAt: z.iso.datetime(),
  reasons: z.array(z.enum(DECISION_REASONS.retract)).min(1),
  /** What those who decided say to everybody. */
  sentences: z.array(publicSentence).max(1000),
});

/**
 * A decision with the public key that it was signed with, SPKI PEM, and of a passkey how that signs: whose it is, the
 * trust file says.
 */
export const signedApproval = z.strictObject({
  publicKey: publicKeyText,
  passkey: passkeySchema.omit({ publicKey: true }).optional(),
  envelope: envelopeSchema,
});

/** A statement of the publisher with the decisions that it is about; each is signed by itself. */
const fileSchemaOf = <Format extends string>(format: Format) =>
  z.strictObject({
    format: z.literal(format),
    /** Public key of the publisher, SPKI PEM: whose it is, the trust file says. */
    publisherKey: publicKeyText,
    statement: envelopeSchema,
    approvals: z.array(signedApproval).min(1).max(1000),
  });

/** attestation.json */
export const attestationFileSchema = fileSchemaOf('opaline-attestation-file/4').extend({
  /**
   * The ledger's entry of the charge, as the private worker signed it: readers have no ledger, and so know at which entry
   * the release was charged.
   */
  reserve: envelopeSchema,
});

/** RETRACTED.json: says that a publication is not to be used any more. */
export const retractionFileSchema = fileSchemaOf('opaline-retraction-file/3');

export type AttestationStatement = z.output<typeof attestationStatementSchema>;
export type SignedApproval = z.output<typeof signedApproval>;
export type RetractionStatement = z.output<typeof retractionStatementSchema>;
