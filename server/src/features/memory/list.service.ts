import type { MemoriesQuery } from '@atelier/contract/memory';
import type { WhyFound } from '@atelier/contract/search/why-found';
import type { Caller } from '../../access.ts';
import { searchWords, type Term } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts';
import { findMemories, findMemoriesByIds, type ManagedRow } from './manage.queries.ts';
import { findByMeaning, type MeaningHits } from './near.service.ts';
import { explain, relatedTerms, spelledTerms, standingIn } from './wording.service.ts';

interface ListRow {
  row: ManagedRow;
  why?: WhyFound;
}

interface Page {
  rows: ListRow[];
  nextCursor: string | null;
  meaning: MeaningHits['state'];
}

const positionOf = ({ memory }: ManagedRow) => ({ at: memory.createdAt, id: memory.id });

/**
 * The caller's memories, newest first, filtered by agent, session, kind or words. After the last one with all the words come related ones
 * and those near in meaning, as many as fit on the page.
 */
export async function listMemories(ctx: Deps, caller: Caller, query: MemoriesQuery): Promise<Page> {
  const words = searchWords(query.q ?? '');
  const after = decodeCursor(query.cursor);
  const listed = { terms: words, after, limit: query.limit + 1 };
  const { rows, nextCursor } = page(await findMemories(ctx.db, caller.uid, query, listed), query.limit, positionOf);
  if (words.length === 0) return { rows: rows.map((row) => ({ row })), nextCursor, meaning: 'none' };
  const hits = rows.map((row) => tell(row, words, words));
  const last = rows.at(-1);
  const room = query.limit - rows.length;
  // The next page begins with the related ones.
  if (room === 0 && last !== undefined) {
    return { rows: hits, nextCursor: nextCursor ?? encodeCursor(positionOf(last)), meaning: 'none' };
  }
  const others = await findOthers(ctx, caller, query, words, room);
  if (hits.length + others.rows.length > 0 || after !== undefined) {
    return { ...others, rows: [...hits, ...others.rows], nextCursor: null };
  }
  return { ...others, rows: await findMistyped(ctx, caller, query, words), nextCursor: null };
}

const tell = (row: ManagedRow, words: readonly string[], terms: readonly Term[]): ListRow => ({
  row,
  why: explain(words, terms, standingIn(row.memory.text, terms)),
});

async function findOthers(
  ctx: Deps,
  { uid }: Caller,
  query: MemoriesQuery,
  words: readonly string[],
  room: number,
): Promise<Pick<Page, 'rows' | 'meaning'>> {
  const text = query.q ?? '';
  const meant = findByMeaning(ctx, { userId: uid, text });
  const terms = relatedTerms(words);
  const related =
    terms === undefined ? [] : await findMemories(ctx.db, uid, query, { terms, without: words, limit: room });
  const { state, near } = await meant;
  const rowsById = new Map((await findMemoriesByIds(ctx.db, uid, near, words)).map((row) => [row.memory.id, row]));
  const seen = new Set(related.map(({ memory }) => memory.id));
  const meaning = near.flatMap((id) => {
    const row = rowsById.get(id);
    if (row === undefined || seen.has(id) || !isWanted(row, query)) return [];
    return [{ row, why: { by: 'meaning' as const, words: [text.trim()], found: [] } }];
  });
  const rows = [...related.map((row) => tell(row, words, terms ?? words)), ...meaning].slice(0, room);
  return { rows, meaning: state };
}

async function findMistyped(ctx: Deps, { uid }: Caller, query: MemoriesQuery, words: readonly string[]) {
  const terms = spelledTerms(words);
  if (terms === undefined) return [];
  const rows = await findMemories(ctx.db, uid, query, { terms, limit: query.limit });
  return rows.map((row) => tell(row, words, terms));
}

/** Whether a memory found by other means passes the list's filters. */
function isWanted({ memory, agentSlug }: ManagedRow, { agentId, sessionId, kind, pinned }: MemoriesQuery): boolean {
  return (
    (agentId === undefined || agentSlug === agentId) &&
    (sessionId === undefined || memory.sessionId === sessionId) &&
    (kind === undefined || memory.kind === kind) &&
    (pinned === undefined || memory.pinned)
  );
}
