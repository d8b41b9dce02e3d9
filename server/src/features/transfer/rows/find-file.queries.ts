import { and, eq } from 'drizzle-orm';
import type { Db } from '../../../platform/database/database.ts';
import { agentFiles } from '../../files/files.table.ts';
import { type AgentPlace, findPresent } from '../import-places.queries.ts';

/** A file of the archive that the account has already. */
export async function findFileHere(db: Db, uid: string, source: { id: string; agent: AgentPlace }) {
  const here = (await findPresent(db, uid, agentFiles, [source])).get(source.id);
  if (here === undefined) return null;
  const [row] = await db
    .select()
    .from(agentFiles)
    .where(and(eq(agentFiles.userId, uid), eq(agentFiles.id, here)));
  return row ?? null;
}
