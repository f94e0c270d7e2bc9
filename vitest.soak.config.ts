import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.soak.test.ts'],
    exclude: ['**/node_modules/**'],
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
});
