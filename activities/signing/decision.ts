import {
  DECISION_REASONS,
  DECISION_TYPE,
  type Decision,
  decisionSchema,
  type Envelope,
  IN_TOTO_TYPE,
} from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { sha256 } from '../stores/json-objects.ts';
import { payloadOf, signEnvelope } from './envelope.ts';

/** What a person decides on one manifest. */
export type DecisionRequest = {
  release: ReleaseReference;
  manifestDigest: string;
  subject: string;
  decision: Decision['predicate']['decision'];
  reason: Decision['predicate']['reason'];
  /** Every attention point that the person has read and accepts. */
  acknowledged: readonly string[];
};

/** The in-toto statement of a decision; acknowledged points sorted, so that equal decisions are equal bytes. */
export function decisionStatement(request: DecisionRequest): Decision {
  const { release, manifestDigest, subject, decision, reason, acknowledged } = request;
  return {
    _type: IN_TOTO_TYPE,
    subject: [{ name: manifestName(release), digest: { sha256: manifestDigest } }],
    predicateType: DECISION_TYPE,
    predicate: {
      release: releasePath(release),
      subject,
      decision,
      reason,
      acknowledged: [...acknowledged].sort(),
      basis: 'decided on the release folder alone',
    },
  };
}

/** Signs a decision with a person's private key (PKCS#8 PEM). Throws KEY_INVALID. */
export const signDecision = (request: DecisionRequest, privateKey: string): Envelope =>
  signEnvelope(Buffer.from(canonicalJson(decisionStatement(request)), 'utf8'), privateKey);

/** Names an envelope in the release store and between stages. */
export const envelopeDigest = (envelope: Envelope): string => sha256(canonicalJson(envelope));

/**
 * The statement in an envelope; says nothing of its signature. Throws SIGNATURE_INVALID unless the payload is the
 * canonical JSON of a decision whose reason belongs to it: a text with a member twice reads differently elsewhere.
 */
export function readDecision(envelope: unknown): Decision {
  const text = payloadOf(envelope).toString('utf8');
  const parsed = decisionSchema.safeParse(parseJson(text));
  if (!parsed.success || canonicalJson(parsed.data) !== text)
    throw new OpalineError('SIGNATURE_INVALID', 'The signed text is not a decision in canonical JSON.');
  const { decision, reason, release } = parsed.data.predicate;
  const reasons: readonly string[] = DECISION_REASONS[decision];
  if (!reasons.includes(reason))
    throw new OpalineError('SIGNATURE_INVALID', `The reason ${reason} is not one to ${decision} with.`);
  if (parsed.data.subject[0]?.name !== `${release}/manifest.json`)
    throw new OpalineError(
      'SIGNATURE_INVALID',
      'The decision is over something else than the manifest of its release.',
    );
  return parsed.data;
}

const manifestName = (release: ReleaseReference): string => `${releasePath(release)}/manifest.json`;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
