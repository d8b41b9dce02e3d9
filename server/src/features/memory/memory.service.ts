import type { MemoryItem } from '@atelier/contract/memory';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { currentVersion, findByIds, findChanges, PORTION, raiseVersion } from './memory.queries.ts';
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
  /** `session`: only what was said in this session (Free). `agent`: in all sessions and files of the agent (Pro). `files`: files alone. */
  scope: 'session' | 'agent' | 'files';
  text: string;
  limit: number;
}

export interface Recalled extends MemoryItem {
  /** Where it is from, in words: the session's name, or the file's with the place. */
  sessionName: string;
}

type MemoryContext = Pick<Deps, 'db' | 'processId'>;

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
  const version = await raiseVersion(tx, first);
  const rows = entries.flatMap((entry) => {
    const { timestamp, taskId = null, speaker = null, text, ...keys } = entry;
    const common = { ...keys, taskId, speaker, version, createdAt: timestamp };
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
  const found = await findByIds(ctx.db, query, ids);
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
  const part = { session: query.sessionId, agent: 'all', files: 'files' }[query.scope];
  const key = `${query.userId} ${query.agentId} ${part}`;
  const version = await currentVersion(ctx.db, query);
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

/**
 * Brings the index from one version to another, a portion at a time. Versions are taken under the agent's row lock, so none is
 * missing in between; the index takes the new version with the last portion.
 */
async function load(ctx: MemoryContext, query: RecallQuery, key: string, from: number, version: number): Promise<void> {
  const client = indexClientOf(ctx);
  let after: { createdAt: Date; id: string } | undefined;
  for (;;) {
    const rows = await findChanges(ctx.db, query, from, after);
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
