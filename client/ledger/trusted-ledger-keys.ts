import type { LedgerKeys } from '../../activities/ledger/ledger.ts';
import { ledgerKeysOf } from '../../activities/trust/ledger-keys.ts';
import { trustReader } from '../../activities/trust/trust-file.ts';
import type { ClientDeployment } from '../../contracts/deployment.ts';

/** The keys that may have signed entries of ledgers, as the trust file of a client says. Throws TRUST_INVALID. */
export async function trustedLedgerKeys({ trust }: Pick<ClientDeployment, 'trust'>): Promise<LedgerKeys> {
  // Keys of a trial are read, too: who asks here draws and publishes nothing.
  return ledgerKeysOf(await trustReader(trust, true)());
}
