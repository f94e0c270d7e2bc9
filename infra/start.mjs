// `npm start`: sets up what is missing, with any Node from 20 on, and starts Opaline with its own Node.
import { COMPILED } from './provision/compile-cache.mjs';
import { provideNodeModules } from './provision/node-modules.mjs';
import { runWithOwnNode } from './run-with-own-node.mjs';

// Four processes read the same few thousand modules: what Node has compiled once is kept, which saves each of them
// about a third of its start.
await runWithOwnNode(
  async () => {
    await provideNodeModules();
    return ['cli/main.ts', 'up', '--example', 'demo', ...process.argv.slice(2)];
  },
  { NODE_COMPILE_CACHE: COMPILED },
);
