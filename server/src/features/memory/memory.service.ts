import type { MemoryItem } from '@atelier/contract/memory';
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { agents } from '../agents/agents.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { memories } from './memory.table.ts';
import { splitText } from './memory-text.ts';
import type { Ranked } from './ranking.ts';
import { createIndexClient, type IndexClient } from './worker-client.ts';

/** One thing said, to be kept. `agentId` and `sessionId` are hidden keys. */
export interface MemoryEntry {
  userId: string;
  agentId: string;
  sessionId: string;
  taskId?: string;
  kind: 'person' | 'agent';
  speaker?: string;
  text: string;
  timestamp: Date;
}

export interface RecallQuery {
  userId: string;
  agentId: string;
  sessionId: string;
  /** `session`: only what was said in this session (Free). `agent`: in all sessions of the agent (Pro). */
  scope: 'session' | 'agent';
  text: string;
  limit: number;
}

export interface Recalled extends MemoryItem {
  sessionId: string;
  sessionName: string;
}

type MemoryContext = Pick<Deps, 'db' | 'processId'>;

/** Rows are inserted and loaded in portions that keep each statement short. */
const PORTION = 1_000;
// Some of the best may have been forgotten or lie in a deleted session since they were indexed; the same text may stand twice.
const OVERFETCH = 3;

/**
 * Stores entries of one agent inside the caller's transaction and raises the agent's memory version, by which every process
 * notices. A long text becomes several memories; a blank one none.
 */
export async function remember(_ctx: Pick<Deps, 'db'>, tx: Tx, entries: MemoryEntry[]): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  if (entries.some((e) => e.userId !== first.userId || e.agentId !== first.agentId)) {
    throw new Error('remember takes the entries of one agent at a time');
  }
  const [agent] = await tx
    .update(agents)
    .set({ memoryVersion: sql`${agents.memoryVersion} + 1` })
    .where(and(eq(agents.userId, first.userId), eq(agents.id, first.agentId)))
    .returning({ version: agents.memoryVersion });
  if (agent === undefined) throw new Error(`there is no agent ${first.agentId}`);
  const rows = entries.flatMap((entry) => {
    const { timestamp, taskId = null, speaker = null, text, ...keys } = entry;
    const common = { ...keys, taskId, speaker, version: agent.version, createdAt: timestamp };
    return splitText(text).map((part) => ({ ...common, id: uuidv7(), text: part }));
  });
  for (let i = 0; i < rows.length; i += PORTION) await tx.insert(memories).values(rows.slice(i, i + PORTION));
}

/**
 * The best memories for a text, best first, with scores from 0 to 1; nothing rather than noise. What another process stored or
 * forgot is seen at once. Only the owner's memories of this agent are ever read.
 */
export async function recall(ctx: MemoryContext, query: RecallQuery): Promise<Recalled[]> {
  const ranked = await rank(ctx, query);
  if (ranked.length === 0) return [];
  const found = await findByIds(
    ctx,
    query,
    ranked.map((r) => r.id),
  );
  const seen = new Set<string>();
  const recalled: Recalled[] = [];
  for (const { id, score } of ranked) {
    const row = found.get(id);
    if (row === undefined || seen.has(row.text)) continue;
    seen.add(row.text);
    recalled.push({ ...row, score: Math.round(score * 1000) / 1000 });
    if (recalled.length === query.limit) break;
  }
  return recalled;
}

const clients = new Map<string, IndexClient>();

/** The index worker of this process, started when first needed. */
export function indexClientOf(ctx: MemoryContext): IndexClient {
  const client = clients.get(ctx.processId) ?? createIndexClient();
  clients.set(ctx.processId, client);
  return client;
}

/** Ends the process's index worker; for a clean shutdown. */
export async function closeMemory(ctx: MemoryContext): Promise<void> {
  await clients.get(ctx.processId)?.stop();
  clients.delete(ctx.processId);
}

async function rank(ctx: MemoryContext, query: RecallQuery): Promise<Ranked[]> {
  const client = indexClientOf(ctx);
  const key = `${query.userId} ${query.agentId}`;
  const version = await currentVersion(ctx, query);
  // Between loading and asking again the index may have been evicted: twice is bad luck, more often a fault.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const reply = await client.ask({
      type: 'rank',
      key,
      version,
      text: query.text,
      limit: query.limit * OVERFETCH,
      ...(query.scope === 'session' ? { sessionId: query.sessionId } : {}),
    });
    if (reply.type === 'ranked') return reply.ranked;
    if (reply.type === 'stale') await load(ctx, query, key, reply.from, version);
  }
  throw new Error('the memory index could not be loaded');
}

async function currentVersion(ctx: MemoryContext, query: RecallQuery): Promise<number> {
  const [agent] = await ctx.db
    .select({ version: agents.memoryVersion })
    .from(agents)
    .where(and(eq(agents.userId, query.userId), eq(agents.id, query.agentId)));
  return agent?.version ?? 0;
}

/** Brings the index from one version to another. Versions are taken under the agent's row lock, so none is missing in between. */
async function load(ctx: MemoryContext, query: RecallQuery, key: string, from: number, version: number) {
  const client = indexClientOf(ctx);
  const rows = await ctx.db
    .select({
      id: memories.id,
      sessionId: memories.sessionId,
      kind: memories.kind,
      speaker: memories.speaker,
      text: memories.text,
      version: memories.version,
      forgottenAt: memories.forgottenAt,
    })
    .from(memories)
    .where(and(eq(memories.userId, query.userId), eq(memories.agentId, query.agentId), gt(memories.version, from)))
    .orderBy(asc(memories.createdAt), asc(memories.id));
  const loaded = rows.map(({ forgottenAt, ...row }) => ({ ...row, forgotten: forgottenAt !== null }));
  await client.ask({ type: 'load', key, version, rows: loaded });
}

/** The rows behind ids, as far as they still may be recalled: the owner's, not forgotten, in a session that is not deleted. */
async function findByIds(ctx: MemoryContext, query: RecallQuery, ids: string[]) {
  const rows = await ctx.db
    .select({
      id: memories.id,
      kind: memories.kind,
      text: memories.text,
      createdAt: memories.createdAt,
      sessionId: memories.sessionId,
      sessionName: sessions.name,
    })
    .from(memories)
    .innerJoin(sessions, and(eq(sessions.userId, memories.userId), eq(sessions.id, memories.sessionId)))
    .where(
      and(
        eq(memories.userId, query.userId),
        eq(memories.agentId, query.agentId),
        inArray(memories.id, ids),
        isNull(memories.forgottenAt),
        isNull(sessions.deletedAt),
        query.scope === 'session' ? eq(memories.sessionId, query.sessionId) : undefined,
      ),
    );
  return new Map(rows.map(({ createdAt, ...row }) => [row.id, { ...row, timestamp: createdAt.toISOString() }]));
}
