import type { WhyFound } from '@atelier/contract/search/why-found';
import { searchWords } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { findMemories } from './manage.queries.ts';
import { type RecalledItem, type RecallQuery, recall } from './memory.service.ts';
import { explain, relatedTerms, standingIn } from './wording.service.ts';

export type MemoryHit = Pick<RecalledItem, 'id' | 'kind' | 'text' | 'timestamp' | 'sessionName'> & {
  /** Missing for a neighbour of a match. */
  why?: WhyFound;
};

/**
 * Memories that match a search, best first: results of recall, then those with related words, each with the reason. Files are not included.
 */
export async function searchMemories(
  ctx: Deps,
  query: RecallQuery & { scope: 'session' | 'agent' },
): Promise<MemoryHit[]> {
  const { userId, agentId: agentKey, text, limit } = query;
  const recalled = await recall(ctx, { ...query, limit: limit * 2 });
  const hits: MemoryHit[] = recalled.filter(({ kind }) => kind !== 'file');
  const words = searchWords(text);
  const terms = relatedTerms(words) ?? words;
  if (terms !== words && hits.length < limit) {
    const sessionId = query.scope === 'session' ? query.sessionId : undefined;
    const rows = await findMemories(ctx.db, userId, { sessionId }, { terms, agentKey, limit });
    const more = rows.filter(({ memory }) => hits.every(({ id }) => id !== memory.id));
    hits.push(
      ...more.map(({ memory, sessionName }) => ({ ...memory, timestamp: memory.createdAt.toISOString(), sessionName })),
    );
  }
  const near = ctx.models.embedder === null ? [] : recalled.map(({ id }) => id);
  return hits.slice(0, limit).map(({ id, kind, text: memoryText, timestamp, sessionName }) => {
    const standing = standingIn(memoryText, terms);
    const byMeaning: WhyFound | undefined = near.includes(id) ? { by: 'meaning', words: [text], found: [] } : undefined;
    const why = standing.length > 0 ? explain(words, terms, standing) : byMeaning;
    return { id, kind, text: memoryText, timestamp, sessionName, ...(why && { why }) };
  });
}
