// `npm test`: sets up what is missing, with any Node from 20 on, and runs the checks and the tests with its own Node.
import { provideNodeModules } from './provision/node-modules.mjs';
import { provideTool } from './provision/tools.mjs';
import { runWithOwnNode } from './run-with-own-node.mjs';

/** The programs of its own that no test can do without; the server after the command line, built of the same modules. */
const TOOLS = [
  'temporal-cli',
  'temporal-server 1.29.1',
  'postgres',
  'versitygw 1.8.0',
  'versitygw 1.7.0',
  'chromium',
  'prometheus',
  'r',
];

await runWithOwnNode(async () => {
  await provideNodeModules();
  for (const tool of TOOLS) await provideTool(tool);
  return ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)];
});
