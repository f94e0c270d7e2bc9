import { writeFile } from 'node:fs/promises';
import { commandList, commandReference } from './reference.ts';

/** `npm run cli-reference` writes docs/cli.md, and the list of commands that `--help` shows, again. */
await writeFile(new URL('../docs/cli.md', import.meta.url), await commandReference());
await writeFile(new URL('command-list.ts', import.meta.url), await commandList());
