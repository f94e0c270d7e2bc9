// `prepack`: makes the compiled package with the Node of the project; `npm run verifier` the folder of opaline-verify.
import { runWithOwnNode } from './run-with-own-node.mjs';

await runWithOwnNode(async () => [`cli/write-${process.argv[2]}.ts`]);
