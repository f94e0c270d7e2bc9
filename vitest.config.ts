import { defineConfig } from 'vitest/config';
import { COMPILED } from './infra/provision/compile-cache.mjs';

// Workers and commands of the tests read the same few thousand modules some hundred times, as those of `npm start` do.
process.env.NODE_COMPILE_CACHE ??= COMPILED;

/** Files that spy on a module: one that another file has loaded before in the process would be the real one. */
const SPIES = ['kinds/taps/private/object-scan.test.ts', 'kinds/taps/private/object-scans.test.ts'];
const NEVER = ['**/node_modules/**', '**/*.soak.test.ts'];

export const TAGS = [{ name: 'soak', description: 'takes long, and holds what a shorter test holds too' }];

export default defineConfig({
  test: {
    setupFiles: ['test/support/property-seed.ts', 'test/support/temporary-folder.ts'],
    // Two cores: with three workers one of them is mostly waiting for a stack. A busy machine takes far longer.
    maxWorkers: 3,
    // What a test prints is for whoever has to mend it.
    silent: 'passed-only',
    tags: TAGS,
    ...{ tagsFilter: ['not soak'] }, // vitest reads it here too, and its types have it for the command line alone
    testTimeout: 180_000,
    hookTimeout: 240_000,
    projects: [
      // A file that follows another in a process meets its modules: what one leaves behind there would fail the next.
      { extends: true, test: { name: 'together', exclude: [...NEVER, ...SPIES], isolate: false } },
      { extends: true, test: { name: 'alone', include: SPIES } },
    ],
  },
});
