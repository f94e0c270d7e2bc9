import { writeFile } from 'node:fs/promises';
import { commandReference } from './reference.ts';

/** `node cli/write-reference.ts` writes docs/cli.md again. */
await writeFile(new URL('../docs/cli.md', import.meta.url), await commandReference());
