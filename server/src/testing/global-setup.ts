import { rm } from 'node:fs/promises';
import { prepareDatabase } from './database.ts';

/** Vitest's global setup: one migrated database for all workers to start from. */
export default async function setup() {
  await prepareDatabase();
  return async () => {
    if (process.env.ATELIER_TEST_DUMP) await rm(process.env.ATELIER_TEST_DUMP, { force: true });
  };
}
