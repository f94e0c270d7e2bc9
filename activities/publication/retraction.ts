import type { z } from 'zod';
import {
  type RetractionStatement,
  retractionFileSchema,
  retractionStatementSchema,
} from '../../contracts/formats/attestation.ts';
import { readDecision } from '../signing/decision.ts';
import { readDocument } from '../signing/signed-document.ts';
import { type Approval, signedFile } from './signed-file.ts';

/** What a retraction says: who took which publication back, when and with which reasons. */
export type Retraction = Omit<RetractionStatement, 'format'> & { subjects: string[] };

/** RETRACTED.json: a statement that the publisher's key (PKCS#8 PEM) signs, with the decisions. */
export const retractionFile = (
  statement: RetractionStatement,
  approvals: readonly Approval[],
  privateKey: string,
): z.output<typeof retractionFileSchema> =>
  retractionFileSchema.parse(signedFile('opaline-retraction-file/2', statement, approvals, privateKey));

/** Reads RETRACTED.json; says nothing of its signatures. Throws when it is none. */
export function readRetraction(value: unknown): Retraction {
  const { statement, approvals } = retractionFileSchema.parse(value);
  const { format: _, ...retraction } = readDocument(statement, retractionStatementSchema, 'retraction');
  const subjects = approvals.map(({ envelope }) => readDecision(envelope).predicate.subject);
  return { ...retraction, subjects };
}
