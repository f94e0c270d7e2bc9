import type { Decision } from '../../contracts/decision.ts';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import { whyNot } from '../../contracts/release-state.ts';
import type { Answer } from '../../contracts/stages.ts';
import { requireAuditedRelease } from '../../services/publication/audited-release.ts';
import { signDecision } from '../../services/signing/decision-statement.ts';
import { readPrivateKey } from '../../services/signing/keys.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { decisionBasis, requireApprovable } from './decision-basis.ts';

export type ReleaseDecision = {
  release: ReleaseReference;
  decision: 'approve' | 'reject';
  reason: Decision['predicate']['reason'];
  /** Free text; kept in the release store, never published. */
  note: string;
  acknowledged: string[];
  /** Digest of the manifest that the person was shown, where one was. */
  shown?: string | null;
  /** Ed25519 key, PKCS#8 PEM. */
  privateKey: string;
};

/**
 * Signs a decision over the manifest at the gate and hands it in. The digest is that of the audited manifest, not one
 * that the workflow or the release store names, and it has to be the one that the person was shown. Throws USAGE,
 * SUBJECT_UNKNOWN, and COPY_DIFFERS or VERIFICATION_FAILED when what is to be approved is not what was audited.
 */
export async function decideRelease(client: OpalineClient, request: ReleaseDecision): Promise<Answer> {
  const { release, decision, reason, note, acknowledged, shown = null, privateKey } = request;
  readPrivateKey(privateKey); // a key that is none is said first
  const { state, attention } = await client.status(release);
  const refusal = whyNot(decision, state);
  if (refusal) return { accepted: false, code: 'ACTION_NOT_OFFERED', message: refusal };
  requirePoints(acknowledged, attention);
  const read = decision === 'approve' ? requireApprovable : requireAuditedRelease;
  const { manifestDigest, manifest } = await read(client, release);
  if (shown !== null && shown !== manifestDigest)
    throw new OpalineError(
      'VERIFICATION_FAILED',
      'The release was audited again since it was shown; nothing is signed. Look at it once more.',
    );
  const basis = await decisionBasis(client, manifest, privateKey);
  const statement = { release, manifestDigest, decision, reason, acknowledged, ...basis };
  return client.ask(release, decision, { envelope: signDecision(statement, privateKey), note });
}

/** A misspelt point would be in a public statement as if somebody had read it. Throws USAGE. */
function requirePoints(acknowledged: readonly string[], attention: readonly string[]): void {
  const unknown = acknowledged.find((point) => !attention.includes(point));
  if (unknown === undefined) return;
  const points = attention.length > 0 ? `its points are ${attention.join(', ')}` : 'it has none';
  throw wrongUse(`${unknown} is no attention point of the release; ${points}.`);
}
