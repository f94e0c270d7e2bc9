import type { Numbered } from '../../contracts/formats/common.ts';
import type { Policy, PopulationPolicy } from '../../contracts/formats/policy.ts';
import { generateSigningKey, type SigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { newestVersion, pinOf, readTrustChain } from '../../services/trust/trust-chain.ts';
import { POLICY_KEY, testPolicy } from '../support/test-custody.ts';
import { rootKey, trustFile, trustVersion } from '../support/trust-files.ts';

/** What the people of a cluster keep: keys that no program made for a trial, a trust file with a pin, and a policy. */
export type Custody = {
  ledgerKey: SigningKey;
  publisherKey: SigningKey;
  policyKey: SigningKey;
  policy: Policy;
  trustFile: Buffer;
  /** The first version of the trust file, which every process has pinned. */
  pin: Numbered;
};

/** Keys of a new cluster, and a policy over populations. Approvers are those of the tests. */
export function newCustody(populations: Record<string, PopulationPolicy>): Custody {
  const [ledgerKey, publisherKey] = [generateSigningKey(), generateSigningKey()];
  const ledgers = [{ key: ledgerKey.publicKey, valid: 'everywhere' as const }];
  const publishers = [{ key: publisherKey.publicKey, valid: 'everywhere' as const }];
  const file = trustFile(signDocument(trustVersion({ ledgers, publishers }), rootKey.privateKey));
  const { policy } = testPolicy({ demo: false, populations });
  const pin = pinOf(newestVersion(readTrustChain(file)));
  return { ledgerKey, publisherKey, policyKey: POLICY_KEY, policy, trustFile: file, pin };
}
