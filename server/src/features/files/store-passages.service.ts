import { setImmediate } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import type { Extracted } from '../../platform/extraction/extract.ts';
import { raiseMemoryVersion } from '../memory/passages.service.ts';
import { type AgentFileRow, agentFiles, filePassages } from './files.table.ts';
import { stillOurs } from './reading-state.service.ts';
import { heldUntil } from './reading-turn.service.ts';

/** How many passages one statement stores: everyone waits for it on the embedded database. */
const PORTION = 50;

/** In portions with pauses, because others wait meanwhile; stops when another reader has the file. */
export async function keepPassages(
  ctx: Deps,
  file: AgentFileRow,
  passages: Extracted['passages'],
  tell: (progress: string) => void,
): Promise<void> {
  for (let at = 0; at < passages.length; at += PORTION) {
    if (at > 0) tell(`${Math.floor((at / passages.length) * 100)} %`);
    if (!(await keepPortion(ctx, file, passages.slice(at, at + PORTION), at))) return;
    // The embedded database never yields the thread by itself.
    await setImmediate();
  }
}

/** False when another reader has taken the file, or it was deleted. */
async function keepPortion(ctx: Deps, file: AgentFileRow, portion: Extracted['passages'], at: number) {
  const { userId, id: fileId, agentId } = file;
  return ctx.db.transaction(async (tx) => {
    const held = await tx
      .update(agentFiles)
      .set({ readingUntil: heldUntil })
      .where(stillOurs(file))
      .returning({ id: agentFiles.id });
    if (held.length === 0) return false;
    // An earlier attempt may have stored a part.
    if (at === 0) {
      await tx.delete(filePassages).where(and(eq(filePassages.userId, userId), eq(filePassages.fileId, fileId)));
    }
    const version = await raiseMemoryVersion(tx, { userId, agentId });
    const own = { userId, fileId, agentId, version };
    const rows = portion.map(({ place, text }, i) => ({ ...own, id: uuidv7(), place, text, position: at + i }));
    await tx.insert(filePassages).values(rows);
    return true;
  });
}
