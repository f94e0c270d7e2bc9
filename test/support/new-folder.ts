import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder. In a test nobody has to remove it: the temporary folder of a test file goes with the file. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'opaline-'));
