import { RELEASE_STATES } from '../../contracts/release-state.ts';
import type { Run } from '../../contracts/stages.ts';
import { endCharge } from '../../custodian/custody/custody-charge.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';

/**
 * Ends a charge whose release was not published; the budget stays spent. Throws ACTION_NOT_OFFERED when it was.
 *
 * Safe to run twice: the second run finds its entry.
 *
 * @contract C12
 * @contract safe-to-retry
 */
export function withhold(context: PrivateContext, { reason, ...run }: Run & { reason: string }): Promise<void> {
  // The entry is signed: it says a state of releases, and no text of whoever asked.
  const state = RELEASE_STATES.find((name) => name === reason) ?? 'failed';
  return endCharge(context, run, { kind: 'withhold', reason: state });
}
