import type { MemoryItem } from '@atelier/contract/memory';
import { sql } from 'drizzle-orm';
import { bigint, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import { NIL, v7 as uuidv7 } from 'uuid';
import { recallScope } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import { splitText } from '../../platform/language/cut-text.ts';
import { relatedWords } from '../../platform/language/related-words.ts';
import type { LedgerEntry } from '../ledger/ledger.service.ts';
import type { Ranked } from './index/fuse.ts';
import type { Near } from './index/meaning.ts';
import { repeatsFor } from './index/rank.ts';
import { warmUpMerging } from './index/warm-up.ts';
import { addToIndex, askIndex, type MemoryContext, type Question, type RecallScope } from './index-worker.service.ts';
import { findByIds } from './memory.queries.ts';
import { mergeRecalled } from './merge-recalled.ts';
import { embedQuestion } from './question.service.ts';
import { type Ahead, takeRanking } from './rank-ahead.service.ts';

/** One statement to store. `agentId` and `sessionId` are hidden keys. */
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

export interface RecallQuery extends RecallScope {
  text: string;
  limit: number;
  /** Where to note what the embedding of the text takes; otherwise it is recorded at once. */
  spent?: LedgerEntry[];
}

export interface RecalledItem extends MemoryItem {
  /** Where it is from, for people: the session's name, or the file's name and place. */
  sessionName: string;
  /** An answer whose prompt had other people's words in it, so that it may repeat them. */
  quotesOthers: boolean;
  /** The exchange that holds its very words: none for a file, a fact, and what the person has edited. */
  exchange: string | null;
  /** For a fact: the recalled sentence that states it, in the person's very words. */
  words?: string;
}

/** The longest text of one memory, in characters: retrieval is only as precise as its pieces. */
const TEXT_MAX = 1_000;
/** How many milliseconds an answer waits for memories that are still loading. */
const PATIENCE_MS = 200;

// Ask for more than wanted: some may have been forgotten or their session deleted since, and some texts are duplicates.
const OVERFETCH = 2;
/** The fewest to ask for: what the person said must be among them, to come before the answers that repeat it. */
const FETCH_MIN = 16;
// When that was not enough, ask for more, up to what one statement takes well.
const WIDEN = 8;
const WIDEST = 2_000;

/** A text as memories to store: a long one becomes several, a blank one none. */
export const toMemories = <K extends 'person' | 'agent'>(kind: K, text: string) =>
  // PostgreSQL refuses half of a surrogate pair in JSON.
  splitText(text, TEXT_MAX).map((part) => ({ id: uuidv7(), kind, text: part.toWellFormed() }));

const atelierRemember = sqlFunction(
  'atelier_remember',
  { userId: text('_uid').notNull(), agentId: uuid('_agent').notNull(), memories: jsonb('_memories').notNull() },
  bigint({ mode: 'number' }).notNull(),
);

/** Stores entries of one agent inside the caller's transaction and raises the agent's memory version, so every process notices. */
export async function remember(tx: Tx, entries: MemoryEntry[]): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const { userId, agentId } = first;
  if (entries.some((e) => e.userId !== userId || e.agentId !== agentId)) {
    throw new Error('remember takes the entries of one agent at a time');
  }
  const rows = entries.flatMap((entry) =>
    toMemories(entry.kind, entry.text).map((memory) => ({
      ...memory,
      session_id: entry.sessionId,
      task_id: entry.taskId,
      speaker: entry.speaker,
      created_at: entry.timestamp,
    })),
  );
  await tx.execute(sql`select ${atelierRemember.call({ userId, agentId, memories: rows })}`);
}

/**
 * Puts what this process just stored of an exchange into the index of its session or agent, so that the next question needn't read it from
 * the database. An index that isn't loaded, or lacks something else, ignores it.
 */
export function noteRemembered(
  ctx: MemoryContext,
  {
    uid: userId,
    plan,
    agent,
    sessionId,
  }: { uid: string; plan: 'free' | 'pro'; agent: { id: string }; sessionId: string },
  { version, task }: { version: number; task: { createdAt: Date; finishedAt: Date | null } },
  stored: ReturnType<typeof toMemories>,
): void {
  const place: RecallScope = { userId, agentId: agent.id, sessionId, scope: recallScope(plan) };
  const ended = task.finishedAt ?? task.createdAt;
  const rows = stored.map(({ id, kind, text }) => ({
    id,
    version,
    sessionId,
    kind,
    at: (kind === 'person' ? task.createdAt : ended).getTime(),
    text,
  }));
  addToIndex(ctx, place, version, rows).catch((error) => ctx.log?.error('memory.note', error));
}

/**
 * The best memories for a text, best first, with scores from 0 to 1; nothing rather than noise. A statement that a later one replaced comes
 * after it and has its id. Sees at once what other processes stored or forgot. Reads only the owner's memories of this agent.
 */
export async function recall(ctx: MemoryContext, query: RecallQuery): Promise<RecalledItem[]> {
  return (await recallFrom(ctx, query, { part: 'all' })) ?? [];
}

