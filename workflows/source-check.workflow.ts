import type { Run, SourceChanges } from '../contracts/stages.ts';
import { privateStages } from './activities.ts';

/** Asks the private worker, at any time after ingest, what has changed in the source of a release. */
export async function sourceCheckWorkflow(run: Run): Promise<SourceChanges> {
  return privateStages.changedObjects(run);
}
