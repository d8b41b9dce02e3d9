import type { Deps } from '../../platform/deps.ts';
import { ERASE_FILES_QUEUE, eraseFiles } from './delete-account.service.ts';

/** Declares the durable deletion of files; call once, before the jobs start. */
export function registerOwnDataJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string }>(ERASE_FILES_QUEUE, ({ userId }) => eraseFiles(deps, userId), { retryLimit: 20 });
}
