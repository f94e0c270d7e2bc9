import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { guard } from '../activities/guard.ts';
import { createPrivateActivities } from '../activities/private/activities.ts';
import type { PrivateContext } from '../activities/private/context.ts';
import { keepDiagnostics } from '../activities/private/diagnostics.ts';
import { operatingSystemRandom, requireProductionRandom } from '../activities/private/randomness.ts';
import { refuseUnsafeStore } from '../activities/stores/canary.ts';
import { openStore } from '../activities/stores/open-store.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { TASK_QUEUES } from '../contracts/names.ts';
import type { PrivateActivities } from '../contracts/stages.ts';
import { privateActivityPlaces } from './activity-places.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { createLogger, installRuntime } from './logger.ts';
import { observeWorker } from './observe/observe.ts';
import { runWorker } from './run-worker.ts';
import { sweep } from './sweep.ts';
import { Turns } from './turns.ts';

/** Reads a source or counts it, or computes for seconds: `concurrency` of them run at once and share its memory. */
function heavyInTurns(activities: PrivateActivities, concurrency: number): PrivateActivities {
  const turns = new Turns(concurrency);
  const inTurn =
    <Input, Result>(activity: (input: Input) => Promise<Result>) =>
    (input: Input) =>
      turns.take(() => activity(input), Context.current().cancellationSignal);
  const { ingest, reingest, bin, shadow } = activities;
  return {
    ...activities,
    ingest: inTurn(ingest),
    reingest: inTurn(reingest),
    bin: inTurn(bin),
    shadow: inTurn(shadow),
  };
}

/** Process entry of opaline-private: reads the sources, meets the noise, writes the private and the release store. */
const log = createLogger('private');
await endProcess(log, async () => {
  const deployment = await readDeployment(process.argv[2], privateDeploymentSchema);
  installRuntime(log, deployment.observe?.metrics);
  const { scratch, memoryMiB, sources } = deployment;
  const context: PrivateContext = {
    sourceStore: (name) => {
      const configuration = sources[name];
      if (!configuration)
        throw new OpalineError(
          'CONFIGURATION_INVALID',
          `The source store ${name} is not in the private deployment file.`,
        );
      return openStore(configuration);
    },
    privateStore: openStore(deployment.privateStore),
    releaseStore: openStore(deployment.releaseStore),
    scratch,
    memoryMiB,
    random: requireProductionRandom(operatingSystemRandom()),
    newId: randomUUID,
    heartbeat: () => Context.current().heartbeat(),
  };
  await sweep(scratch, [context.privateStore, context.releaseStore]);
  const stores = { private: context.privateStore, release: context.releaseStore };
  const { report, watch } = await observeWorker({ log, observe: deployment.observe, stores, scratch });
  for (const store of Object.values(stores)) await refuseUnsafeStore(store);
  // The guard is outside: heartbeats go on while an activity waits for its turn.
  const inTurns = heavyInTurns(createPrivateActivities(context), deployment.concurrency);
  const activities = guard(inTurns, keepDiagnostics(context), report);
  const options = {
    taskQueue: TASK_QUEUES.private,
    activities,
    maxConcurrentActivityTaskExecutions: privateActivityPlaces(deployment.concurrency),
  };
  await runWorker(deployment.temporal, options, log, watch);
});
