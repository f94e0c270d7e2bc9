import {
  DECISION_REASONS,
  DECISION_TYPE,
  type Decision,
  type DecisionKind,
  decisionSchema,
  type Envelope,
  IN_TOTO_TYPE,
} from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { FILES, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { FAVOUR, type GateKind } from '../../contracts/release-state.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { jsonOrNull, sha256 } from '../stores/json-objects.ts';
import { payloadOf, signEnvelope } from './envelope.ts';

/** A release with the SHA-256 of its manifest. */
export type GatedManifest = { release: ReleaseReference; manifestDigest: string };

/** What a person decides on one manifest. */
export type DecisionRequest = GatedManifest & DecisionTerms;

/** What a person says in a decision, whatever it is over. */
export type DecisionTerms = Omit<Decision['predicate'], 'releases' | 'gate' | 'acknowledged' | 'basis'> & {
  /** Absent: that of a publication, unless it is to retract. */
  gate?: GateKind | undefined;
  /** Every attention point that the person has read and accepts. */
  acknowledged: readonly string[];
};

/**
 * Under what a person decides: version of the trust file, tip of the population's ledger, approvals required, how many of
 * them elsewhere, and after which withdrawals and reopenings.
 */
export type DecisionBasis = Pick<Decision['predicate'], 'trust' | 'ledger' | 'required' | 'elsewhere' | 'after'>;

/** The in-toto statement of a decision on one manifest. */
export const decisionStatement = ({ release, manifestDigest, ...terms }: DecisionRequest): Decision =>
  jointStatement([{ release, manifestDigest }], terms);

/** The in-toto statement of one decision on several manifests; sorted, so that equal decisions are equal bytes. */
export function jointStatement(manifests: readonly GatedManifest[], terms: DecisionTerms): Decision {
  const { subject, gate, decision, reason, sentence, acknowledged, trust, ledger, required, elsewhere, after } = terms;
  const entries = manifests.map(({ release, manifestDigest }) => ({ name: releasePath(release), manifestDigest }));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    _type: IN_TOTO_TYPE,
    subject: entries.map(({ name, manifestDigest }) => ({
      name: manifestName(name),
      digest: { sha256: manifestDigest },
    })),
    predicateType: DECISION_TYPE,
    predicate: {
      releases: entries.map(({ name }) => name),
      subject,
      gate: gate ?? usualGate(decision),
      decision,
      reason,
      ...(sentence !== undefined && { sentence }),
      acknowledged: [...acknowledged].sort(),
      basis: 'decided on the release folder alone',
      trust,
      ledger,
      required,
      elsewhere,
      after: [...after].sort(),
    },
  };
}

/** Signs one decision on several manifests. Throws KEY_INVALID. */
export const signJointDecision = (
  manifests: readonly GatedManifest[],
  terms: DecisionTerms,
  privateKey: string,
): Envelope => signEnvelope(statementBytes(jointStatement(manifests, terms)), privateKey);

/** The gate that a decision is for, unless somebody says which. */
export const usualGate = (decision: DecisionKind): GateKind => (decision === 'retract' ? 'retraction' : 'publication');

/** The exact bytes of a statement that a person signs. */
export const statementBytes = (statement: Decision): Buffer => Buffer.from(canonicalJson(statement), 'utf8');

/** True when the decision is over this manifest of a release, be it alone or among others. */
export const isOverManifest = (
  { subject }: Pick<Decision, 'subject'>,
  { manifestDigest, ...release }: ReleaseReference & { manifestDigest: string },
): boolean =>
  subject.some(({ name, digest }) => name === manifestName(releasePath(release)) && digest.sha256 === manifestDigest);

/** Names an envelope in the release store and between stages. */
export const envelopeDigest = (envelope: Envelope): string => sha256(canonicalJson(envelope));

/**
 * The statement in an envelope; says nothing of its signature. Throws SIGNATURE_INVALID unless the payload is the
 * canonical JSON of a decision whose reason belongs to it, over the manifests of distinct releases: a text with a member
 * or a release twice reads differently elsewhere.
 */
export const readDecision = (envelope: unknown): Decision => readStatement(payloadOf(envelope));

/** The statement that bytes are. Throws SIGNATURE_INVALID in the same way. */
export function readStatement(bytes: Uint8Array): Decision {
  const text = Buffer.from(bytes).toString('utf8');
  const outcome = decisionSchema.safeParse(jsonOrNull(text));
  if (!outcome.success || canonicalJson(outcome.data) !== text)
    throw new OpalineError('SIGNATURE_INVALID', 'The signed text is not a decision in canonical JSON.');
  const { gate, decision, reason, sentence, releases } = outcome.data.predicate;
  const reasons: readonly string[] = DECISION_REASONS[decision];
  if (!reasons.includes(reason))
    throw new OpalineError('SIGNATURE_INVALID', `The reason ${reason} is not one to ${decision} with.`);
  const isOther = decision === FAVOUR[gate === 'publication' ? 'retraction' : 'publication'];
  if (isOther || (gate === 'retraction' && decision === 'reopen'))
    throw new OpalineError('SIGNATURE_INVALID', `Nobody can ${decision} at the gate of a ${gate}.`);
  if (sentence !== undefined && decision !== 'retract')
    throw new OpalineError('SIGNATURE_INVALID', 'Only a retraction has a sentence for everybody.');
  const names = outcome.data.subject.map(({ name }) => name);
  const distinct = [...new Set(releases)].sort();
  if (canonicalJson([releases, names]) !== canonicalJson([distinct, distinct.map(manifestName)]))
    throw new OpalineError(
      'SIGNATURE_INVALID',
      'The decision is over something else than the manifests of its releases, each once and in order.',
    );
  return outcome.data;
}

const manifestName = (release: string): string => `${release}/${FILES.manifest}`;
