import type { ObjectStore } from '../../contracts/object-store.ts';
import { ledgerKeysOf } from '../trust/ledger-keys.ts';
import type { TrustChain } from '../trust/trust-chain.ts';
import { type Ledger, readLedger } from './ledger.ts';

/** Where copies of ledgers are read, and whom the reader believes. */
export type LedgerReader = { releaseStore: ObjectStore; trust: () => Promise<TrustChain> };

/**
 * The ledger of a population as somebody reads it who has a trust file: its chain is whole, and the keys that the file
 * names signed it. Throws LEDGER_BROKEN and TRUST_INVALID.
 *
 * @contract C12
 */
export const believedLedger = async ({ releaseStore, trust }: LedgerReader, population: string): Promise<Ledger> =>
  readLedger(releaseStore, population, ledgerKeysOf(await trust()));
