import { NEW_AGENT } from '@atelier/contract/agents';
import { type MemoryItem, PINNED_MAX } from '@atelier/contract/memory';
import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { limitsOf } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { changeUsage, lockUsage } from '../accounts/usage.service.ts';
import { agents } from '../agents/agents.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { memories } from '../memory/memory.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { summaries } from '../runs/summary.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { exchangeRow, memoryRow, sessionRow, summaryRow } from './archive-rows.ts';
import { findFolders } from './import-folders.queries.ts';
import { type AgentPlace, type AgentPlaces, findPresent, importedId } from './import-places.queries.ts';

/** The account that imports, and where the archive's agents are in it. */
export interface Destination {
  uid: string;
  agents: AgentPlaces;
  /** The archive's folders by their ids there. */
  folders: ReadonlyMap<string, string>;
  /** The agent of each session of the archive, for rows that don't name it. */
  agentOfSession: ReadonlyMap<string, AgentPlace>;
}

/** What became of the rows of one portion. */
export interface Outcome {
  imported: number;
  present: number;
  left: number;
  /** Rows beyond what the account's plan has room for. */
  overLimit?: number;
}

/** Stores one portion. */
export type Importer = (tx: Tx, to: Destination, rows: unknown[]) => Promise<Outcome>;

/** Rows that are valid and whose agent is here, each once and with its agent. */
export function readable<T extends { id: string; agentId: string }>(
  to: Destination,
  schema: z.ZodType<T>,
  rows: unknown[],
) {
  const found = new Map<string, T & { agent: AgentPlace }>();
  for (const row of rows) {
    const parsed = schema.safeParse(row);
    const agent = parsed.success ? to.agents.get(parsed.data.agentId) : undefined;
    if (parsed.success && agent !== undefined) found.set(parsed.data.id, { ...parsed.data, agent });
  }
  return [...found.values()];
}

/** What was neither imported nor here is left out. */
export const outcome = (rows: unknown[], imported: number, present: number): Outcome => ({
  imported,
  present,
  left: rows.length - imported - present,
});

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
    name: name.trim(),
    nameSource,
    createdAt,
  }));
  if (values.length > 0) {
    await tx.insert(sessions).values(values);
    await changeUsage(tx, to.uid, { sessions: values.length });
  }
  return { ...outcome(rows, values.length, present.size), overLimit: fresh.length - taken.length };
};

/** The account's living sessions, by their ids in the archive. */
const sessionsHere = (tx: Tx, to: Destination, rows: { sessionId: string; agent: AgentPlace }[]) => {
  const sources = rows.map(({ sessionId, agent }) => ({ id: sessionId, agent }));
  return findPresent(tx, to.uid, sessions, sources, isNull(sessions.deletedAt));
};

/** A receipt with the ids that its memories have here. */
const receipt = (agent: AgentPlace, items: MemoryItem[]): MemoryItem[] => {
  const here = (id: string) => (agent.isSame ? id : importedId(agent, id));
  return items.map((item) => ({
    ...item,
    id: here(item.id),
    ...(item.sessionId === undefined ? {} : { sessionId: here(item.sessionId) }),
    ...(item.taskId === undefined ? {} : { taskId: here(item.taskId) }),
    ...(item.fileId === undefined ? {} : { fileId: here(item.fileId) }),
  }));
};

export const importExchanges: Importer = async (tx, to, rows) => {
  const found = readable(to, exchangeRow, rows);
  const present = await findPresent(tx, to.uid, tasks, found);
  const inSession = await sessionsHere(tx, to, found);
  const values = found.flatMap(({ agent, agentId: _there, id, sessionId, retryOf, ...row }) => {
    const session = inSession.get(sessionId);
    if (session === undefined || present.has(id)) return [];
    const isOver = row.status !== 'running' && row.status !== 'waiting';
    return {
      ...row,
      userId: to.uid,
      id: importedId(agent, id),
      agentId: agent.id,
      sessionId: session,
      status: isOver ? row.status : ('interrupted' as const),
      finishedAt: row.finishedAt ?? row.createdAt,
      memoryUsed: receipt(agent, row.memoryUsed),
      retryOf: retryOf && importedId(agent, retryOf),
      without: row.without.map((memory) => (agent.isSame ? memory : importedId(agent, memory))),
      // Nobody here knows whose words are in it.
      readUntrusted: true,
    };
  });
  const stored = values.length === 0 ? [] : await insertTasks(tx, values);
  return outcome(rows, stored.length, present.size);
};

