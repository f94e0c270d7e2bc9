import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OpalineClient } from '../../client/opaline-client.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../../contracts/deployment.ts';
import type { Run } from '../../contracts/stages.ts';
import { provideTemporalCli } from '../../infra/provision/temporal-cli.mjs';
import { embeddedFiles } from '../../worker/embedded/embedded-files.ts';
import { type Stack, startStack } from '../../worker/embedded/stack.ts';
import { SMALL_WINDOW, type SmallSeries } from '../support/small-series.ts';
import { usualDeployments } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';

/** A stack in a folder, of this build or of one of the first generation, and a client of this build. */
export type OpenStack = { stack: Stack; client: OpalineClient; deployment: ClientDeployment; close(): Promise<void> };

/** Starts the stack of this build below a root, or that of the build in a tree: both keep what is there. */
export async function openStackOf(root: string, tree?: string): Promise<OpenStack> {
  const program = tree && pathToFileURL(join(tree, 'worker', 'embedded', 'stack.ts')).href;
  const build = program ? ((await import(program)) as { startStack: typeof startStack }) : { startStack };
  const temporalCli = await provideTemporalCli();
  const stack = await build.startStack({ root, temporalCli, deployments: usualDeployments(root), trust: TEST_TRUST });
  const text = await readFile(stack.files.deployment('client'), 'utf8');
  const known = { trust: { file: embeddedFiles(root).trust }, ...JSON.parse(text) };
  const deployment = clientDeploymentSchema.parse(known);
  const client = await OpalineClient.open(deployment);
  const close = async () => {
    await client.close();
    await stack.stop();
  };
  return { stack, client, deployment, close };
}

/** What the command line of the build in a tree does with a series: start a release, and approve it. */
export async function commandsOf(tree: string, client: OpalineClient, series: SmallSeries) {
  const load = (file: string) => import(pathToFileURL(join(tree, file)).href);
  const { planRun } = await load('client/plan-run.ts');
  const { applySeries } = await load('client/apply-series.ts');
  const { decideRelease } = await load('client/decide-release.ts');
  const terms = { decision: 'approve', reason: 'audit-passed', note: '', acknowledged: [] };
  await writeFile(series.file, withKey(await readFile(series.file, 'utf8'), series.key.publicKey));
  return {
    start: async (version: number): Promise<Run> => {
      const { run, loaded } = await planRun(client, series.file, SMALL_WINDOW, version);
      await applySeries(client.releaseStore, loaded);
      await client.start({ ...run, correction: null });
      return run;
    },
    approve: (release: Run) => decideRelease(client, { release, ...terms, privateKey: series.key.privateKey }),
  };
}

/** The series file as that build needed it: with the keys of approvers in it. */
const withKey = (yaml: string, pem: string): string =>
  yaml.replace(
    /^( *)- subject: .*$/m,
    (line, indent) => `${line}\n${indent}  key: |\n${pem.trimEnd().replace(/^/gm, `${indent}    `)}`,
  );
