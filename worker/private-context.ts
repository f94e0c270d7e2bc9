import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readPolicyFile, refuseDemoPolicy } from '../activities/policy/policy-file.ts';
import type { PrivateContext } from '../activities/private/context.ts';
import { highWaterFile } from '../activities/private/custody/high-water.ts';
import { publicKeyOf } from '../activities/signing/keys.ts';
import { openStore } from '../activities/stores/open-store.ts';
import type { PrivateDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { privateTrust } from './private-trust.ts';

/**
 * What work on the custodian side needs from outside, as a deployment file says: its policy and keys are read, no store is
 * opened yet. Throws POLICY_INVALID, KEY_INVALID, CONFIGURATION_INVALID.
 */
export async function privateContext(
  deployment: PrivateDeployment,
  { random, kinds }: Pick<PrivateContext, 'random' | 'kinds'>,
): Promise<PrivateContext> {
  const policy = await readPolicyFile(deployment.policyFile);
  refuseDemoPolicy(policy, deployment.allowDemoKeys);
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
    ...(await privateTrust(deployment)),
    ledgerKey: await ledgerKeyOf(deployment),
    highWater: highWaterFile(deployment.stateFile),
    now: () => new Date(),
    newId: randomUUID,
  };
}

async function ledgerKeyOf({ keyFile }: PrivateDeployment): Promise<string> {
  const key = await readFile(keyFile, 'utf8').catch(() => null);
  if (key === null)
    throw new OpalineError(
      'KEY_INVALID',
      'The key of the ledger cannot be read; mend keyFile of the private deployment.',
    );
  publicKeyOf(key); // so that a wrong file is noticed at the start, and not at the first charge
  return key;
}
