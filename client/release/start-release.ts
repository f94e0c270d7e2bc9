import type { Run } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { applySeries } from '../series/apply-series.ts';
import type { RunPlan } from './plan-run.ts';

/** Applies the series file and starts the release. Throws RELEASE_EXISTS. */
export async function startRelease(client: OpalineClient, { run, loaded }: RunPlan): Promise<Run> {
  await applySeries(client.releaseStore, loaded);
  await client.start({ ...run, correction: null });
  return run;
}
