import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerTip } from '../../contracts/formats/common.ts';
import type { Ledger } from './ledger.ts';

/** How far a ledger goes. Throws LEDGER_BROKEN when it has no entry: nothing comes to a gate without a charge. */
export function tipOf({ entries, tip }: Ledger): LedgerTip {
  if (tip === null) throw new OpalineError('LEDGER_BROKEN', 'The ledger of the population has no entry.');
  return { sequence: entries.length, digest: tip };
}

/** Does a ledger hold this tip, at its end or further back? */
export function holdsTip({ entries, tip }: Ledger, { sequence, digest }: LedgerTip): boolean {
  if (sequence === entries.length) return tip === digest;
  return entries[sequence]?.previous === digest;
}
