import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// The temporary folder of a test file and of its processes is its own, beside that of every other file of this process,
// and is removed after all that it does at its end.
process.env.OPALINE_TEST_TMPDIR ??= tmpdir();
const folder = mkdtempSync(join(process.env.OPALINE_TEST_TMPDIR, 'opaline-test-'));
process.env.TMPDIR = folder;
afterAll(() => {
  process.env.TMPDIR = process.env.OPALINE_TEST_TMPDIR;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
