import type { Deps } from '../../platform/deps.ts';
import { findJustSaid } from './embed.queries.ts';
import type { Placed } from './index/meaning.ts';
import type { RecallPlace } from './index-worker.service.ts';

/** How many milliseconds to wait for the provider before words alone have to do. */
const MEANING_MS = 1_500;
/** How many recent memories may be embedded together with the question. */
const ALONG = 16;

interface Question extends RecallPlace {
  text: string;
}

/**
 * Embeds the question, together with recent memories that have no vector yet: one request, so the latest are found by meaning before their
 * job has run. Returns nothing without an embedding model, or when the provider is late or failing: words find most things by themselves.
 */
export async function placeQuestion(
  { db, models, log }: Pick<Deps, 'db'> & Partial<Pick<Deps, 'models' | 'log'>>,
  { scope, text, ...place }: Question,
): Promise<{ meaning?: Int8Array; fresh?: Placed[] }> {
  const embedder = models?.embedder;
  if (!embedder || embedder.failing || text.trim() === '') return {};
  try {
    const { userId, agentId } = place;
    const of = { userId, agentId, sessionId: scope === 'session' ? place.sessionId : undefined };
    const waiting = scope === 'files' ? [] : await findJustSaid(db, of, embedder.space, ALONG);
    const texts = [text, ...waiting.map((memory) => memory.text)];
    const [meaning, ...vectors] = await embedder.embed(texts, AbortSignal.timeout(MEANING_MS));
    if (meaning === undefined) return {};
    return { meaning, fresh: waiting.map(({ id }, i) => ({ id, vector: vectors[i] ?? new Int8Array(0) })) };
  } catch (error) {
    log?.error('memory.meaning', error);
    return {};
  }
}
