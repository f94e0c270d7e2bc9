import type { Shadow } from '../contracts/stages.ts';
import { privateStages } from './activities.ts';
import type { ReleaseProgress } from './release-progress.ts';

/**
 * Begins the shadow run, which reads nothing of the release, beside derive: the private worker has nothing else to do
 * for it then. Gives how to wait for it, and to run it again when it failed.
 */
export function beginShadow({ run }: ReleaseProgress): () => Promise<Shadow> {
  let begun: Promise<Shadow> | null = privateStages.shadow(run);
  begun.catch(() => {}); // whoever waits is told
  return () => {
    const first = begun;
    begun = null;
    return first ?? privateStages.shadow(run);
  };
}
