import type { Deps } from '../../platform/deps.ts';
import { findJustSaid } from './embed.queries.ts';
import type { Placed } from './index/meaning.ts';

/** The provider is waited for this long; then words alone have to do. Milliseconds. */
const MEANING_MS = 1_500;
/** So many of the latest memories may go along with the question. */
const ALONG = 16;

interface Question {
  userId: string;
  agentId: string;
  sessionId: string;
  scope: 'session' | 'agent' | 'files';
  text: string;
}

/**
 * The question's place in meaning, and the places of what was said just before it and has no vector yet: one request, so that the
 * latest is found by meaning without waiting for the job behind the answer. Nothing where nothing makes embeddings or the provider
 * is late or failing, for words find most by themselves.
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
