import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { ReleaseState } from '../../contracts/release-state.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import type { DemoTrust } from '../../stack/demo-trust.ts';
import { type Deployments, type EmbeddedFiles, folderDeployments, locateFiles } from '../../stack/embedded-files.ts';
import { type Stack, startStack } from '../../stack/stack.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { newFolder } from './new-folder.ts';
import { TEST_SOURCES, TEST_TRUST } from './test-trust.ts';

/** A real stack of a test: Temporal, both workers as processes, and a client, all below one temporary folder. */
export type TestStack = Stack & {
  root: string;
  client: OpalineClient;
  /** Folder of the source store `trips`, when the deployments are the usual ones. */
  source: string;
  end(): Promise<void>;
};

const sourceOf = (files: EmbeddedFiles): string => join(files.sources, 'trips');

/** Deployments of a stack below the root, all in folders; every source store of the tests is the one folder `trips`. */
export function usualDeployments(root: string, sources = TEST_SOURCES): Deployments {
  const files = locateFiles(root);
  return folderDeployments(files, Object.fromEntries(sources.map((name) => [name, sourceOf(files)])));
}

export async function startTestStack(
  make: (root: string) => Deployments = (root) => usualDeployments(root),
  workers?: Parameters<typeof startStack>[0]['workers'],
  trust: DemoTrust = TEST_TRUST,
): Promise<TestStack> {
  const root = newFolder();
  const files = locateFiles(root);
  const source = sourceOf(files);
  await mkdir(source, { recursive: true });
  const deployments = make(root);
  const temporalCli = await provideTool('temporal-cli');
  const stack = await startStack({ root, temporalCli, deployments, trust, workers });
  const client = await openClient(await readDeployment(files.deployment('client'), clientDeploymentSchema));
  const end = async () => {
    await client.close();
    await stack.stop();
    await rm(root, { recursive: true, force: true });
  };
  return { ...stack, root, source, client, end };
}

/** Pause between two questions: each is work for all processes of the stack. */
const PAUSE_MS = 250;

/**
 * Waits until a release is in one of the states; fails with its status when it ends elsewhere or takes too long. A worker
 * that is being started again does not answer for a while.
 */
export async function reaches(
  client: OpalineClient,
  release: ReleaseReference,
  states: readonly ReleaseState[],
  seconds = 60,
): Promise<ReleaseStatus> {
  for (let waited = 0; waited < seconds * 1000; waited += PAUSE_MS) {
    const status = await answered(client.status(release));
    if (status && states.includes(status.state)) return status;
    await delay(PAUSE_MS);
  }
  throw new Error(`not in ${states} after ${seconds} s: ${JSON.stringify(await client.status(release))}`);
}

async function answered(status: Promise<ReleaseStatus>): Promise<ReleaseStatus | null> {
  try {
    return await status;
  } catch (error) {
    if (error instanceof OpalineError && error.code === 'SERVER_UNAVAILABLE') return null;
    throw error;
  }
}
