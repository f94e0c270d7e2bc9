import type { z } from 'zod';
import {
  type RetractionStatement,
  retractionFileSchema,
  retractionStatementSchema,
} from '../../contracts/formats/attestation.ts';
import { readDecision } from '../signing/decision-statement.ts';
import { readDocument } from '../signing/signed-document.ts';
import { type Approval, type PublisherSignature, signFile } from './signed-file.ts';

/** A tombstone: what its publisher signed, and the decisions of the people who took the publication back. */
export type Retraction = { publisher: PublisherSignature & { statement: RetractionStatement }; approvals: Approval[] };

/** What those who took a publication back say of it: reasons, and sentences for everybody, each once and in order. */
export function retractionWords(approvals: readonly Approval[]) {
  const decisions = approvals.map(({ envelope }) => readDecision(envelope).predicate);
  return {
    reasons: [...new Set(decisions.map(({ reason }) => reason))].sort(),
    sentences: [...new Set(decisions.flatMap(({ sentence }) => sentence ?? []))].sort(),
  };
}

/** RETRACTED.json: a statement that the publisher's key (PKCS#8 PEM) signs, with the decisions. */
export const retractionFile = (
  statement: RetractionStatement,
  approvals: readonly Approval[],
  privateKey: string,
): z.output<typeof retractionFileSchema> =>
  retractionFileSchema.parse(signFile('opaline-retraction-file/3', statement, approvals, privateKey));

/** Reads RETRACTED.json; says nothing about its signatures. Throws when it is no retraction. */
export function readRetraction(value: unknown): Retraction {
  const { publisherKey, statement: envelope, approvals } = retractionFileSchema.parse(value);
  const statement = readDocument(envelope, retractionStatementSchema, 'retraction');
  return {
    publisher: { publicKey: publisherKey, envelope, statement },
    approvals: approvals.map((one) => ({ ...one, subject: readDecision(one.envelope).predicate.subject })),
  };
}
