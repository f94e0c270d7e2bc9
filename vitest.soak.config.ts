import { defineConfig } from 'vitest/config';
import { COMPILED } from './infra/provision/compiled.mjs';

process.env.NODE_COMPILE_CACHE ??= COMPILED; // as in vitest.config.ts

export default defineConfig({
  test: {
    include: ['**/*.soak.test.ts'],
    exclude: ['**/node_modules/**'],
    // Writes docs/reliability.md at the end, from what the fault tests of the run saw.
    globalSetup: ['test/support/reliability-record.ts'],
    setupFiles: ['test/support/temporary-folder.ts'],
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 240_000,
  },
});
