import type { PrivateContext } from '../activities/private/context.ts';
import { ledgerKeysOf } from '../activities/trust/ledger-keys.ts';
import { newestVersion, numberedVersion } from '../activities/trust/trust-chain.ts';
import { trustReader } from '../activities/trust/trust-file.ts';
import type { PrivateDeployment } from '../contracts/deployment.ts';

/** The newest version of the trust file, and its keys of ledgers. Throws TRUST_INVALID. */
export async function privateTrust({
  trust,
  allowDemoKeys,
}: PrivateDeployment): Promise<Pick<PrivateContext, 'trust' | 'ledgerKeys'>> {
  const chain = await trustReader(trust, allowDemoKeys)();
  return { trust: numberedVersion(newestVersion(chain)), ledgerKeys: ledgerKeysOf(chain) };
}
