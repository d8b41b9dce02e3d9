import { limitsOf } from '../../../access.ts';
import { changeUsage, lockUsage } from '../../accounts/usage.service.ts';
import { sessions } from '../../sessions/sessions.table.ts';
import { sessionRow } from '../archive/archive-rows.ts';
import { findFolders } from '../import-folders.queries.ts';
import { findPresent, importedId } from '../import-places.queries.ts';
import { type Importer, outcome, readable } from './import-rows.queries.ts';

/** Sessions of agents that are here, as many as the plan has room for. */
export const importSessions: Importer = async (tx, to, rows) => {
  const found = readable(to, sessionRow, rows);
  const usage = await lockUsage(tx, to.uid);
  const present = await findPresent(tx, to.uid, sessions, found);
  const fresh = found.filter(({ id }) => !present.has(id));
  const limit = limitsOf(usage.plan).sessions;
  const taken = limit === null ? fresh : fresh.slice(0, Math.max(0, limit - usage.sessionCount));
  const folderOf = await findFolders(tx, to.uid, to.folders);
  const values = taken.map(({ id, agent, name, nameSource, pinned, archived, folderId, createdAt }) => ({
    pinned,
    archived,
    folderId: folderOf(folderId),
    userId: to.uid,
    id: importedId(agent, id),
    agentId: agent.id,
    name,
    nameSource,
    createdAt,
  }));
  if (values.length > 0) {
    await tx.insert(sessions).values(values);
    await changeUsage(tx, to.uid, { sessions: values.length });
  }
  return { ...outcome(rows, values.length, present.size), overLimit: fresh.length - taken.length };
};
