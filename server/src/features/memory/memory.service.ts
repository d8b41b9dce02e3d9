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
const ATTEMPTS = 4;
// Some of the best may have been forgotten or lie in a deleted session since they were indexed; the same text may stand twice.
const OVERFETCH = 3;
// Where that was not enough, more are asked for, up to a bound that a statement takes well.
const WIDEN = 8;
const WIDEST = 2_000;

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
  for (let wanted = query.limit * OVERFETCH; ; wanted *= WIDEN) {
    const ranked = await rank(ctx, query, wanted);
    const recalled = await keepLiving(ctx, query, ranked);
    if (recalled.length === query.limit || ranked.length < wanted || wanted > WIDEST) return recalled;
  }
}

/** Of what the index found, what may be recalled still, each text once. */
async function keepLiving(ctx: MemoryContext, query: RecallQuery, ranked: Ranked[]): Promise<Recalled[]> {
  if (ranked.length === 0) return [];
  const ids = ranked.map((r) => r.id);
  const found = await findByIds(ctx, query, ids);
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

async function rank(ctx: MemoryContext, query: RecallQuery, limit: number): Promise<Ranked[]> {
  const client = indexClientOf(ctx);
  // A session has an index of its own: its words are weighed against each other, not against what must not be recalled.
  const part = query.scope === 'session' ? query.sessionId : 'all';
  const key = `${query.userId} ${query.agentId} ${part}`;
  const version = await currentVersion(ctx, query);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const reply = await client.ask({ type: 'rank', key, version, text: query.text, limit });
      if (reply.type === 'ranked') return reply.ranked;
      if (reply.type === 'stale') await load(ctx, query, key, reply.from, version);
    } catch (error) {
      // The worker may have died; the next question starts another.
      if (attempt >= ATTEMPTS) throw error;
    }
    if (attempt >= ATTEMPTS) throw new Error('the memory index could not be loaded');
  }
}

async function currentVersion(ctx: MemoryContext, query: RecallQuery): Promise<number> {
  const [agent] = await ctx.db
    .select({ version: agents.memoryVersion })
    .from(agents)
    .where(and(eq(agents.userId, query.userId), eq(agents.id, query.agentId)));
  return agent?.version ?? 0;
}

/**
 * Brings the index from one version to another, a portion at a time. Versions are taken under the agent's row lock, so none is
 * missing in between; the index takes the new version with the last portion.
 */
async function load(ctx: MemoryContext, query: RecallQuery, key: string, from: number, version: number): Promise<void> {
  const client = indexClientOf(ctx);
  let after: { createdAt: Date; id: string } | undefined;
  for (;;) {
    const rows = await findChanges(ctx, query, from, after);
    const last = rows.at(-1);
    const done = rows.length < PORTION || last === undefined;
    const loaded = rows.map(({ forgottenAt, createdAt: _at, ...row }) => ({ ...row, forgotten: forgottenAt !== null }));
    const continues = after !== undefined;
    const reply = await client.ask({
      type: 'load',
      key,
      from,
      continues,
      version: done ? version : from,
      rows: loaded,
    });
    if (done || reply.type === 'stale') return;
    after = last;
  }
}

async function findChanges(
  ctx: MemoryContext,
  query: RecallQuery,
  from: number,
  after: { createdAt: Date; id: string } | undefined,
) {
  return ctx.db
    .select({
      id: memories.id,
      sessionId: memories.sessionId,
      kind: memories.kind,
      speaker: memories.speaker,
      text: memories.text,
      forgottenAt: memories.forgottenAt,
      createdAt: memories.createdAt,
    })
    .from(memories)
    .where(
      and(
        eq(memories.userId, query.userId),
        eq(memories.agentId, query.agentId),
        gt(memories.version, from),
        query.scope === 'session' ? eq(memories.sessionId, query.sessionId) : undefined,
        after &&
          sql`(${memories.createdAt}, ${memories.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(memories.createdAt), asc(memories.id))
    .limit(PORTION);
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
