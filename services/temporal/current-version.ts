import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowService } from '@temporalio/client';
import { OpalineError } from '../../contracts/errors.ts';
import { WORKER_DEPLOYMENT } from '../../contracts/names.ts';

/** The server knows a version a moment after its first poll. */
const KNOWN_MS = 60_000;
const ASK_AGAIN_MS = 100;

const NOT_FOUND = 5;
/** With ABORTED, FAILED_PRECONDITION and UNAVAILABLE of gRPC: the version, or its pollers, are not known yet. */
const NOT_YET = new Set<unknown>([NOT_FOUND, 10, 9, 14]);

/**
 * What the server says of the deployment: its current build, and which builds it knows; none when no public worker has
 * ever polled. Throws what the server throws.
 */
export async function deploymentVersions(service: WorkflowService, namespace: string) {
  const request = { namespace, deploymentName: WORKER_DEPLOYMENT };
  const { workerDeploymentInfo, conflictToken } = await service.describeWorkerDeployment(request).catch((error) => {
    if (codeOf(error) === NOT_FOUND) return { workerDeploymentInfo: null, conflictToken: null };
    throw error;
  });
  return {
    /** Null while no build is current: nothing new is dispatched then. */
    current: workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId || null,
    builds: (workerDeploymentInfo?.versionSummaries ?? []).map(({ deploymentVersion, firstActivationTime }) => ({
      buildId: deploymentVersion?.buildId ?? '',
      /** True when it was current at any time, or is. */
      wasCurrent: Boolean(firstActivationTime),
    })),
    conflictToken: conflictToken ?? null,
  };
}

/** Makes a build the current one; with a token only if nothing was changed since the server gave it. */
export const setCurrent = (
  service: WorkflowService,
  version: { namespace: string; buildId: string; conflictToken?: Uint8Array | null },
) => service.setWorkerDeploymentCurrentVersion({ ...version, deploymentName: WORKER_DEPLOYMENT, identity: 'opaline' });

/**
 * Makes a build that polls the current one, so that new and open releases come to it, and gives the build that is
 * current in the end. `when-new`: only if the build was never current before: an old one that is restarted takes
 * nothing back. Throws SETUP_FAILED when the server does not know the build after a minute. Safe to run twice, and by
 * two workers at once: the token of the server lets one change win, and the other looks again.
 */
export async function becomeCurrent(
  service: WorkflowService,
  { namespace, buildId, when }: { namespace: string; buildId: string; when: 'when-new' | 'always' },
): Promise<string> {
  const givenUpAt = Date.now() + KNOWN_MS;
  for (;;) {
    try {
      const { current, builds, conflictToken } = await deploymentVersions(service, namespace);
      const own = builds.find((build) => build.buildId === buildId);
      if (current === buildId) return buildId;
      if (own && current && own.wasCurrent && when === 'when-new') return current;
      if (own) {
        await setCurrent(service, { namespace, buildId, conflictToken });
        return buildId;
      }
    } catch (error) {
      if (!NOT_YET.has(codeOf(error))) throw error;
    }
    if (Date.now() > givenUpAt)
      throw new OpalineError(
        'SETUP_FAILED',
        `Temporal does not know build ${buildId} a minute after it began to poll; does the server have worker deployments switched on?`,
      );
    await delay(ASK_AGAIN_MS, undefined, { ref: false });
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
