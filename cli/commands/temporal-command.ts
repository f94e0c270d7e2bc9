import type { Command } from 'commander';
import { serveCodec } from '../../client/codec-endpoint.ts';
import { LEAST_RETENTION_DAYS, setUpTemporal } from '../../client/set-up-temporal.ts';
import { EXIT, wrongUse } from '../../contracts/errors.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { encryptedPayloads } from '../../services/temporal/payload-codec.ts';
import { inOurWords } from '../client.ts';
import { clientDeployment } from '../client-deployment.ts';
import { command, group } from '../command.ts';
import { interruption } from '../interruption.ts';

export const temporalCommand = (): Command =>
  group('temporal', 'what a Temporal server needs before Opaline runs there', [
    command('setup', `make the namespace and its search attributes, with ${LEAST_RETENTION_DAYS} days of retention`)
      .option('--check', 'change nothing: only say what is missing, and then end with 3')
      .example('opaline temporal setup')
      .run(async (_, { check = false }) => {
        const { temporal } = await clientDeployment();
        const settings = await setUpTemporal(temporal, { checkOnly: check }).catch((error: unknown) => {
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
      }),
    command('codec', 'open encrypted payloads for the pages and the command of Temporal, on this computer alone')
      .usual('--port <port>', 'port of 127.0.0.1', '8888')
      .option('--origin <origin>', 'address of the pages that may ask, such as https://temporal.internal')
      .example('opaline temporal codec --origin http://localhost:8233')
      .run(async (_, { port, origin = null }) => {
        const { temporal } = await clientDeployment();
        if (!temporal.codec)
          throw wrongUse('The deployment of the client has no `temporal.codec`: nothing is encrypted.');
        if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw wrongUse(`${port} is no port.`);
        const server = await serveCodec(await encryptedPayloads(temporal.codec), { port: Number(port), origin });
        console.log(`Payloads are opened at http://127.0.0.1:${port}/decode. Ctrl-C ends it.`);
        await interruption().wait();
        server.close();
        server.closeAllConnections();
      }),
  ]);
