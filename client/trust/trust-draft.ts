import { readBoundedFile } from '../../activities/bounded-file.ts';
import { jsonOrNull } from '../../activities/stores/json-objects.ts';
import { mistakeOf, newestVersion, TRUST_FILE_BYTES, type TrustChain } from '../../activities/trust/trust-chain.ts';
import { type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { TRUST_FORMAT, type TrustVersion, trustVersionSchema } from '../../contracts/formats/trust.ts';
import { nesting } from '../../core/json/nesting.ts';

/** What a first version says: everything that people choose. Keys are public ones, SPKI PEM. */
export type TrustTerms = Pick<TrustVersion, 'organisation' | 'roots' | 'required' | 'demo'> & {
  ledgers: string[];
  publishers: string[];
  approvers: { subject: string; key: string }[];
};

/** The deepest version of a trust file has five levels. */
const LEVELS = 16;

/** A first version, for its roots to sign. Throws TRUST_INVALID. */
export const firstDraft = ({ ledgers, publishers, approvers, ...terms }: TrustTerms): TrustVersion =>
  sound({
    format: TRUST_FORMAT,
    number: 1,
    previous: null,
    ...terms,
    ledgers: ledgers.map((key) => ({ key, valid: {} })),
    publishers: publishers.map((key) => ({ key, valid: {} })),
    approvers: approvers.map((approver) => ({ ...approver, valid: {} })),
  });

/** The version that follows a file, with what its newest one says: people change it, and then the roots sign it. */
export function nextDraft(chain: TrustChain): TrustVersion {
  const { digest, ...newest } = newestVersion(chain);
  return { ...newest, number: newest.number + 1, previous: digest };
}

/** A version that people wrote, or one that some roots have signed. */
export type Draft = { version: TrustVersion; envelope: null } | { version: null; envelope: Envelope };

/** Reads a draft from a file. Throws TRUST_INVALID with every field that is not as it has to be. */
export async function readDraft(path: string): Promise<Draft> {
  const { bytes } = await readBoundedFile(path, TRUST_FILE_BYTES);
  if (!bytes) throw invalid(`${path} cannot be read; name the draft of a version.`);
  const text = bytes.toString('utf8');
  const value = nesting(text) > LEVELS ? null : jsonOrNull(text);
  const envelope = envelopeSchema.safeParse(value);
  if (envelope.success) return { version: null, envelope: envelope.data };
  const version = trustVersionSchema.safeParse(value);
  if (version.success) return { version: sound(version.data), envelope: null };
  const fields = version.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  throw invalid(`${path} is no version of a trust file. ${fields.join('; ')}.`);
}

function sound(version: TrustVersion): TrustVersion {
  const mistake = mistakeOf(version);
  if (mistake) throw invalid(`The version is not sound: ${mistake}`);
  return version;
}

const invalid = (sentence: string): OpalineError => new OpalineError('TRUST_INVALID', sentence);
