import { Command, Option } from 'commander';
import { OpalineClient } from '../../client/opaline-client.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { EXIT } from '../../contracts/errors.ts';
import { EXAMPLES, type ExampleName, prepareExample } from '../../examples/prepare.ts';
import { provideTemporalCli } from '../../infra/provision/temporal-cli.mjs';
import { readDeployment } from '../../worker/deployment-file.ts';
import { embeddedFiles, folderDeployments } from '../../worker/embedded/embedded-files.ts';
import { startStack } from '../../worker/embedded/stack.ts';
import { define } from '../command.ts';
import { EMBEDDED_ROOT } from '../deployment.ts';
import { interruption } from '../interruption.ts';
import type { OutputOptions } from '../terminal.ts';
import { tour } from '../tour.ts';

type Options = OutputOptions & { example?: ExampleName; once?: boolean };

export function upCommand(): Command {
  const command = new Command('up')
    .description('start the embedded stack: Temporal, a folder store and both workers; Ctrl-C stops it')
    .addOption(new Option('--example <name>', 'release an example on it').choices(Object.keys(EXAMPLES)))
    .option('--once', 'stop after the first example window is published');
  define(command, 'opaline up --example demo', async (_, options: Options) => {
    const interrupted = interruption();
    const files = embeddedFiles(EMBEDDED_ROOT);
    const example = options.example ? await prepareExample(options.example, files) : null;
    const sources = example ? { [example.store]: example.source } : {};
    const deployments = folderDeployments(files, sources);
    const trust = { approvers: [], required: 1, populations: example?.populations ?? {} };
    const stack = await startStack({
      root: EMBEDDED_ROOT,
      temporalCli: await provideTemporalCli(),
      ui: true,
      deployments,
      trust,
    });
    try {
      process.stderr.write(
        `Opaline is up: Temporal at ${stack.address}, everything it keeps is in ${EMBEDDED_ROOT}/.\n`,
      );
      if (stack.taken.length > 0)
        process.stderr.write(
          `The ledgers of ${stack.taken.join(', ')} are of an earlier build; the demo key of this computer has ordered that they go on.\n`,
        );
      if (example) await interrupted.during(withStack(files, (client) => tour(client, example, options)));
      if (options.once) return;
      process.stderr.write('\nCtrl-C stops the stack; the next start goes on where it was.\n');
      await interrupted.wait();
    } finally {
      process.stderr.write('Stopping…\n');
      await stack.stop();
      if (interrupted.happened()) process.exitCode = EXIT.interrupted;
    }
  });
  return command;
}

async function withStack(
  files: ReturnType<typeof embeddedFiles>,
  use: (client: OpalineClient) => Promise<void>,
): Promise<void> {
  const client = await OpalineClient.open(await readDeployment(files.deployment('client'), clientDeploymentSchema));
  try {
    await use(client);
  } finally {
    await client.close();
  }
}
