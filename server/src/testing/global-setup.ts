import { rm } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import './quick-imports.ts';

/** Vitest's global setup: one migrated database, and compiled code of earlier runs, for all workers and what they start. */
export default async function setup() {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../../node_modules/.cache/compile');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // Only now: what is imported above is loaded before.
  const { prepareDatabase } = await import('./database.ts');
  const { testApp } = await import('./harness.ts');
  await prepareDatabase(async (database) => (await testApp({ database })).close());
  return async () => {
    if (process.env.ATELIER_TEST_DUMP) await rm(process.env.ATELIER_TEST_DUMP, { force: true });
  };
}
