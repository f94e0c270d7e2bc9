import { z } from 'zod';
import { type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { nullAt, OpalineError } from '../../contracts/errors.ts';
import { digestText } from '../../contracts/formats/common.ts';
import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectReader, ObjectStore } from '../../contracts/object-store.ts';
import { envelopeDigest, readDecision } from '../signing/decision-statement.ts';
import { findSigners, readDocument, signDocument } from '../signing/signed-document.ts';
import { readBelow } from '../signing/signed-objects.ts';
import { jsonBytes, jsonOrNull, putOnce, readBytesIfPresent } from '../stores/json-objects.ts';

const DECISION_FORMAT = 'opaline-decision/4';

/**
 * An accepted decision as it is kept in the release store; the note is never published (C16). `arrival`: what the public
 * worker signed of it.
 */
const decisionRecordSchema = z.strictObject({
  format: z.literal(DECISION_FORMAT),
  envelope: envelopeSchema,
  note: z.string(),
  arrival: envelopeSchema,
});

const ARRIVAL_FORMAT = 'opaline-arrival/1';

/** When the gate first accepted a decision, so that no writer of the release store can shorten a cooling time. */
const arrivalSchema = z.strictObject({
  format: z.literal(ARRIVAL_FORMAT),
  /** Digest of the envelope of the decision. */
  decision: digestText,
  at: z.iso.datetime(),
});

export type DecisionRecord = z.infer<typeof decisionRecordSchema>;

/**
 * The record of a decision by the digest of its envelope, or null. It says nothing of the signature. Throws
 * COPY_DIFFERS when another envelope is under that name.
 */
export async function readDecisionRecord(
  store: ObjectStore,
  release: ReleaseReference,
  envelope: string,
): Promise<DecisionRecord | null> {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.decision(release, envelope));
  return bytes && recordOf(bytes, envelope);
}

function recordOf(bytes: Buffer, envelope: string): DecisionRecord {
  const record = decisionRecordSchema.parse(JSON.parse(bytes.toString('utf8')));
  if (envelopeDigest(record.envelope) === envelope) return record;
  throw new OpalineError(
    'COPY_DIFFERS',
    'A kept decision is not what its digest says; find out who changed it, put it back, and retry.',
  );
}

/** Bytes of a record: statement and note at their longest. */
const MOST_BYTES = 2 ** 20;

/**
 * The records of decisions that are kept of a release, each under its digest; whose they are is another question. What is
 * anything else is passed over: in the release store anybody may have put it.
 */
export const readRecords = (store: ObjectReader, release: ReleaseReference): Promise<DecisionRecord[]> =>
  readBelow(store, RELEASE_KEYS.decisions(release), MOST_BYTES, (key, bytes) => {
    const record = decisionRecordSchema.safeParse(jsonOrNull(bytes.toString('utf8'))).data;
    if (!record || key !== RELEASE_KEYS.decision(release, envelopeDigest(record.envelope))) return null;
    return nullAt('SIGNATURE_INVALID', () => readDecision(record.envelope)) && record;
  });

/** Keeps an accepted decision, once; the digest of its envelope names it. Gives the record that is kept. */
export async function putDecisionRecord(
  store: ObjectStore,
  release: ReleaseReference,
  { envelope, note }: Pick<DecisionRecord, 'envelope' | 'note'>,
  stamp: { at: Date; publisherKey: string },
): Promise<DecisionRecord> {
  const decision = envelopeDigest(envelope);
  const arrival = { format: ARRIVAL_FORMAT, decision, at: stamp.at.toISOString() };
  const record = { format: DECISION_FORMAT, envelope, note, arrival: signDocument(arrival, stamp.publisherKey) };
  return recordOf(await putOnce(store, RELEASE_KEYS.decision(release, decision), jsonBytes(record)), decision);
}

/** When a decision was first accepted, as one of these publishers signed it (SPKI PEM); null: none of them did. */
export function arrivalOf({ envelope, arrival }: DecisionRecord, publishers: readonly string[]): string | null {
  if (findSigners(arrival, publishers).size === 0) return null;
  const { decision, at } = readDocument(arrival, arrivalSchema, 'arrival of a decision');
  return decision === envelopeDigest(envelope) ? at : null;
}

/** Why a decision did not count. Holds no free text, and nothing that was not in the statement itself. */
export type RefusalRecord = { code: string; subject: string | null; envelope: Envelope };

/**
 * Keeps a refusal under the first free number from `first` on. A retry finds its own record at the number where it
 * left it and adds none.
 */
export async function putRefusalRecord(
  store: ObjectStore,
  release: ReleaseReference,
  first: number,
  { code, subject, envelope }: RefusalRecord,
): Promise<void> {
  const record = { format: 'opaline-refusal/1', code, subject, envelope: envelopeDigest(envelope) };
  const bytes = jsonBytes(record);
  for (let sequence = first; ; sequence += 1) {
    const copy = await putOnce(store, RELEASE_KEYS.refusal(release, sequence), bytes);
    if (copy.equals(bytes)) return;
  }
}
