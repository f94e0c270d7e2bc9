import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { EXIT, OpalineError } from '../../contracts/errors.ts';
import { PROJECT_FILE } from '../../contracts/project.ts';
import { seriesName } from '../../contracts/series.ts';
import { storeAt } from '../../contracts/source-address.ts';
import type { StoreConfiguration } from '../../contracts/store-configuration.ts';
import { EXAMPLES, type ExampleName, prepareExample } from '../../examples/prepare.ts';
import { provideTemporalCli } from '../../infra/provision/tools.mjs';
import { embeddedFiles, folderDeployments, withKept } from '../../stack/embedded-files.ts';
import { projectStack, readProject } from '../../stack/project.ts';
import { type Stack, startStack } from '../../stack/stack.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { withClient } from '../client.ts';
import { define } from '../command.ts';
import { EMBEDDED_ROOT } from '../deployment.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { type OutputOptions, say } from '../terminal.ts';
import { tour } from '../tour.ts';

type Options = OutputOptions & { example?: ExampleName; once?: boolean; source?: string[]; ui?: boolean };

export function upCommand(): Command {
  const command = new Command('up')
    .description('start the embedded stack: Temporal, a folder store and both workers; Ctrl-C stops it')
    .addOption(new Option('--example <name>', 'release an example on it').choices(Object.keys(EXAMPLES)))
    .option('--source <name=place...>', 'a source store beside those of the deployment file: a folder, or s3://…')
    .option('--once', 'stop after the first example window is published')
    .option('--ui', "serve Temporal's own pages too; whoever reaches them can start and end releases");
  return define(command, 'opaline up --example demo', async (_, options: Options) => {
    const interrupted = interruption();
    const sources = readSources(options.source);
    if (existsSync(PROJECT_FILE)) return upProject(sources, options, interrupted);
    const files = embeddedFiles(EMBEDDED_ROOT);
    const example = options.example ? await prepareExample(options.example, files) : null;
    const all = { ...(example && { [example.store]: example.source }), ...sources };
    const stack = await startStack({
      root: EMBEDDED_ROOT,
      temporalCli: await provideTemporalCli(),
      ui: options.ui === true,
      deployments: await withKept(files, folderDeployments(files, all)),
      trust: { approvers: [], required: 1, populations: example?.populations ?? {} },
    });
    const own = () => readDeployment(files.deployment('client'), clientDeploymentSchema);
    const work = example && (() => withClient((client) => tour(client, example, options), own));
    await serve(stack, interrupted, { work, once: options.once === true, next: null });
  });
}

/** The stack of a project folder, with its sources and its keys. */
async function upProject(
  sources: Record<string, StoreConfiguration>,
  options: Options,
  interrupted: Interruption,
): Promise<void> {
  if (options.example)
    throw new OpalineError('USAGE', `This folder has a ${PROJECT_FILE}; start an example in a folder without one.`);
  const files = embeddedFiles(EMBEDDED_ROOT);
  const { deployments, beliefs } = projectStack(files, await readProject(PROJECT_FILE), sources);
  const temporalCli = await provideTemporalCli();
  const stack = await startStack({
    root: EMBEDDED_ROOT,
    temporalCli,
    ui: options.ui === true,
    deployments,
    trust: beliefs,
  });
  const next =
    'In another terminal:\n  opaline check series.yaml\n  opaline preview series.yaml --window YYYY-MM-DD    (custodians)\n  opaline run series.yaml --window YYYY-MM-DD    (the first day of a window that is over)\n';
  await serve(stack, interrupted, { work: null, once: false, next });
}

/** Says that the stack is up, does its work, waits for Ctrl-C unless it is to end by itself, and stops the stack. */
async function serve(
  stack: Stack,
  interrupted: Interruption,
  { work, once, next }: { work: (() => Promise<void>) | null; once: boolean; next: string | null },
): Promise<void> {
  try {
    say(`Opaline is up: Temporal at ${stack.address}, everything it keeps is in ${EMBEDDED_ROOT}/.\n`);
    if (next !== null) say(next);
    if (work) await interrupted.during(work());
    if (once) return;
    say('\nCtrl-C stops the stack; the next start goes on where it was.\n');
    await interrupted.wait();
  } finally {
    say('Stopping…\n');
    await stack.stop();
    if (interrupted.happened()) process.exitCode = EXIT.interrupted;
  }
}

/** Reads `NAME=PLACE`. Throws USAGE. */
function readSources(texts: readonly string[] = []): Record<string, StoreConfiguration> {
  const stores = texts.map((text) => {
    const [, name = '', place = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
    if (!seriesName.safeParse(name).success || place === '')
      throw new OpalineError('USAGE', '--source takes a name and a place: trips=../data or trips=s3://bucket/prefix.');
    return [name, storeAt(place.startsWith('s3://') ? place : resolve(place))] as const;
  });
  return Object.fromEntries(stores);
}
