import { oncePer } from '../../core/memory/function-cache.ts';
import { newestVersion, type TrustChain } from './trust-chain.ts';
import { keysValidAt } from './trusted-keys.ts';

/**
 * Which keys may have signed an entry of a ledger; for one chain always the same function: what was read of a ledger is
 * kept for the keys that it was checked with.
 */
export const ledgerKeysOf = oncePer((chain: TrustChain) => {
  const { ledgers } = newestVersion(chain);
  return (population: string, sequence: number): string[] => keysValidAt(ledgers, { population, sequence });
});
