import { z } from 'zod';
import { type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectReader, ObjectStore } from '../../contracts/object-store.ts';
import { mapAtOnce } from '../at-once.ts';
import { envelopeDigest, readDecision } from '../signing/decision-statement.ts';
import { jsonBytes, jsonOrNull, putOnce, readBytes, readBytesIfPresent } from '../stores/json-objects.ts';

const DECISION_FORMAT = 'opaline-decision/3';

/** An accepted decision as it is kept in the release store; the note is never published (C16). */
const decisionRecordSchema = z.strictObject({
  format: z.literal(DECISION_FORMAT),
  envelope: envelopeSchema,
  note: z.string(),
});

export type DecisionRecord = z.infer<typeof decisionRecordSchema>;

/**
 * The record of a decision by the digest of its envelope, or null. It says nothing of the signature. Throws
 * COPY_DIFFERS when another envelope lies under that name.
 */
export async function readDecisionRecord(
  store: ObjectStore,
  release: ReleaseReference,
  envelope: string,
): Promise<DecisionRecord | null> {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.decision(release, envelope));
  if (!bytes) return null;
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
 * The envelopes of decisions that are kept of a release, each under its digest; whose they are is another question. What
 * is anything else is passed over: in the release store anybody may have put it.
 */
export async function keptEnvelopes(store: ObjectReader, release: ReleaseReference): Promise<Envelope[]> {
  const keys: string[] = [];
  for await (const { key, size } of store.list(RELEASE_KEYS.decisions(release))) if (size <= MOST_BYTES) keys.push(key);
  const found = await mapAtOnce(keys, AT_ONCE, async (key) => {
    const record = decisionRecordSchema.safeParse(jsonOrNull((await readBytes(store, key)).toString('utf8'))).data;
    if (!record || key !== RELEASE_KEYS.decision(release, envelopeDigest(record.envelope))) return null;
    return isDecision(record.envelope) ? record.envelope : null;
  });
  return found.filter((envelope) => envelope !== null);
}

function isDecision(envelope: Envelope): boolean {
  try {
    readDecision(envelope);
    return true;
  } catch (error) {
    if (error instanceof OpalineError && error.code === 'SIGNATURE_INVALID') return false;
    throw error;
  }
}

/** Objects that are read at a time. */
const AT_ONCE = 8;

/** Keeps an accepted decision, once; the digest of its envelope names it. */
export async function putDecisionRecord(
  store: ObjectStore,
  release: ReleaseReference,
  record: Omit<DecisionRecord, 'format'>,
): Promise<string> {
  const name = envelopeDigest(record.envelope);
  await putOnce(store, RELEASE_KEYS.decision(release, name), jsonBytes({ format: DECISION_FORMAT, ...record }));
  return name;
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
    const stored = await putOnce(store, RELEASE_KEYS.refusal(release, sequence), bytes);
    if (stored.equals(bytes)) return;
  }
}
