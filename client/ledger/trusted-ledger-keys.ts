import type { LedgerKeys } from '../../activities/ledger/ledger.ts';
import { newestVersion } from '../../activities/trust/trust-chain.ts';
import { trustReader } from '../../activities/trust/trust-file.ts';
import { keysValidAt } from '../../activities/trust/trusted-keys.ts';
import type { ClientDeployment } from '../../contracts/deployment.ts';

/** The keys that may have signed entries of ledgers, as the trust file of a client says. Throws TRUST_INVALID. */
export async function trustedLedgerKeys({ trust }: Pick<ClientDeployment, 'trust'>): Promise<LedgerKeys> {
  // Keys of a trial are read, too: who asks here draws and publishes nothing.
  const { ledgers } = newestVersion(await trustReader(trust, true)());
  return (population, sequence) => keysValidAt(ledgers, { population, sequence });
}
