import { randomUUID } from 'node:crypto';
import type { PrivateDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { highWaterFile } from '../custodian/custody/high-water.ts';
import { readPolicyFile, refuseDemoPolicy } from '../custodian/policy/policy-file.ts';
import type { PrivateContext } from '../custodian/private-context.ts';
import { openStore } from '../services/stores/open-store.ts';
import { newestVersion, numberedVersion } from '../services/trust/trust-chain.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { keysValidAt } from '../services/trust/trusted-keys.ts';
import { readWorkerKey } from './key-file.ts';

/**
 * What work on the custodian side needs from outside, as a deployment file says: its policy and keys are read, and no
 * store is opened yet. Throws POLICY_INVALID, TRUST_INVALID, KEY_INVALID, CONFIGURATION_INVALID.
 */
export async function privateContext(
  deployment: PrivateDeployment,
  { random, kinds }: Pick<PrivateContext, 'random' | 'kinds'>,
): Promise<PrivateContext> {
  const policy = await readPolicyFile(deployment.policyFile);
  refuseDemoPolicy(policy, deployment.allowDemoKeys);
  const trustFile = trustReader(deployment.trust, deployment.allowDemoKeys);
  const version = newestVersion(await trustFile());
  return {
    sourceStore: (name) => {
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
    policy,
    trust: numberedVersion(version),
    ledgerKeys: (population, sequence) => keysValidAt(version.ledgers, { population, sequence }),
    // A publisher's key may change while this worker runs.
    publisherKeys: async (population, sequence) =>
      keysValidAt(newestVersion(await trustFile()).publishers, { population, sequence }),
    ledgerKey: await readWorkerKey(deployment.keyFile),
    highWater: highWaterFile(deployment.stateFile),
    now: () => new Date(),
    newId: randomUUID,
  };
}
