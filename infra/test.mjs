// `npm test`: sets up what is missing, with any Node from 20 on, and runs the checks and the tests with its own Node.
import { provideNodeModules } from './provision/node-modules.mjs';
import {
  provideChromium,
  providePostgres,
  providePrometheus,
  provideRscript,
  provideTemporalCli,
  provideTemporalServer,
  provideVersitygw,
} from './provision/tools.mjs';
import { runWithOwnNode } from './run-with-own-node.mjs';

await runWithOwnNode(async () => {
  await provideNodeModules();
  await provideTemporalCli();
  // After the command line, which is built of the same modules: together they take little more than either.
  await provideTemporalServer();
  await providePostgres();
  await provideVersitygw('1.8.0');
  await provideVersitygw('1.7.0');
  await provideChromium();
  await providePrometheus();
  await provideRscript();
  return ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)];
});
