import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{contracts,core,workflows,activities,kinds,temporal,worker,client,cli,infra,test,bench,examples}/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/*.soak.test.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    // Two cores: more workers only take turns. A busy machine takes several times as long as a quiet one.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});
