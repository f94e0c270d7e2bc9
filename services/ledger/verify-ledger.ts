import type { ObjectStore } from '../../contracts/object-store.ts';
import { ledgerKeysOf } from '../trust/ledger-keys.ts';
import { requireNewestTrust } from '../trust/newer-trust.ts';
import type { TrustChain } from '../trust/trust-chain.ts';
import { type Ledger, readLedger } from './ledger.ts';

/** Where copies of ledgers are read, and whom the reader believes. */
export type LedgerReader = { releaseStore: ObjectStore; trust: () => Promise<TrustChain> };

/**
 * The ledger of a population as somebody reads it who has a trust file: its chain is whole, and the keys that the file
 * names signed it. Throws LEDGER_BROKEN and TRUST_INVALID, and TRUST_BEHIND where a newer file may name the key that
 * signed an entry.
 *
 * @contract C12
 */
export async function verifyLedger({ releaseStore, trust }: LedgerReader, population: string): Promise<Ledger> {
  const chain = await trust();
  try {
    return await readLedger(releaseStore, population, ledgerKeysOf(chain));
  } catch (error) {
    await requireNewestTrust(releaseStore, chain);
    throw error;
  }
}
