import { signDecision } from '../../activities/signing/decision.ts';
import { readPrivateKey } from '../../activities/signing/keys.ts';
import type { Decision } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import { whyNot } from '../../contracts/release-state.ts';
import type { Answer } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { auditedManifest, decisionBasis, stagedManifest } from './decision-basis.ts';

export type ReleaseDecision = {
  release: ReleaseReference;
  decision: 'approve' | 'reject';
  reason: Decision['predicate']['reason'];
  /** Free text; kept in the release store, never published. */
  note: string;
  acknowledged: string[];
  /** Ed25519 key, PKCS#8 PEM. */
  privateKey: string;
};

/**
 * Signs a decision over the manifest at the gate and hands it in. The digest is taken from the staged manifest itself,
 * not from what the workflow says, so that a person signs the bytes that lie there. Throws USAGE, SUBJECT_UNKNOWN, and
 * VERIFICATION_FAILED when nobody has audited what is to be approved.
 */
export async function decideRelease(client: OpalineClient, request: ReleaseDecision): Promise<Answer> {
  const { release, decision, reason, note, acknowledged, privateKey } = request;
  readPrivateKey(privateKey); // a key that is none is said first
  const { state, attention } = await client.status(release);
  const refusal = whyNot(decision, state);
  if (refusal) return { accepted: false, code: 'ACTION_NOT_OFFERED', message: refusal };
  requirePoints(acknowledged, attention);
  const read = decision === 'approve' ? auditedManifest : stagedManifest;
  const { manifestDigest, seriesDigest } = await read(client, release);
  const basis = await decisionBasis(client, { ...release, seriesDigest }, privateKey);
  const statement = { release, manifestDigest, decision, reason, acknowledged, ...basis };
  return client.ask(release, decision, { envelope: signDecision(statement, privateKey), note });
}

/** A misspelt point would stand in a public statement as if somebody had read it. Throws USAGE. */
function requirePoints(acknowledged: readonly string[], attention: readonly string[]): void {
  const unknown = acknowledged.find((point) => !attention.includes(point));
  if (unknown === undefined) return;
  const points = attention.length > 0 ? `its points are ${attention.join(', ')}` : 'it has none';
  throw new OpalineError('USAGE', `${unknown} is no attention point of the release; ${points}.`);
}
