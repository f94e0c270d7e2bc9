import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// The temporary folder of a test file and of its processes is its own, and is removed after all that it does at its end.
const { TMPDIR } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'opaline-test-'));
process.env.TMPDIR = folder;
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
