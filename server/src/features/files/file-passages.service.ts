import { setImmediate } from 'node:timers/promises';
import { and, eq, lt } from 'drizzle-orm';
import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { findPassages } from './files.queries.ts';
import { type AgentFileRow, filePassages } from './files.table.ts';

/** How many passages one statement reads or removes: everyone waits for it on the embedded database. */
const PORTION = 200;

/** The text of a file as the agent sees it, in order. */
export async function readPassages(ctx: Deps, file: Authorized<AgentFileRow>) {
  const passages: Awaited<ReturnType<typeof findPassages>> = [];
  for (;;) {
    const from = passages.length;
    passages.push(...(await findPassages(ctx.db, file, from, from + PORTION)));
    if (passages.length < from + PORTION) return passages;
    // The embedded database never yields the thread by itself.
    await setImmediate();
  }
}

/** Deletes the text of a file, a portion at a time. */
export async function removePassages(ctx: Deps, { userId, id }: { userId: string; id: string }): Promise<void> {
  for (let from = 0; ; from += PORTION) {
    const own = and(eq(filePassages.userId, userId), eq(filePassages.fileId, id));
    const gone = await ctx.db
      .delete(filePassages)
      .where(and(own, lt(filePassages.position, from + PORTION)))
      .returning({ id: filePassages.id });
    if (gone.length < PORTION) return;
    await setImmediate();
  }
}
