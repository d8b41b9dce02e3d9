import type { MemoryItem } from '@atelier/contract/memory';
import { NIL, v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { splitText } from '../../platform/language/cut-text.ts';
import { relatedWords } from '../../platform/language/related-words.ts';
import { PORTION } from './changes.queries.ts';
import type { Near } from './index/meaning.ts';
import type { Ranked } from './index/rank.ts';
import { warmUpMerging } from './index/warm-up.ts';
import { askIndex, type MemoryContext, type Part, type RecallPlace } from './index-worker.service.ts';
import { findByIds, raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';
import { mergeRecalled } from './merge-recalled.ts';
import { placeQuestion } from './question.service.ts';

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

export interface RecallQuery extends RecallPlace {
  text: string;
  limit: number;
}

export interface Recalled extends MemoryItem {
  /** Where it is from, for people: the session's name, or the file's name and place. */
  sessionName: string;
}

/** The longest text of one memory, in characters: retrieval is only as precise as its pieces. */
const TEXT_MAX = 1_000;
/** How many milliseconds an answer waits for memories that are still loading. */
const PATIENCE_MS = 200;

// Ask for more than wanted: some may have been forgotten or their session deleted since, and some texts are duplicates.
const OVERFETCH = 2;
// When that was not enough, ask for more, up to what one statement takes well.
const WIDEN = 8;
const WIDEST = 2_000;

/**
 * Stores entries of one agent inside the caller's transaction and raises the agent's memory version, so every process notices. A long text
 * becomes several memories; a blank one none.
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
    return splitText(text, TEXT_MAX).map((part) => ({ ...common, id: uuidv7(), text: part }));
  });
  for (let i = 0; i < rows.length; i += PORTION) await tx.insert(memories).values(rows.slice(i, i + PORTION));
}

/**
 * The best memories for a text, best first, with scores from 0 to 1; nothing rather than noise. A statement that a later one replaced comes
 * after it and has its id. Sees at once what other processes stored or forgot. Reads only the owner's memories of this agent.
 */
export async function recall(ctx: MemoryContext, query: RecallQuery): Promise<Recalled[]> {
  return (await recallFrom(ctx, query, 'all')) ?? [];
}

/**
 * The same for an answer that somebody waits for. While a large memory is still loading, only the newest are searched and `partial` is
 * true; loading continues for later questions.
 */
export async function recallSoon(ctx: MemoryContext, query: RecallQuery) {
  const found = await recallFrom(ctx, query, 'all', PATIENCE_MS);
  if (found !== undefined) return { found, partial: false };
  return { found: (await recallFrom(ctx, query, 'newest')) ?? [], partial: true };
}

/** Undefined when it would take longer than `patience` milliseconds. */
async function recallFrom(ctx: MemoryContext, query: RecallQuery, part: Part, patience?: number) {
  for (let wanted = query.limit * OVERFETCH; ; wanted *= WIDEN) {
    const ranked = await rank(ctx, query, { limit: wanted, part, patience });
    if (ranked === undefined) return undefined;
    const recalled = await keepLiving(ctx, query, ranked);
    if (recalled.length === query.limit || ranked.length < wanted || wanted > WIDEST) return recalled;
  }
}

/** Starts loading an index before the first question; returns at once. After a failure, the question tries again. */
export function prepareRecall(ctx: MemoryContext, place: RecallPlace): void {
  rank(ctx, { ...place, text: '', limit: 1 }, { limit: 1, part: 'all' }).catch((error) =>
    ctx.log?.error('memory.prepare', error),
  );
}

/** The results of the index that may still be recalled, in ranked order. */
async function keepLiving(ctx: MemoryContext, query: RecallQuery, ranked: Ranked[]): Promise<Recalled[]> {
  if (ranked.length === 0) return [];
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const others = new Set(ranked.flatMap(({ rivals }) => rivals).filter((id) => !scores.has(id)));
  const rows = await findByIds(ctx.db, query, [...scores.keys(), ...others]);
  const read = (ids: Iterable<string>) =>
    [...ids].flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ ...row, score: scores.get(id) ?? 0 }];
    });
  const merged = mergeRecalled(read(scores.keys()), read(others), query.limit);
  return merged.map(({ speaker: _speaker, ...memory }) => ({
    ...memory,
    score: Math.round(memory.score * 1000) / 1000,
  }));
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

interface RankOptions {
  limit: number;
  part: Part;
  patience?: number | undefined;
}

/** Undefined when the load took longer than the patience. */
async function rank(ctx: MemoryContext, query: RecallQuery, options: RankOptions): Promise<Ranked[] | undefined> {
  const { limit, part, patience } = options;
  const meaning = await placeQuestion(ctx, query);
  const asked = { type: 'rank', text: query.text, limit, ...meaning } as const;
  const reply = await askIndex(ctx, query, { part, patience, request: (about) => ({ ...asked, ...about }) });
  return reply?.type === 'ranked' ? reply.ranked : undefined;
}

/** The memories and passages of an agent nearest to an embedding. Reads only the owner's rows. */
export async function findNearest(
  ctx: MemoryContext,
  agent: { userId: string; agentId: string },
  meaning: Int8Array,
  limit: number,
): Promise<Near[]> {
  const place: RecallPlace = { ...agent, sessionId: NIL, scope: 'agent' };
  const request = (about: { key: string; version: number }) => ({ type: 'nearest', meaning, limit, ...about }) as const;
  const reply = await askIndex(ctx, place, { part: 'all', request });
  return reply?.type === 'near' ? reply.near : [];
}
