import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMPILED } from './infra/provision/compile-cache.mjs';
import { TAGS } from './vitest.config.ts';

process.env.NODE_COMPILE_CACHE ??= COMPILED; // as in vitest.config.ts
process.env.OPALINE_TEST_TMPDIR ??= tmpdir(); // its files are too large for the memory that quick tests take

/** Files some of whose tests are of the soak alone. They are run whole: a test may go on from the one before it. */
const PARTLY = globSync('**/*.test.ts', { exclude: ['node_modules'] }).filter((file) =>
  readFileSync(file, 'utf8').includes("'soak'"),
);

export default defineConfig({
  test: {
    include: ['**/*.soak.test.ts', ...PARTLY],
    exclude: ['**/node_modules/**'],
    tags: TAGS,
    // Writes docs/reliability.md at the end, from what the fault tests of the run saw.
    globalSetup: ['test/support/reliability-record.ts'],
    setupFiles: ['test/support/temporary-folder.ts'],
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 240_000,
  },
});
