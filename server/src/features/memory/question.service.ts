import type { Deps } from '../../platform/deps.ts';
import { countTokens } from '../../platform/models/tokens.ts';
import { hasRoom } from '../budgets/budgets.service.ts';
import { type LedgerEntry, recordTokens, toEntry } from '../ledger/ledger.service.ts';
import { findJustSaid } from './embed.queries.ts';
import type { Placed } from './index/meaning.ts';
import type { RecallPlace } from './index-worker.service.ts';

/** How many milliseconds to wait for the provider before words alone have to do. */
const MEANING_MS = 1_500;
/** How many recent memories may be embedded together with the question. */
const ALONG = 16;

interface Question extends RecallPlace {
  text: string;
  /** Where to note what the embedding takes; otherwise it is recorded at once. */
  spent?: LedgerEntry[];
}

/**
 * Embeds the question, together with recent memories that have no vector yet: one request, so the latest are found by meaning before their
 * job has run. Returns nothing without an embedding model, when a budget has no room, or when the provider is late or failing: words find most
 * things by themselves.
 */
export async function placeQuestion(
  {
    db,
    models,
    log,
    config,
    settings,
  }: Pick<Deps, 'db'> & Partial<Pick<Deps, 'models' | 'log' | 'config' | 'settings'>>,
  { scope, text, spent, ...place }: Question,
): Promise<{ meaning?: Int8Array; fresh?: Placed[] }> {
  const embedder = models?.embedder;
  if (!models || !embedder || embedder.failing || text.trim() === '') return {};
  try {
    const { userId, agentId } = place;
    const of = { userId, agentId, sessionId: scope === 'session' ? place.sessionId : undefined };
    const waiting = scope === 'files' ? [] : await findJustSaid(db, of, embedder.space, ALONG);
    const texts = [text, ...waiting.map((memory) => memory.text)];
    // A run has reserved what it may take.
    const bound = spent === undefined && config && settings ? { db, models, config, settings } : null;
    if (bound && !(await hasRoom(bound, userId, embedder.model, countTokens(texts.join('\n'))))) return {};
    const took: LedgerEntry[] = [];
    const [meaning, ...vectors] = await embedder.embed(texts, AbortSignal.timeout(MEANING_MS), (tokens) =>
      took.push(toEntry(models, { purpose: 'embedding', model: embedder.model, agentId }, tokens)),
    );
    if (spent) spent.push(...took);
    else await recordTokens({ db, ...(log ? { log } : {}) }, userId, took);
    if (meaning === undefined) return {};
    return { meaning, fresh: waiting.map(({ id }, i) => ({ id, vector: vectors[i] ?? new Int8Array(0) })) };
  } catch (error) {
    log?.error('memory.meaning', error);
    return {};
  }
}
