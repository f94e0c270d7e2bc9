import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import type { PrivateContext } from './context.ts';
import { endCharge } from './custody/ended-charge.ts';

/**
 * Ends the charge of a published release. Safe to run twice: the second run finds its entry.
 *
 * @contract C12
 * @contract safe-to-retry
 */
export const commit = (context: PrivateContext, run: Run): Promise<void> =>
  endCharge(context, run, (charge) => ({ kind: 'commit', charge, release: releasePath(run) }));
