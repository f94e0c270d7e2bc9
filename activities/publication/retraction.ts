import { z } from 'zod';
import { DECISION_REASONS } from '../../contracts/decision.ts';
import {
  type RetractionStatement,
  retractionFileSchema,
  retractionStatementSchema,
} from '../../contracts/formats/attestation.ts';
import { digestText } from '../../contracts/formats/common.ts';
import { readAnyDecision } from '../signing/decision.ts';
import { readDocument } from '../signing/signed-document.ts';
import { type Approval, firstApproval, signedFile } from './signed-file.ts';

/** RETRACTED.json of the first generation. */
const firstRetractionSchema = z.strictObject({
  format: z.literal('opaline-retraction/1'),
  release: z.string(),
  manifestDigest: digestText,
  retractedAt: z.iso.datetime(),
  reasons: z.array(z.enum(DECISION_REASONS.retract)).min(1),
  approvals: z.array(firstApproval),
});

/** What a retraction says, of either generation: who took which publication back, when and with which reasons. */
export type Retraction = Omit<RetractionStatement, 'format'> & { subjects: string[] };

/** RETRACTED.json: a statement that the publisher's key (PKCS#8 PEM) signs, with the decisions. */
export const retractionFile = (
  statement: RetractionStatement,
  approvals: readonly Approval[],
  privateKey: string,
): z.output<typeof retractionFileSchema> =>
  retractionFileSchema.parse(signedFile('opaline-retraction-file/2', statement, approvals, privateKey));

/** Reads RETRACTED.json of either generation; says nothing of its signatures. Throws when it is none. */
export function readRetraction(value: unknown): Retraction {
  const first = firstRetractionSchema.safeParse(value);
  if (first.success) {
    const { release, manifestDigest, retractedAt, reasons, approvals } = first.data;
    return { release, manifestDigest, retractedAt, reasons, subjects: approvals.map(({ subject }) => subject) };
  }
  const { statement, approvals } = retractionFileSchema.parse(value);
  const { format: _, ...retraction } = readDocument(statement, retractionStatementSchema, 'retraction');
  const subjects = approvals.map(({ envelope }) => readAnyDecision(envelope).predicate.subject);
  return { ...retraction, subjects };
}
