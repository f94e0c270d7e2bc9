import { OpalineError } from '../../contracts/errors.ts';
import { keyIdOfPem, publicKeyOf } from '../signing/keys.ts';
import { newestVersion, type TrustChain } from '../trust/trust-chain.ts';
import { isCurrent, isValidAt, keyWithId, type LedgerPlace } from '../trust/trusted-keys.ts';

/**
 * Refuses to sign with a key that the trust file does not name as a publisher's, that it ends, or that is not valid at
 * this place of the ledger: nobody would believe what it signs. Throws TRUST_BEHIND.
 */
export function requirePublisher(trust: TrustChain, privateKey: string, place: LedgerPlace): void {
  const key = keyWithId(newestVersion(trust).publishers, keyIdOfPem(publicKeyOf(privateKey)));
  if (key && isCurrent(key, place.population) && isValidAt(key, place)) return;
  throw new OpalineError(
    'TRUST_BEHIND',
    'The key of this public worker is no publisher of the trust file now; give it the newest file, and the key that this names.',
  );
}
