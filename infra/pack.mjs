// `npm run packages`: makes the packages opaline and opaline-verify, and packs both, with the Node of the project.
import { runWithOwnNode } from './run-with-own-node.mjs';

await runWithOwnNode(async () => ['cli/write-packages.ts']);
