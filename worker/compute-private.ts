import { createPrivateActivities } from '../activities/private/private-activities.ts';
import { shadow } from '../activities/private/shadow.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { releasePath } from '../contracts/names.ts';
import type { Run } from '../contracts/stages.ts';
import { makeCache } from '../core/memory/function-cache.ts';
import { keepDiagnostics } from '../custodian/diagnostics.ts';
import type { PrivateContext, PrivateKind } from '../custodian/private-context.ts';
import { operatingSystemRandom, requireProductionRandom } from '../custodian/randomness.ts';
import { privateContexts } from './open-private-context.ts';
import { runProcess } from './run-process.ts';
import { runByNewest, serveStages } from './stages/serve-stages.ts';
import type { StageActivity } from './stages/stage-lanes.ts';

/** Runs the work of a release once in this process: whoever comes meanwhile waits, and a failure is tried again. */
function once(work: (context: PrivateContext, run: Run) => Promise<void>): typeof work {
  const cache = makeCache<Promise<void>>();
  return (context, run) => cache(`${releasePath(run)} ${run.seriesDigest}`, () => work(context, run));
}

/**
 * What computes for opaline-private, for releases of these kinds. Its source of randomness is chosen and checked here, at
 * its start: nothing of it comes from the worker.
 */
export const computePrivate = (kinds: Readonly<Record<string, PrivateKind>>): Promise<void> =>
  runProcess('private', process.argv[2], privateDeploymentSchema, async (deployment) => {
    const random = requireProductionRandom(operatingSystemRandom());
    const contexts = privateContexts(deployment, { random, kinds, ensureShadow: once(shadow) });
    const atStart = await contexts();
    serveStages(async (activity, input) => {
      const context = await contexts();
      const { [activity]: run } = createPrivateActivities(context) as Record<string, StageActivity>;
      return runByNewest(() => run!(input), context.requireNewest);
    }, keepDiagnostics(atStart));
  });
