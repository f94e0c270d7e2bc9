import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { endCharge } from '../ledger/charge.ts';
import type { PublicContext } from './context.ts';

/** Ends the charge of a published release. Safe to run twice: the second run finds its entry. @contract safe-to-retry */
export function commit(context: PublicContext, input: Run & { charge: string }): Promise<void> {
  return endCharge(context.releaseStore, input, { kind: 'commit', charge: input.charge, release: releasePath(input) });
}
