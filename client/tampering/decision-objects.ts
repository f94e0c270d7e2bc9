import { OpalineError } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readDecisionRecord } from '../../services/decisions/decision-record.ts';
import { isOverManifest, readDecision } from '../../services/signing/decision.ts';
import { isSignedByApprover } from '../../services/trust/approvers.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { said } from './said.ts';
import type { StagedManifest } from './staged-objects.ts';
import type { StoredRelease } from './stored-releases.ts';

/**
 * Decisions that are not what their digests say, that no approver of any version of the trust file signed, or that are
 * on another manifest than those that are staged: then one of the two was replaced.
 */
export async function decisionSentences(
  store: ObjectStore,
  chain: TrustChain,
  { release, decisions }: StoredRelease,
  offered: readonly StagedManifest[],
): Promise<string[]> {
  const sentences: string[] = [];
  for (const digest of decisions) {
    const look = async (): Promise<void> => {
      const record = await readDecisionRecord(store, release, digest);
      if (!record) return;
      const decision = readDecision(record.envelope);
      const isKnown = chain.some((version) => isSignedByApprover(version, decision, record.envelope));
      if (!isKnown) throw wrong('is signed by no approver of the trust file: somebody planted it');
      if (!offered.some(({ digest: manifest }) => isOverManifest(decision, release, manifest)))
        throw wrong('is on another manifest than the one that is staged: one of them was replaced');
    };
    const sentence = await said(look(), `The decision ${digest} cannot be read: somebody planted or changed it.`);
    if (sentence) sentences.push(`${releasePath(release)}: ${sentence}`);

    function wrong(what: string): OpalineError {
      return new OpalineError('VERIFICATION_FAILED', `The decision ${digest} ${what}.`);
    }
  }
  return sentences;
}
