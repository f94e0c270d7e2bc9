import { wrongReleaseInput } from '../contracts/sent-values.ts';
import type { Run, SourceChanges } from '../contracts/stages.ts';
import { privateStages } from './activities.ts';
import { refuseInput } from './refuse-input.ts';

/** Asks the private worker, at any time after ingest, what has changed in the source of a release. */
export async function sourceCheckWorkflow(run: Run): Promise<SourceChanges> {
  refuseInput(wrongReleaseInput(run));
  return privateStages.changedObjects(run);
}
