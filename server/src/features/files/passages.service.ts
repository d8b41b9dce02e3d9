import { setImmediate } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Authorized } from '../../access.ts';
import { deleteInPortions } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import type { Extracted } from '../../platform/extraction/extract.ts';
import { raiseMemoryVersion } from '../memory/embed.service.ts';
import { findPassages } from './files.queries.ts';
import { type AgentFileRow, filePassages } from './files.table.ts';
import { changeReading } from './reading.service.ts';

/** How many passages one statement stores, and how many it reads: everyone waits for it on the embedded database. */
const STORED = 50;
const PORTION = 200;

/** In portions with pauses, because others wait meanwhile; stops when another reader has the file, or it was deleted. */
export async function keepPassages(
  ctx: Deps,
  file: AgentFileRow,
  passages: Extracted['passages'],
  tell: (progress: string) => void,
): Promise<void> {
  const { userId, id: fileId, agentId } = file;
  for (let at = 0; at < passages.length; at += STORED) {
    if (at > 0) tell(`${Math.floor((at / passages.length) * 100)} %`);
    const isOurs = await ctx.db.transaction(async (tx) => {
      if (!(await changeReading(tx, file, {}))) return false;
      // An earlier attempt may have stored a part.
      if (at === 0) await tx.delete(filePassages).where(ofFile(file));
      const own = { userId, fileId, agentId, version: await raiseMemoryVersion(tx, { userId, agentId }) };
      const portion = passages.slice(at, at + STORED);
      const rows = portion.map(({ place, text }, i) => ({ ...own, id: uuidv7(), place, text, position: at + i }));
      await tx.insert(filePassages).values(rows);
      return true;
    });
    if (!isOurs) return;
    // The embedded database never yields the thread by itself.
    await setImmediate();
  }
}

const ofFile = ({ userId, id }: { userId: string; id: string }) =>
  and(eq(filePassages.userId, userId), eq(filePassages.fileId, id));

/** The text of a file as the agent sees it, in order. */
export async function readPassages(ctx: Deps, file: Authorized<AgentFileRow>) {
  const passages: Awaited<ReturnType<typeof findPassages>> = [];
  for (;;) {
    const from = passages.length;
    passages.push(...(await findPassages(ctx.db, file, from, from + PORTION)));
    if (passages.length < from + PORTION) return passages;
    await setImmediate();
  }
}

/** Deletes the text of a file. */
export const removePassages = (ctx: Deps, file: { userId: string; id: string }): Promise<void> =>
  deleteInPortions(ctx.db, filePassages, ofFile(file));
