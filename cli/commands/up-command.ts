import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { EXIT, wrongUse } from '../../contracts/errors.ts';
import { PROJECT_FILE } from '../../contracts/project.ts';
import { seriesName } from '../../contracts/series.ts';
import { storeAt } from '../../contracts/source-address.ts';
import type { StoreConfiguration } from '../../contracts/store-configuration.ts';
import { EXAMPLES, type ExampleName, prepareExample } from '../../examples/prepare.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { type EmbeddedFiles, folderDeployments, locateFiles, withKept } from '../../stack/embedded-files.ts';
import { projectDeployments, readProject } from '../../stack/project-stack.ts';
import { type Stack, startStack } from '../../stack/stack.ts';
import { findStack } from '../../stack/stack-lock.ts';
import { pagesOf } from '../../stack/temporal-server.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { withClient } from '../client.ts';
import { EMBEDDED_ROOT } from '../client-deployment.ts';
import { command } from '../command.ts';
import { type ConfirmOptions, confirm } from '../confirmation.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { type OutputOptions, say } from '../terminal.ts';
import { tour } from '../tour.ts';

import { serveConsole } from './console-command.ts';

type Sources = Record<string, StoreConfiguration>;
type Options = OutputOptions & { example?: ExampleName; once?: true; source?: string[]; ui?: true };

export const upCommand = (): Command =>
  command('up', 'start the embedded stack: Temporal, a folder store and both workers; Ctrl-C stops it')
    .option('--example <name>', 'release an example on it', Object.keys(EXAMPLES) as ExampleName[])
    .option('--source <name=place...>', 'a source store beside those of the deployment file: a folder, or s3://…')
    .option('--once', 'stop after the first example window is published')
    .option('--ui', "serve Temporal's own pages too; whoever reaches them can start and end releases")
    .option('--reset', 'first forget the demo of this folder, its releases and its keys')
    .option('--yes', 'do not ask before it is forgotten')
    .example('opaline up --example demo')
    .run(async (_, options) => {
      const sources = readSources(options.source);
      const files = locateFiles(EMBEDDED_ROOT);
      if (options.reset && !(await forget(files, options))) return;
      const signal = interruption();
      const setUp = existsSync(PROJECT_FILE) ? setUpProject : setUpExample;
      const { work, next, ...setup } = await setUp(files, sources, options);
      const temporalCli = await provideTool('temporal-cli');
      const stack = await startStack({ root: EMBEDDED_ROOT, temporalCli, ui: options.ui === true, ...setup });
      await serve(stack, signal, { ...options, work, next });
    });

/** What a stack begins with, the work that it is started for, and what people can do on it. */
type SetUp = Pick<Parameters<typeof startStack>[0], 'deployments' | 'trust'> & {
  work?: (() => Promise<void>) | null;
  next?: string;
};

async function setUpExample(files: EmbeddedFiles, sources: Sources, options: Options): Promise<SetUp> {
  const example = options.example ? await prepareExample(options.example, files) : null;
  const own = () => clientOf(files);
  const all = { ...(example && { [example.store]: example.source }), ...sources };
  return {
    deployments: await withKept(files, folderDeployments(files, all)),
    trust: { approvers: [], required: 1, populations: example?.populations ?? {} },
    work: example && (() => withClient((client) => tour(client, example, options), own)),
  };
}

/** The stack of a project folder, with its sources and its keys. */
async function setUpProject(files: EmbeddedFiles, sources: Sources, { example }: Options): Promise<SetUp> {
  if (example) throw wrongUse(`This folder has a ${PROJECT_FILE}; start an example in a folder without one.`);
  const deployments = projectDeployments(files, await readProject(PROJECT_FILE), sources);
  const next =
    'In another terminal:\n  opaline check series.yaml\n  opaline preview series.yaml --window YYYY-MM-DD    (custodians)\n  opaline run series.yaml --window YYYY-MM-DD    (the first day of a window that is over)\n';
  return { deployments, next };
}

/** Deletes the demo of this folder; false when somebody says no. Throws USAGE for what is no demo, or is running. */
async function forget(files: EmbeddedFiles, options: ConfirmOptions): Promise<boolean> {
  if (existsSync(PROJECT_FILE))
    throw wrongUse(`This folder has a ${PROJECT_FILE}: its releases are no demo, and are kept.`);
  if (!existsSync(files.root)) return true;
  const pid = await findStack(files.lock);
  if (pid !== null) throw wrongUse(`The stack of this folder is running (process ${pid}); stop it first.`);
  if (!(await confirm(`Everything below ${files.root}/ would be deleted.`, options))) return false;
  await rm(files.root, { recursive: true });
  return true;
}

/** Says that the stack is up, does its work, waits for Ctrl-C unless it is to end by itself, and stops the stack. */
async function serve(
  stack: Stack,
  signal: Interruption,
  { work, next, once, ui }: Pick<SetUp, 'work' | 'next'> & Options,
): Promise<void> {
  let server: Awaited<ReturnType<typeof serveConsole>> | null = null;
  try {
    say(`Opaline is up: Temporal at ${stack.address}, everything it keeps is in ${EMBEDDED_ROOT}/.\n`);
    if (ui) say(`Temporal's own pages are at ${pagesOf(stack.address)}\n`);
    if (next !== undefined) say(next);
    server = once ? null : await serveConsole(await clientOf(stack.files));
    if (work) await signal.during(work());
    if (once) return;
    say('\nCtrl-C stops the stack; the next start goes on where it was.\n');
    await signal.wait();
  } finally {
    say('Stopping…\n');
    await server?.close();
    await stack.stop();
    if (signal.happened()) process.exitCode = EXIT.interrupted;
  }
}

const clientOf = (files: EmbeddedFiles) => readDeployment(files.deployment('client'), clientDeploymentSchema);

/** Reads `NAME=PLACE`. Throws USAGE. */
function readSources(texts: readonly string[] = []): Sources {
  const stores = texts.map((text) => {
    const [, name = '', place = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
    if (!seriesName.safeParse(name).success || place === '')
      throw wrongUse('--source takes a name and a place: trips=../data or trips=s3://bucket/prefix.');
    return [name, storeAt(place.startsWith('s3://') ? place : resolve(place))] as const;
  });
  return Object.fromEntries(stores);
}
