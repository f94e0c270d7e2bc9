import type { Command } from 'commander';
import { LEAST_RETENTION_DAYS, setUpTemporal } from '../../client/set-up-temporal.ts';
import { EXIT, wrongUse } from '../../contracts/errors.ts';
import { lines } from '../../core/text/paragraphs.ts';
import type { CommandResult } from '../../kinds/kind-command.ts';
import { readCodec } from '../../services/temporal/payload-codec.ts';
import { inOurWords } from '../client.ts';
import { clientDeployment } from '../client-deployment.ts';
import { command } from '../command.ts';
import { interruption } from '../interruption.ts';

export const temporalCommand = (): Command =>
  command('temporal', 'what a Temporal server needs before Opaline runs there, and to read what is encrypted there')
    .argument(
      '<action>',
      `setup makes the namespace and its search attributes, with ${LEAST_RETENTION_DAYS} days of retention; codec opens encrypted payloads for the pages and the command of Temporal, on this computer alone`,
      ['setup', 'codec'] as const,
    )
    .option('--check', 'setup: change nothing, only say what is missing, and then end with 3')
    .usual('--port <port>', 'codec: port of 127.0.0.1', '8888')
    .option('--origin <origin>', 'codec: address of the pages that may ask, such as https://temporal.internal')
    .example('opaline temporal setup')
    .run(async ({ action }, { check = false, port, origin = null }) =>
      action === 'setup' ? setUp(check) : openPayloads(port, origin),
    );

async function setUp(checkOnly: boolean): Promise<CommandResult> {
  const { temporal } = await clientDeployment();
  const settings = await setUpTemporal(temporal, { checkOnly }).catch((error: unknown) => {
    throw inOurWords(error);
  });
  const { namespace, done, missing, currentBuild } = settings;
  const build = currentBuild
    ? `Build ${currentBuild} takes new and open releases.`
    : 'No build is current yet: the first worker of each side that polls makes its own so, unless another was promoted before.';
  const text = lines(
    done.map((one) => `Done: ${one}.`),
    missing,
    missing.length === 0 && `The namespace ${namespace} has what Opaline needs. ${build}`,
  );
  return { value: settings, text, exit: missing.length === 0 ? EXIT.done : EXIT.waiting };
}

async function openPayloads(port: string, origin: string | null): Promise<undefined> {
  const { temporal } = await clientDeployment();
  if (!temporal.codec) throw wrongUse('The deployment of the client has no `temporal.codec`: nothing is encrypted.');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw wrongUse(`${port} is no port.`);
  const { serveCodec } = await import('../../console/codec-endpoint.ts');
  const { close } = await serveCodec(await readCodec(temporal.codec), { port: Number(port), origin });
  console.log(`Payloads are opened at http://127.0.0.1:${port}/decode. Ctrl-C ends it.`);
  await interruption().wait();
  await close();
}
