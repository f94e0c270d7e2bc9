import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../../contracts/deployment.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { locateFiles } from '../../stack/embedded-files.ts';
import { type Stack, startStack } from '../../stack/stack.ts';
import { usualDeployments } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';

/** A stack in a folder, of this build or of an earlier one, and a client of this build. */
export type OpenStack = { stack: Stack; client: OpalineClient; deployment: ClientDeployment; close(): Promise<void> };

/** Starts the stack of this build below a root, or that of the build in a tree: both keep what is there. */
export async function openStackOf(root: string, tree?: string): Promise<OpenStack> {
  const program = tree && pathToFileURL(join(tree, 'stack', 'stack.ts')).href;
  const build = program ? ((await import(program)) as { startStack: typeof startStack }) : { startStack };
  const temporalCli = await provideTool('temporal-cli');
  const stack = await build.startStack({ root, temporalCli, deployments: usualDeployments(root), trust: TEST_TRUST });
  const text = await readFile(stack.files.deployment('client'), 'utf8');
  const known = { trust: { file: locateFiles(root).trust }, ...JSON.parse(text) };
  const deployment = clientDeploymentSchema.parse(known);
  const client = await openClient(deployment);
  const close = async () => {
    await client.close();
    await stack.stop();
  };
  return { stack, client, deployment, close };
}
