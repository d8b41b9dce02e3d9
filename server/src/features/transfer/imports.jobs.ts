import type { Deps } from '../../platform/deps.ts';
import { forgetArchive } from './change-import.service.ts';
import { IMPORT_QUEUE, type ImportKey } from './imports.service.ts';
import { DISCARD_QUEUE } from './receive-archive.service.ts';
import { runImport } from './run-import.service.ts';

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerImportJobs(deps: Deps): void {
  deps.jobs.handle<ImportKey>(IMPORT_QUEUE, (key) => runImport(deps, key), { retryLimit: 20, atOnce: 2 });
  deps.jobs.handle<ImportKey>(DISCARD_QUEUE, (key) => forgetArchive(deps, key), { retryLimit: 10 });
}
