// `npm start`: sets up what is missing, with any Node from 20 on, and starts Opaline with its own Node.
import { provideNodeModules } from './provision/node-modules.mjs';
import { runWithOwnNode } from './run-with-own-node.mjs';

await runWithOwnNode(async () => {
  await provideNodeModules();
  return ['cli/main.ts', 'up', '--example', 'demo', ...process.argv.slice(2)];
});
