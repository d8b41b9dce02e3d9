import { defineConfig } from 'vitest/config';

// Tests of the embedded database only.
const embeddedOnly = [
  'server/src/platform/database/{embedded,pglite*,durable-node-fs,data-folder,maintenance}.test.ts',
  'server/src/{main,bundle}.test.ts',
];
// Tests without a database: once is enough.
const withoutDatabase = [
  'server/src/platform/{extraction,fetch,http,language,mail,mcp,models,payments,sandbox,storage}/**/*.test.ts',
  'server/src/platform/*.test.ts',
  'server/src/features/memory/index/*.test.ts',
];
// These start their own PostgreSQL and break it; once, in the run that has PostgreSQL.
const postgresOnly = ['server/src/**/*.outage.test.ts'];

export default defineConfig({
  test: {
    include: ['{contract,server,bench,scripts}/**/*.test.ts', 'web/app/**/*.test.{ts,tsx}'],
    exclude: [
      '**/node_modules/**',
      'e2e/**',
      '**/lint-fixtures/**',
      ...(process.env.TEST_DATABASE_URL === undefined ? postgresOnly : [...embeddedOnly, ...withoutDatabase]),
    ],
    globalSetup: ['server/src/testing/global-setup.ts'],
    pool: 'forks',
    // Tests wait for queues more than they compute.
    maxWorkers: 3,
    // Files share their worker's modules: none of ours keeps state that another file could see, and loading is half the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
