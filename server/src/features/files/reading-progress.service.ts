import type { Deps } from '../../platform/deps.ts';
import { notifyFiles } from './files.service.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import { stillOurs } from './reading-state.service.ts';
import { heldUntil } from './reading-turn.service.ts';

/** How often a page learns how far a reader is. */
const PROGRESS_MS = 1_000;

/** Stores how far a reader is, for open pages and as a sign of life. The file counts, not its progress: errors are only logged. */
export function tellProgress(ctx: Deps, file: AgentFileRow) {
  let [last, storing] = [0, Promise.resolve()];
  const store = (progress: string) =>
    ctx.db.transaction(async (tx) => {
      await tx.update(agentFiles).set({ progress, readingUntil: heldUntil }).where(stillOurs(file));
      await notifyFiles(ctx, tx, file);
    });
  return {
    tell(progress: string) {
      if (Date.now() - last < PROGRESS_MS) return;
      last = Date.now();
      storing = storing.then(() => store(progress)).catch((error: unknown) => ctx.log.error('files.progress', error));
    },
    stored: () => storing,
  };
}
