import { newestVersion, type TrustChain } from './trust-chain.ts';
import { keysValidAt } from './trusted-keys.ts';

/** Functions by chain: what was read of a ledger is kept for the keys that it was checked with. */
const known = new WeakMap<TrustChain, (population: string, sequence: number) => string[]>();

/** Which keys may have signed an entry of a ledger; for one chain always the same function. */
export function ledgerKeysOf(chain: TrustChain): (population: string, sequence: number) => string[] {
  const { ledgers } = newestVersion(chain);
  const keys = known.get(chain) ?? ((population, sequence) => keysValidAt(ledgers, { population, sequence }));
  known.set(chain, keys);
  return keys;
}
