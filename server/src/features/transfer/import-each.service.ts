import { mayUseTools } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { planOf } from '../accounts/usage.service.ts';
import type { Archive } from './archive/archive.ts';
import type { Progress } from './import-progress.service.ts';

/** What becomes of one file of the archive. */
export type Become = 'imported' | 'present' | 'left';

interface Part {
  kind: 'files' | 'attachments';
  /** What a free account is told, for which all of them are left out. */
  needsPro: string;
  importOne: (row: unknown, notes: string[]) => Promise<Become>;
}

/** Imports the rest of a part whose rows stand for files, each in a step of its own; false without Pro. */
export async function importEach(ctx: Deps, uid: string, archive: Archive, progress: Progress, part: Part) {
  const { kind, needsPro, importOne } = part;
  let skip = progress.row.rowsDone;
  const isPro = mayUseTools(await planOf(ctx.db, uid));
  for await (const rows of archive.rows(kind)) {
    for (const row of rows) {
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      const notes: string[] = isPro ? [] : [needsPro];
      const became = isPro ? await importOne(row, notes) : 'left';
      const outcome = { imported: 0, present: 0, left: 0, [became]: 1 };
      await progress.step(kind, 1, async () => outcome, notes);
    }
  }
  return isPro;
}
