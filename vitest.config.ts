import { defineConfig } from 'vitest/config';
import { COMPILED } from './infra/provision/compiled.mjs';

// Workers and commands of the tests read the same few thousand modules some hundred times, as those of `npm start` do.
process.env.NODE_COMPILE_CACHE ??= COMPILED;

/** Rooms of functions without input and output; every other test has a process of its own. */
const PURE = '{contracts,core,counts,foreign-audit,kinds/*/{mechanism,bounding},services/metadata}';
const NEVER = ['**/node_modules/**', '**/*.soak.test.ts'];

export const TAGS = [{ name: 'soak', description: 'takes long, and holds what a shorter test holds too' }];

export default defineConfig({
  test: {
    exclude: NEVER,
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
      {
        extends: true,
        // Pure code (test/tidy/imports.test.ts holds it to that) keeps nothing that a later file could meet.
        test: { name: 'pure', include: [`${PURE}/**/*.test.ts`], isolate: false },
      },
      {
        extends: true,
        test: { name: 'alone', exclude: [...NEVER, `${PURE}/**`] },
      },
    ],
  },
});
