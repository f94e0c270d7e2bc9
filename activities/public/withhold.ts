import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { endCharge } from '../ledger/charge.ts';
import type { PublicContext } from './context.ts';

/**
 * Ends a charge whose release was not published; the budget stays spent. Safe to run twice: the second run finds its
 * entry. @contract safe-to-retry
 */
export function withhold(context: PublicContext, input: Run & { charge: string; reason: string }): Promise<void> {
  const { charge, reason } = input;
  return endCharge(context.releaseStore, input, { kind: 'withhold', charge, release: releasePath(input), reason });
}
