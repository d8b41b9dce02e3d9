import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,bench,scripts}/**/*.test.ts', 'web/app/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'e2e/**', '**/lint-fixtures/**'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
