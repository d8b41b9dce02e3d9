import { countTokens } from '../../platform/models/tokens.ts';
import { askInBackground } from '../budgets/background.service.ts';
import { type LedgerEntry, toEntry } from '../ledger/ledger.service.ts';
import { findRecentMemories } from './embed.queries.ts';
import type { RowVector } from './index/meaning.ts';
import type { MemoryContext, RecallScope } from './index-worker.service.ts';

/** How many milliseconds to wait for the provider before words alone have to do. */
const MEANING_MS = 1_500;
/** How many recent memories may be embedded together with the question. */
const ALONG = 16;

interface Question extends RecallScope {
  text: string;
  /** Where to note what the embedding takes; otherwise it is recorded at once. */
  spent?: LedgerEntry[];
}

/**
 * Embeds the question, together with recent memories that have no vector yet: one request, so the latest are found by meaning before their
 * job has run. Returns nothing without an embedding model, when a budget has no room, or when the provider is late or failing: words find most
 * things by themselves.
 */
export async function embedQuestion(
  { db, models, log, config, settings }: Omit<MemoryContext, 'memoryIndex'>,
  { scope, text, spent, ...place }: Question,
): Promise<{ meaning?: Int8Array; fresh?: RowVector[] }> {
  const embedder = models?.embedder;
  if (!models || !embedder || embedder.failing || text.trim() === '') return {};
  if (!log || !config || !settings) return {};
  try {
    const { userId, agentId } = place;
    const of = { userId, agentId, sessionId: scope === 'session' ? place.sessionId : undefined };
    const waiting = scope === 'files' ? [] : await findRecentMemories(db, of, embedder.space, ALONG);
    const texts = [text, ...waiting.map((memory) => memory.text)];
    const purpose = { purpose: 'embedding', model: embedder.model, agentId } as const;
    const most = { tokens: countTokens(texts.join('\n')), timeoutMs: MEANING_MS };
    // A run has reserved what it may take, and stores it.
    const made = spent
      ? await embedder.embed(texts, AbortSignal.timeout(MEANING_MS), (took) =>
          spent.push(toEntry(models, purpose, took)),
        )
      : await askInBackground(
          { db, models, log, config, settings },
          { uid: userId, ...purpose, ...most },
          ({ signal, onTokens }) => embedder.embed(texts, signal, onTokens),
        );
    const [meaning, ...vectors] = made ?? [];
    if (meaning === undefined) return {};
    return { meaning, fresh: waiting.map(({ id }, i) => ({ id, vector: vectors[i] ?? new Int8Array(0) })) };
  } catch (error) {
    log.error('memory.meaning', error);
    return {};
  }
}
