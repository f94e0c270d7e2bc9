import { OpalineError } from '../../contracts/errors.ts';
import { FILES, parsePartitionPath, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import { readDecisionRecord } from '../../services/decisions/decision-record.ts';
import { requireArrival } from '../../services/decisions/gate-signers.ts';
import { type Grounds, requireStored } from '../../services/draws/require-receipts.ts';
import { readAudits, requireAuditReceipt } from '../../services/draws/stage-receipt.ts';
import { loadFile } from '../../services/publication/audited-release.ts';
import { isOverManifest, readDecision } from '../../services/signing/decision-statement.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { isSignedByApprover } from '../../services/trust/trusted-approvers.ts';
import { faultOf } from './fault.ts';
import type { StoredRelease } from './stored-releases.ts';

/**
 * What is wrong with the objects of a release: tables that are not the ones of their receipts or are where a hole is,
 * receipts that the private worker did not sign or whose table was taken away, manifests that no public worker has
 * audited, staged files that are not the audited ones, and decisions that no approver of any version of the trust file
 * signed, whose time no publisher signed, or that are on another manifest than those that are staged. Reads every object.
 */
export async function releaseSentences(
  grounds: Grounds,
  { release, tables, receipts, staged, decisions }: StoredRelease,
): Promise<string[]> {
  const sentences: string[] = [];
  const look = async (what: string, check: () => Promise<unknown>): Promise<void> => {
    const sentence = await faultOf(what, check);
    if (sentence) sentences.push(sentence);
  };
  for (const path of new Set([...tables, ...receipts]))
    await look(`The receipt of ${path}`, () => requireStored(grounds, release, parsePartitionPath(path)!));
  const manifests = staged.filter((name) => name.endsWith(`/${FILES.manifest}`));
  // A manifest is written last: without one the release has not come to its gate.
  if (manifests.length === 0) return sentences;
  const digests: string[] = [];
  const keys = manifests.map((name) => `${RELEASE_KEYS.allStaged}${releasePath(release)}/${name}`);
  const second = RELEASE_KEYS.reaudited(release, FILES.manifest);
  if (await grounds.releaseStore.head(second)) keys.push(second);
  for (const key of keys) {
    const digest = sha256(await readBytes(grounds.releaseStore, key));
    digests.push(digest);
    await look('The receipt of the audit', () => requireAuditReceipt(grounds, release, digest));
  }
  const names = new Set<string>(manifests);
  const audits = await readAudits(grounds, release);
  for (const { manifest, manifestBytes } of audits)
    for (const { name } of manifest.files) {
      names.add(`${manifest.build.sources}/${name}`);
      const audit = { manifest, manifestDigest: sha256(manifestBytes) };
      await look(`The staged file ${name}`, () => loadFile(grounds.releaseStore, audit, name));
    }
  const builds = audits.map(({ manifest }) => `${manifest.build.sources}/`);
  for (const name of staged)
    if (builds.some((build) => name.startsWith(build)) && !names.has(name))
      sentences.push(`The staged file ${name.slice(name.indexOf('/') + 1)} is not in the manifest.`);
  for (const digest of decisions)
    await look(`The decision ${digest}`, async () => {
      const record = await readDecisionRecord(grounds.releaseStore, release, digest);
      if (!record) return;
      const decision = readDecision(record.envelope);
      const isKnown = grounds.trust.some((version) => isSignedByApprover(version, decision, record.envelope));
      if (!isKnown) throw wrong(digest, 'is signed by no approver of the trust file: somebody planted it');
      requireArrival(grounds, decision, record);
      if (!digests.some((manifestDigest) => isOverManifest(decision, { ...release, manifestDigest })))
        throw wrong(digest, 'is on another manifest than the one that is staged: one of them was replaced');
    });
  return sentences;
}

const wrong = (digest: string, what: string): OpalineError =>
  new OpalineError('VERIFICATION_FAILED', `The decision ${digest} ${what}.`);