// A second retry of one exchange is refused by its index, and left out.
const insertTasks = (tx: Tx, values: (typeof tasks.$inferInsert)[]) =>
  tx.insert(tasks).values(values).onConflictDoNothing().returning({ id: tasks.id });

export const importSummaries: Importer = async (tx, to, rows) => {
  const found = rows.flatMap((row) => {
    const parsed = summaryRow.safeParse(row);
    const agent = parsed.success ? to.agentOfSession.get(parsed.data.sessionId) : undefined;
    return parsed.success && agent !== undefined ? [{ ...parsed.data, agent }] : [];
  });
  const inSession = await sessionsHere(tx, to, found);
  const values = found.flatMap(({ agent: _agent, sessionId, ...row }) => {
    const session = inSession.get(sessionId);
    return session === undefined ? [] : [{ ...row, userId: to.uid, sessionId: session, readUntrusted: true }];
  });
  const stored = values.length === 0 ? [] : await insertSummaries(tx, values);
  return outcome(rows, stored.length, values.length - stored.length);
};

const insertSummaries = (tx: Tx, values: (typeof summaries.$inferInsert)[]) =>
  tx.insert(summaries).values(values).onConflictDoNothing().returning({ id: summaries.sessionId });

export const importMemories: Importer = async (tx, to, rows) => {
  const found = readable(to, memoryRow, rows);
  const present = await findPresent(tx, to.uid, memories, found);
  const inSession = await sessionsHere(tx, to, found);
  const taskSources = found.flatMap(({ taskId, agent }) => (taskId === null ? [] : [{ id: taskId, agent }]));
  const inTask = await findPresent(tx, to.uid, tasks, taskSources);
  const room = createPinRoom(async (agentId) => {
    const pinned = and(eq(memories.userId, to.uid), eq(memories.agentId, agentId), memories.pinned);
    const [row] = await tx.select({ n: count() }).from(memories).where(pinned);
    return PINNED_MAX - (row?.n ?? 0);
  });
  const values: (typeof memories.$inferInsert)[] = [];
  for (const { agent, id, sessionId, taskId, originId, ...row } of found) {
    const session = inSession.get(sessionId);
    if (session === undefined || present.has(id)) continue;
    values.push({
      ...row,
      userId: to.uid,
      id: importedId(agent, id),
      agentId: agent.id,
      sessionId: session,
      version: 0,
      taskId: inTask.get(taskId ?? '') ?? null,
      originId: originId && (agent.isSame ? originId : importedId(agent, originId)),
      pinned: row.pinned && (await room(agent.id)),
    });
  }
  await insertMemories(tx, to.uid, values);
  return outcome(rows, values.length, present.size);
};

/** Stores memories under the next version of each agent, so that every process notices. */
async function insertMemories(tx: Tx, userId: string, values: (typeof memories.$inferInsert)[]) {
  for (const agentId of new Set(values.map((row) => row.agentId))) {
    const [agent] = await tx
      .update(agents)
      .set({ memoryVersion: sql`${agents.memoryVersion} + 1` })
      .where(and(eq(agents.userId, userId), eq(agents.id, agentId)))
      .returning({ version: agents.memoryVersion });
    const own = values.filter((row) => row.agentId === agentId);
    await tx.insert(memories).values(own.map((row) => ({ ...row, version: agent?.version ?? 0 })));
  }
}

/** Says whether an agent may have one more pinned thing, and counts it. */
export function createPinRoom(roomOf: (agentId: string) => Promise<number>) {
  const left = new Map<string, number>();
  return async (agentId: string) => {
    const room = left.get(agentId) ?? (await roomOf(agentId));
    left.set(agentId, room - 1);
    return room > 0;
  };
}

/** A deleted agent, which its sessions still name. */
export const insertDeletedAgent = (db: Db, agent: { userId: string; id: string; name: string; slug: string }) =>
  db
    .insert(agents)
    .values({ ...NEW_AGENT, ...agent, prompt: '', deletedAt: sql`now()` })
    .onConflictDoNothing();

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
