import { OpalineError } from '../../contracts/errors.ts';
import type { Grounds } from '../draws/require-receipts.ts';
import { keyIdOfPem, publicKeyOf } from '../signing/keys.ts';
import { newestVersion } from '../trust/trust-chain.ts';
import { isCurrent, isValidAt, keyWithId } from '../trust/trusted-keys.ts';

/**
 * Refuses to sign with a key that the trust file does not name as a publisher's, that it ends, or that is not valid at
 * this entry of the ledger: nobody would believe what it signs. Throws TRUST_BEHIND.
 */
export function requirePublisher(
  { trust, series: { population } }: Pick<Grounds, 'trust' | 'series'>,
  privateKey: string,
  sequence: number,
): void {
  const key = keyWithId(newestVersion(trust).publishers, keyIdOfPem(publicKeyOf(privateKey)));
  if (key && isCurrent(key, population) && isValidAt(key, { population, sequence })) return;
  throw new OpalineError(
    'TRUST_BEHIND',
    'The key of this public worker is no publisher of the trust file now; give it the newest file, and the key that this names.',
  );
}
