import { randomUUID } from 'node:crypto';
import type { PrivateDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import type { Run } from '../contracts/stages.ts';
import { highWaterFile } from '../custodian/custody/high-water.ts';
import { readPolicyFile, refuseDemoPolicy, settlePolicy } from '../custodian/policy/policy-file.ts';
import type { PrivateContext } from '../custodian/private-context.ts';
import { followFile } from '../services/files/changing-file.ts';
import { PEOPLE_FILE_BYTES } from '../services/files/people-file.ts';
import { openStore } from '../services/stores/open-store.ts';
import { ledgerKeysOf } from '../services/trust/ledger-keys.ts';
import { settleTrust } from '../services/trust/newer-trust.ts';
import { newestVersion, pinOf } from '../services/trust/trust-chain.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { keysValidAt } from '../services/trust/trusted-keys.ts';
import { workerKey } from './key-file.ts';
import { buildDigest } from './source-digest.ts';

/** What a draw uses; `ensureShadow`: absent where nothing is drawn. */
type Drawing = Pick<PrivateContext, 'random' | 'kinds'> & {
  ensureShadow?: (context: PrivateContext, run: Run) => Promise<void>;
};

/**
 * What work on the custodian side needs from outside, as a deployment file says, for one piece of work at a time: its
 * policy, trust file and key are looked at each time, and the context is another one when one of them was replaced. No
 * store is opened before it is used. Throws POLICY_INVALID, TRUST_INVALID, KEY_INVALID, CONFIGURATION_INVALID, and
 * TRUST_BEHIND when a file that was good before is not any more.
 */
export function privateContexts(
  deployment: PrivateDeployment,
  { random, kinds, ensureShadow = async () => {} }: Drawing,
): () => Promise<PrivateContext> {
  const policyOf = followFile(deployment.policyFile, PEOPLE_FILE_BYTES, async (path) => {
    const policy = await readPolicyFile(path);
    refuseDemoPolicy(policy, deployment.allowDemoKeys);
    return policy;
  });
  const trustOf = trustReader(deployment.trust, deployment.allowDemoKeys);
  const keyOf = workerKey(deployment);
  const base = {
    sourceStore: (name: string) => {
      const configuration = deployment.sources[name];
      if (!configuration)
        throw new OpalineError(
          'CONFIGURATION_INVALID',
          `The source store ${name} is not in the private deployment file.`,
        );
      return openStore(configuration);
    },
    privateStore: openStore(deployment.privateStore),
    releaseStore: openStore(deployment.releaseStore),
    scratch: deployment.scratch,
    memoryMiB: deployment.memoryMiB,
    random,
    kinds,
    highWater: highWaterFile(deployment.stateFile),
    now: () => new Date(),
    newId: () => randomUUID(),
  };
  let newest: PrivateContext | null = null;
  return async () => {
    const [policy, chain, ledgerKey] = await Promise.all([policyOf(), trustOf(), keyOf()]);
    const ledgerKeys = ledgerKeysOf(chain);
    if (newest?.policy === policy && newest.ledgerKeys === ledgerKeys && newest.ledgerKey === ledgerKey) return newest;
    const version = newestVersion(chain);
    const next: PrivateContext = {
      ...base,
      build: buildDigest(),
      ensureShadow: (run) => ensureShadow(next, run),
      policy,
      trust: pinOf(version),
      requireNewest: async () => {
        await settleTrust(base.releaseStore, chain);
        await settlePolicy(base.privateStore, policy);
      },
      ledgerKeys,
      publisherKeys: (population, sequence) => keysValidAt(version.publishers, { population, sequence }),
      ledgerKey,
    };
    newest = next;
    return next;
  };
}