/**
 * The same for an answer that somebody waits for. While a large memory is still loading, only the newest are searched and `partial` is
 * true; loading continues for later questions. `version` is the agent's memory version, if the caller reads it anyway, and `ahead` a ranking
 * that has begun.
 */
export async function recallSoon(
  ctx: MemoryContext,
  query: RecallQuery,
  { version, ahead }: { version?: Promise<number>; ahead?: Ahead | undefined } = {},
) {
  const begun = takeRanking(ctx, query, firstLimit(query), ahead);
  const memories = await recallFrom(ctx, query, { part: 'all', patience: PATIENCE_MS, version, begun });
  if (memories !== undefined) return { memories, partial: false };
  return { memories: (await recallFrom(ctx, query, { part: 'newest', version })) ?? [], partial: true };
}

const firstLimit = ({ limit }: RecallQuery) => Math.max(FETCH_MIN, limit * OVERFETCH);

/** Undefined when it would take longer than `patience` milliseconds. */
async function recallFrom(ctx: MemoryContext, query: RecallQuery, { begun, ...how }: Omit<RankOptions, 'limit'>) {
  const first = firstLimit(query);
  for (let wanted = first; ; wanted *= WIDEN) {
    const ranked = await rank(ctx, query, { ...how, limit: wanted, begun: wanted === first ? begun : undefined });
    if (ranked === undefined) return undefined;
    const { recalled, isWhole } = await keepLiving(ctx, query, ranked, wanted);
    if (recalled.length === query.limit || isWhole || wanted > WIDEST) return recalled;
  }
}

/** Starts loading an index before the first question; returns at once. After a failure, the question tries again. */
export function prepareRecall(ctx: MemoryContext, place: RecallScope): void {
  rank(ctx, { ...place, text: '', limit: 1 }, { limit: 1, part: 'all' }).catch((error) =>
    ctx.log?.error('memory.prepare', error),
  );
}

/** The results of the index that may still be recalled, in ranked order. `isWhole`: a wider search would add nothing. */
async function keepLiving(ctx: MemoryContext, query: RecallQuery, ranked: Ranked[], wanted: number) {
  if (ranked.length === 0) return { recalled: [], isWhole: true };
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const others = new Set(ranked.flatMap(({ rivals }) => rivals).filter((id) => !scores.has(id)));
  const repeats = ranked.flatMap((one) => one.repeats);
  const rows = await findByIds(ctx.db, query, [...scores.keys(), ...others, ...repeats]);
  let isWhole = ranked.length < wanted;
  const results = ranked.flatMap(({ id, score, repeats: again }) => {
    const row = rows.get([id, ...again].find((one) => rows.has(one)) ?? '');
    // It was deleted as often as it was given, and may have been said once more.
    if (row === undefined && again.length === repeatsFor(wanted)) isWhole = false;
    return row === undefined ? [] : [{ ...row, score }];
  });
  const later = [...others].flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [{ ...row, score: 0 }];
  });
  const recalled = mergeRecalled(results, later, query.limit).map(
    ({ speaker: _speaker, ...memory }): RecalledItem => ({ ...memory, score: Math.round(memory.score * 1000) / 1000 }),
  );
  return { recalled, isWhole };
}

/** Asks a dummy question to start the index worker, prepare statements and compile code; resolves once memory is ready. */
export async function startMemory(ctx: MemoryContext): Promise<void> {
  const nobody: RecallQuery = { userId: '', agentId: NIL, sessionId: NIL, scope: 'agent', text: '', limit: 1 };
  await recall(ctx, nobody);
  await findByIds(ctx.db, nobody, [NIL]);
  warmUpMerging();
  // Loads the table of related words.
  relatedWords('');
}

interface RankOptions extends Omit<Question, 'request'> {
  limit: number;
}

/** Undefined when the load took longer than the patience. */
async function rank(ctx: MemoryContext, query: RecallQuery, options: RankOptions): Promise<Ranked[] | undefined> {
  const { limit, ...how } = options;
  const meaning = await embedQuestion(ctx, query);
  const request = { type: 'rank', text: query.text, limit, ...meaning } as const;
  const reply = await askIndex(ctx, query, { ...how, request: (about) => ({ ...request, ...about }) });
  return reply?.type === 'ranked' ? reply.ranked : undefined;
}

/** The memories and passages of an agent nearest to an embedding. Reads only the owner's rows. */
export async function findNearest(
  ctx: MemoryContext,
  agent: { userId: string; agentId: string },
  meaning: Int8Array,
  limit: number,
): Promise<Near[]> {
  const place: RecallScope = { ...agent, sessionId: NIL, scope: 'agent' };
  const request = (about: { key: string; version: number }) => ({ type: 'nearest', meaning, limit, ...about }) as const;
  const reply = await askIndex(ctx, place, { part: 'all', request });
  return reply?.type === 'near' ? reply.near : [];
}
