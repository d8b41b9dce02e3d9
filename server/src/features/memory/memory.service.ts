import type { MemoryItem } from '@atelier/contract/memory';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { agents } from '../agents/agents.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { memories } from './memory.table.ts';

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

/** Stores entries of one agent inside the caller's transaction and raises the agent's memory version. */
export async function remember(_ctx: Pick<Deps, 'db'>, tx: Tx, entries: MemoryEntry[]): Promise<void> {
  const first = entries[0];
  if (first === undefined) return;
  const [agent] = await tx
    .update(agents)
    .set({ memoryVersion: sql`${agents.memoryVersion} + 1` })
    .where(and(eq(agents.userId, first.userId), eq(agents.id, first.agentId)))
    .returning({ version: agents.memoryVersion });
  const version = agent?.version ?? 0;
  await tx.insert(memories).values(
    entries.map((e) => ({
      userId: e.userId,
      id: uuidv7(),
      agentId: e.agentId,
      sessionId: e.sessionId,
      taskId: e.taskId ?? null,
      kind: e.kind,
      speaker: e.speaker ?? null,
      text: e.text,
      version,
      createdAt: e.timestamp,
    })),
  );
}

/** The best memories for a text, best first, with scores from 0 to 1. Finds nothing rather than noise. */
export async function recall(ctx: Deps, query: RecallQuery): Promise<Recalled[]> {
  const rows = await ctx.db
    .select({ memory: memories, sessionName: sessions.name })
    .from(memories)
    .innerJoin(sessions, and(eq(sessions.userId, memories.userId), eq(sessions.id, memories.sessionId)))
    .where(
      and(
        eq(memories.userId, query.userId),
        eq(memories.agentId, query.agentId),
        isNull(memories.forgottenAt),
        isNull(sessions.deletedAt),
        query.scope === 'session' ? eq(memories.sessionId, query.sessionId) : undefined,
      ),
    )
    .orderBy(desc(memories.createdAt))
    .limit(2000);
  const words = (t: string) => new Set(t.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const asked = words(query.text);
  return rows
    .map(({ memory, sessionName }) => {
      const shared = [...words(memory.text)].filter((w) => asked.has(w)).length;
      const score = Math.min(1, (shared / Math.max(1, asked.size)) * (memory.kind === 'person' ? 1 : 0.6));
      return {
        id: memory.id,
        kind: memory.kind,
        text: memory.text,
        sessionId: memory.sessionId,
        sessionName,
        timestamp: memory.createdAt.toISOString(),
        score,
      };
    })
    .filter((m) => m.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, query.limit);
}
