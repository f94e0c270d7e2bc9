import type { Command } from 'commander';
import { LEAST_RETENTION_DAYS, setUpTemporal } from '../../client/set-up-temporal.ts';
import { EXIT } from '../../contracts/errors.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { inOurWords } from '../client.ts';
import { clientDeployment } from '../client-deployment.ts';
import { command, group } from '../command.ts';

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
          : 'No build is current yet: the first public worker that polls makes its own so.';
        const text = lines(
          done.map((one) => `Done: ${one}.`),
          missing,
          missing.length === 0 && `The namespace ${namespace} has what Opaline needs. ${build}`,
        );
        return { value: settings, text, exit: missing.length === 0 ? EXIT.done : EXIT.waiting };
      }),
  ]);
