import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowService } from '@temporalio/client';
import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS, WORKER_DEPLOYMENTS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readMutable, swapMutable } from '../stores/mutable-json.ts';
import { grpcCode, NOT_FOUND, nullWhenNotFound } from './connection.ts';

/** A side in a namespace: what has a current build. */
export type DeployedSide = { namespace: string; side: keyof typeof WORKER_DEPLOYMENTS };

/** The server knows a version a moment after its first poll. */
const KNOWN_MS = 60_000;
const ASK_AGAIN_MS = 100;

/** With ABORTED, FAILED_PRECONDITION and UNAVAILABLE of gRPC: the version, or its pollers, are not known yet. */
const NOT_YET = new Set<unknown>([NOT_FOUND, 10, 9, 14]);

/**
 * What the server says of a side: its current build, and which builds it knows; none when no worker of it has ever
 * polled. Throws what the server throws.
 */
export async function deploymentVersions(service: WorkflowService, { namespace, side }: DeployedSide) {
  const request = { namespace, deploymentName: WORKER_DEPLOYMENTS[side] };
  const answer = await service.describeWorkerDeployment(request).catch(nullWhenNotFound);
  const deployment = answer?.workerDeploymentInfo;
  return {
    /** Null while no build is current: nothing new is dispatched then. */
    current: deployment?.routingConfig?.currentDeploymentVersion?.buildId || null,
    builds: (deployment?.versionSummaries ?? []).map(({ deploymentVersion }) => deploymentVersion?.buildId ?? ''),
    conflictToken: answer?.conflictToken ?? null,
  };
}

/**
 * Makes a build of a side the current one; with a token only if nothing was changed since the server gave it. The release
 * store remembers it: a server that has lost its database is not taken by whatever old build starts first.
 */
export async function promote(
  service: WorkflowService,
  releaseStore: ObjectStore,
  { side, ...version }: DeployedSide & { buildId: string; conflictToken?: Uint8Array | null },
): Promise<void> {
  const key = RELEASE_KEYS.promotedBuild(side);
  const before = await readMutable(releaseStore, key);
  if (before?.value.build !== version.buildId) await swapMutable(releaseStore, key, before, { build: version.buildId });
  const deploymentName = WORKER_DEPLOYMENTS[side];
  // A build that polls since a moment may be known on one kind of its queue alone; the other follows.
  const options = { ignoreMissingTaskQueues: true, identity: 'opaline' };
  await service.setWorkerDeploymentCurrentVersion({ ...version, deploymentName, ...options });
}

/**
 * Makes a build that polls the current one, so that new and open releases come to it, where that needs no person, and
 * gives the build that is current in the end; null: none is. `when-none`: only where no build is current, and none other
 * was the last to be; every later promotion is a command. Throws SETUP_FAILED when the server does not know the build
 * after a minute. Safe to run twice, and by two workers at once: the token of the server lets one change win, and the
 * other looks again.
 */
export async function becomeCurrent(
  service: WorkflowService,
  releaseStore: ObjectStore,
  { when, ...version }: DeployedSide & { buildId: string; when: 'when-none' | 'always' },
): Promise<string | null> {
  const { side, buildId } = version;
  const givenUpAt = Date.now() + KNOWN_MS;
  for (;;) {
    try {
      const { current, builds, conflictToken } = await deploymentVersions(service, version);
      if (current === buildId) return buildId;
      if (when === 'when-none') {
        const last = (await readMutable(releaseStore, RELEASE_KEYS.promotedBuild(side)))?.value.build ?? buildId;
        if (current !== null || last !== buildId) return current;
      }
      if (builds.includes(buildId)) {
        await promote(service, releaseStore, { ...version, conflictToken });
        return buildId;
      }
    } catch (error) {
      if (!NOT_YET.has(grpcCode(error))) throw error;
    }
    if (Date.now() > givenUpAt)
      throw new OpalineError(
        'SETUP_FAILED',
        `Temporal does not know build ${buildId} a minute after it began to poll; does the server have worker deployments switched on?`,
      );
    await delay(ASK_AGAIN_MS, undefined, { ref: false });
  }
}
