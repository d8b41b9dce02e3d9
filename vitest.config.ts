import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findPostgres } from './scripts/postgres.ts';
import { isNightly } from './server/src/testing/effort.ts';
import { iconComponents } from './web/icon-components.ts';

/** Those without the server and the pages. */
const others = '{contract,bench,scripts}/**/*.test.ts';
const server = 'server/src/**/*.test.ts';
/** These start their own PostgreSQL and break it; once, in the run that has PostgreSQL. */
const outages = 'server/src/**/*.outage.test.ts';
/** What is about the database itself: locks, notices, jobs, SQL functions, search. On both. */
const aboutDatabase = 'server/src/**/*.database.test.ts';
/** Never on PostgreSQL: tests of the embedded database, and those without one. */
const neverOnPostgres = [
  'server/src/platform/database/{embedded,pglite*,durable-node-fs,power-cut,maintenance,open-database,upgrades}.test.ts',
  'server/src/platform/database/{folder,flush}/*.test.ts',
  'server/src/platform/backup/*.test.ts',
  'server/src/{main,main.log,backup,backup.kills}.test.ts',
  'server/src/features/budgets/killed.test.ts',
  'server/src/features/removal/apply-deletions.test.ts',
  'server/src/features/runs/runs.lookups.test.ts',
  'server/src/platform/{extraction,fetch,http,language,mail,mcp,models,payments,sandbox,storage,zip}/**/*.test.ts',
  'server/src/platform/*.test.ts',
  'server/src/features/memory/index/*.test.ts',
  // Of reading; what is done with the passages is the same for every file, and tested on both.
  'server/src/features/files/files.{hard,kinds}.test.ts',
];

/** These go from one database to the other. */
const ofBoth = [
  'server/src/{,platform/backup/}backup{,.kills}.test.ts',
  'server/src/platform/backup/upgrade-and-move.test.ts',
];

/** By day each file runs once, on PostgreSQL, which takes half as long; at night, and without PostgreSQL, on the embedded database too. */
function filesOfRun() {
  if (process.env.TEST_DATABASE_URL !== undefined) return { include: [server], exclude: neverOnPostgres };
  if (process.env.TEST_BESIDE_POSTGRES !== undefined && !isNightly) {
    return { include: [others, aboutDatabase, ...neverOnPostgres], exclude: [] };
  }
  return { include: [others, server], exclude: [outages, ...(findPostgres() === undefined ? ofBoth : [])] };
}

/** Files of ten seconds or more, computing or waiting. They begin first: one that begins last is waited for by itself. */
const SLOW = [
  'data-exfiltration',
  '/mcp',
  '/files',
  '/backup',
  'backup.kills',
  'bad-input',
  'power-cut',
  'app.canary',
  'app.access',
  'app.hostile-input',
  'app.honest-tasks',
  'app.logs',
  'accounts.lockout',
  'activity',
  'activity.ways',
  'add-attachment',
  'apply-deletions',
  'behaviours',
  'odd-streams',
  'create-models',
  'daily-backup',
  'files.crash',
  'files.hard',
  'files.kinds',
  'javascript',
  'jobs.dead-process.database',
  'main',
  'maintenance',
  'release',
  'runs.clock',
  'runs.generated',
  'runs.recovery.database',
  'runs.results',
  'slow-requests',
  'upgrade-and-move',
  'upgrades',
].map((name) => `${name}.test.ts`);

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

const { include, exclude } = filesOfRun();
const isOnPostgres = process.env.TEST_DATABASE_URL !== undefined;

const web = {
  extends: true as const,
  plugins: [iconComponents],
  test: { name: 'web', include: isOnPostgres ? [] : ['web/app/**/*.test.{ts,tsx}'] },
};
const node = {
  extends: true as const,
  test: {
    name: 'node',
    include,
    exclude: ['**/node_modules/**', 'e2e/**', ...exclude],
    globalSetup: ['server/src/testing/global-setup.ts'],
    setupFiles: ['server/src/testing/shared-globals.ts'],
    // Optimizing the embedded database takes longer than its tests win by it.
    execArgv: isOnPostgres ? [] : ['--liftoff-only'],
    // Node itself loads what it runs outside tests too, and keeps it compiled: a fifth less processor time than Vite takes.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
};

export default defineConfig({
  test: {
    projects: [web, node],
    pool: 'forks',
    sequence: { sequencer: SlowFirst },
    // Tests wait for queues and time-outs more than they compute, on PostgreSQL most of all.
    maxWorkers: isOnPostgres ? 4 : 3,
    // Files share their worker's modules: none of ours keeps state that another file could see, and loading is half the time.
    isolate: false,
    // These end what hangs. They say nothing about speed: a busy machine may take ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
