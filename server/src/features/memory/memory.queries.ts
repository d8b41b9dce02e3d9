import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { listOf, milliseconds, prepareOnce } from '../../platform/database/prepared.ts';
import { agents } from '../agents/agents.table.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { isOnPath } from '../runs/places.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { memories } from './memory.table.ts';

export interface AgentKey {
  userId: string;
  agentId: string;
}

interface Scope extends AgentKey {
  sessionId: string;
  /** `files`: only passages of the agent's files. */
  scope: 'session' | 'agent' | 'files';
}

/** Raises the agent's memory version under its row lock and returns it; throws when there is no such agent. */
export async function raiseVersion(tx: Tx, { userId, agentId }: AgentKey): Promise<number> {
  const [agent] = await tx
    .update(agents)
    .set({ memoryVersion: sql`${agents.memoryVersion} + 1` })
    .where(and(eq(agents.userId, userId), eq(agents.id, agentId)))
    .returning({ version: agents.memoryVersion });
  if (agent === undefined) throw new Error(`there is no agent ${agentId}`);
  return agent.version;
}

/** The latest version of this agent's memories. */
export async function currentVersion(db: Db, { userId, agentId }: AgentKey): Promise<number> {
  const [agent] = await versionStatement(db).execute({ userId, agentId });
  return agent?.version ?? 0;
}

/** How many of a user's latest sessions decide which agents are in use. */
const SESSIONS = 200;

/** The user's agents: recently used ones first, then the newest. */
export async function findAgentsInUse(db: Db, userId: string, limit: number): Promise<string[]> {
  const talked = await db
    .select({ id: sessions.agentId })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.deletedAt)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(SESSIONS);
  const made = await db
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.userId, userId), isNull(agents.deletedAt)))
    .orderBy(desc(agents.createdAt), desc(agents.id))
    .limit(limit);
  return [...new Set([...talked, ...made].map(({ id }) => id))].slice(0, limit);
}

const versionStatement = prepareOnce((db) =>
  db
    .select({ version: agents.memoryVersion })
    .from(agents)
    .where(and(eq(agents.userId, sql.placeholder('userId')), eq(agents.id, sql.placeholder('agentId'))))
    .prepare('memory_version'),
);

/**
 * The rows behind ids that may still be recalled: the owner's, not forgotten, in a session or file that is not deleted, and said on the
 * session's chosen path. `sessionName` says where each is from, for people.
 */
export async function findByIds(db: Db, query: Scope, ids: string[]) {
  const { userId, agentId } = query;
  const onlySession = query.scope === 'session' ? query.sessionId : null;
  const wanted = { userId, agentId, onlySession, ids: JSON.stringify(ids) };
  const memoryRows = query.scope === 'files' ? [] : await readMemories(db, wanted);
  // Most agents have no files, so every id is a memory's. The files are queried only for ids that were not found.
  const presentIds = new Set(memoryRows.map((row) => row.id));
  const others = ids.filter((id) => !presentIds.has(id));
  const read = query.scope === 'session' || others.length === 0 ? [] : await findPassages(db, query, others);
  return new Map([...memoryRows, ...read].map((row) => [row.id, row]));
}

type PackedMemory = [
  id: string,
  kind: 'person' | 'agent',
  speaker: string | null,
  text: string,
  at: number,
  sessionId: string,
  sessionName: string,
  quotesOthers: boolean,
  taskId: string | null,
  exchange: string | null,
];

async function readMemories(
  db: Db,
  wanted: Record<'userId' | 'agentId' | 'ids', string> & { onlySession: string | null },
) {
  const [row] = await memoryStatement(db).execute(wanted);
  return (row?.packed ?? []).map((packed) => {
    const [id, kind, speaker, text, at, sessionId, sessionName, quotesOthers, taskId, exchange] = packed;
    const said = { id, kind, speaker, text, sessionId, sessionName, quotesOthers, exchange };
    return { ...said, ...(taskId === null ? {} : { taskId }), timestamp: new Date(at).toISOString() };
  });
}

/** Each row and its session are looked up by key: without statistics, the planner would read all of the owner's rows. */
const memoryStatement = prepareOnce((db) => {
  const userId = sql.placeholder('userId');
  const { id, kind, speaker, text, createdAt, sessionId, agentId, taskId, originId, forgottenAt } = memories;
  const memory = db
    .select({ id, kind, speaker, text, createdAt, sessionId, agentId, taskId, originId, forgottenAt })
    .from(memories)
    .where(and(eq(memories.userId, userId), sql`${id} = wanted.id`))
    .limit(1)
    .as('memory');
  const session = db
    .select({ sessionName: sessions.name, deletedAt: sessions.deletedAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, memory.sessionId)))
    .limit(1)
    .as('session');
  const onlySession = sql.placeholder('onlySession');
  // An answer whose exchange is unknown may repeat anything.
  const quotesOthers = sql`(${memory.kind} = 'agent' and coalesce(
    (select ${tasks.readUntrusted} from ${tasks} where ${tasks.userId} = ${userId} and ${tasks.id} = ${memory.taskId}), true))`;
  return (
    db
      .select({
        packed: sql<PackedMemory[] | null>`json_agg(json_build_array(${memory.id}, ${memory.kind}, ${memory.speaker},
        ${memory.text}, ${milliseconds(memory.createdAt)}, ${memory.sessionId}, ${session.sessionName}, ${quotesOthers}, ${memory.taskId},
        case when ${memory.originId} is null then ${memory.taskId} end))`,
      })
      // Not an array, whose length is part of what a plan costs: the database would plan the statement again for each.
      .from(sql`(select value::uuid as id from jsonb_array_elements_text(${sql.placeholder('ids')}::jsonb)) as wanted`)
      .innerJoinLateral(memory, sql`true`)
      .innerJoinLateral(session, sql`true`)
      .where(
        and(
          eq(memory.agentId, sql.placeholder('agentId')),
          // Asked here and not within, where the list's own index would fit the question and be read from end to end.
          isNull(memory.forgottenAt),
          isNull(session.deletedAt),
          isOnPath(userId, memory.taskId),
          sql`(${onlySession}::uuid is null or ${memory.sessionId} = ${onlySession}::uuid)`,
        ),
      )
      .prepare('memory_said')
  );
});

async function findPassages(db: Db, { userId, agentId }: AgentKey, ids: string[]) {
  const rows = await passagesStatement(db).execute({ userId, agentId, ids: listOf(ids) });
  return rows.map(({ createdAt, ...row }) => ({
    ...row,
    timestamp: createdAt.toISOString(),
    kind: 'file' as const,
    quotesOthers: false,
    exchange: null,
    speaker: null,
    sessionName: `${row.fileName}, ${row.place}`,
  }));
}

const passagesStatement = prepareOnce((db) =>
  db
    .select({
      id: filePassages.id,
      text: filePassages.text,
      createdAt: filePassages.createdAt,
      fileId: filePassages.fileId,
      fileName: agentFiles.name,
      place: filePassages.place,
    })
    .from(filePassages)
    .innerJoin(agentFiles, and(eq(agentFiles.userId, filePassages.userId), eq(agentFiles.id, filePassages.fileId)))
    .where(
      and(
        eq(filePassages.userId, sql.placeholder('userId')),
        eq(filePassages.agentId, sql.placeholder('agentId')),
        sql`${filePassages.id} = any(${sql.placeholder('ids')}::uuid[])`,
        isNull(agentFiles.deletedAt),
        eq(agentFiles.state, 'ready'),
      ),
    )
    .prepare('memory_read'),
);
