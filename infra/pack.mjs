// `prepack`: makes the compiled package with the Node of the project.
import { runWithOwnNode } from './run-with-own-node.mjs';

await runWithOwnNode(async () => ['cli/write-package.ts']);
