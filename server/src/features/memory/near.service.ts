import { setTimeout as pause } from 'node:timers/promises';
import { NIL } from 'uuid';
import { searchWords } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { isDictionaryWord } from '../../platform/language/related-words.ts';
import { countTokens } from '../../platform/models/tokens.ts';
import { askInBackground } from '../budgets/background.service.ts';
import { findRecentMemories } from './embed.queries.ts';
import { cosineBetween, type Near } from './index/meaning.ts';
import { findAgentsInUse } from './memory.queries.ts';
import { findNearest, prepareRecall } from './memory.service.ts';

/** How long the provider may take; a late result is kept for the next search. */
const PROVIDER_MS = 1_500;
/** How long a search waits for embeddings before it uses words only. */
const PATIENCE_MS = 700;
/** How many of a user's recently used agents are searched by meaning. */
const AGENTS = 8;
const OF_EACH = 30;
/** How many recent memories without a vector are embedded together with the search. */
const ALONG = 16;
/** Shorter texts have no useful meaning. */
const TEXT_MIN = 3;

/** Neutral sentences: a search's similarity to them is its similarity to anything. Only what is clearly nearer counts. */
const BACKGROUND = [
  'The meeting starts at nine.',
  'It rained all night.',
  'She painted the kitchen yellow.',
  'How much does a ticket cost?',
  'My brother plays the violin.',
  'The report is due on Friday.',
  'We had soup for lunch.',
  'Turn left after the bridge.',
  'The server restarts every Sunday.',
  'He forgot his keys again.',
  'Our dog sleeps in the hallway.',
  'Please send me the invoice.',
  'The museum was closed.',
  'I run five kilometres a day.',
  'They moved to a small town.',
  'The film was too long.',
];
/** The least similarity shown, from 0 (background) to 1 (the same meaning). A search that may not be a word needs more. */
const NEAR = 0.3;
const NEAR_UNKNOWN = 0.4;

/** A title that can be found by its meaning. */
export interface Title {
  key: string;
  text: string;
}

export interface MeaningHits {
  state: 'done' | 'late' | 'none';
  /** The ids of memories and passages, nearest first. */
  near: string[];
  /** The keys of titles, nearest first. */
  titles: string[];
}

const nothing = (state: MeaningHits['state']): MeaningHits => ({ state, near: [], titles: [] });

interface MeaningQuery {
  userId: string;
  text: string;
  titles?: () => Promise<Title[]>;
}

/**
 * Memories, passages and titles near in meaning to a text. `none` without an embedding model or room in a budget, `late` when the provider fails or is too
 * slow. Ids may be of forgotten memories: the rows decide.
 */
export async function findByMeaning(ctx: Deps, wanted: MeaningQuery): Promise<MeaningHits> {
  const { embedder } = ctx.models;
  if (embedder === null || wanted.text.trim().length < TEXT_MIN) return nothing('none');
  if (embedder.failing) return nothing('late');
  const enough = new AbortController();
  const late = pause(PATIENCE_MS, nothing('late'), { signal: enough.signal }).catch(() => nothing('late'));
  const results = look(ctx, embedder, wanted).catch((error) => {
    ctx.log.error('search.meaning', error);
    return nothing('late');
  });
  const first = await Promise.race([results, late]);
  enough.abort();
  return first;
}

type Embedder = NonNullable<Deps['models']['embedder']>;

async function look(ctx: Deps, embedder: Embedder, wanted: MeaningQuery): Promise<MeaningHits> {
  const { userId, text } = wanted;
  const agents = await findAgentsInUse(ctx.db, userId, AGENTS);
  // Load indexes while the provider works.
  for (const agent of agents) prepareRecall(ctx, { userId, agentId: agent, sessionId: NIL, scope: 'agent' });
  const fresh = await findRecentMemories(ctx.db, { userId }, embedder.space, ALONG);
  const titles = (await wanted.titles?.()) ?? [];
  const texts = [text, ...BACKGROUND, ...[...fresh, ...titles].map((one) => one.text)];
  const most = { tokens: countTokens(texts.join('\n')), timeoutMs: PROVIDER_MS };
  const call = { uid: userId, purpose: 'embedding', model: embedder.model, ...most } as const;
  const made = await askInBackground(ctx, call, ({ signal, onTokens }) => embedder.embed(texts, signal, onTokens));
  if (made === null) return nothing('none');
  const vectorOf = new Map(texts.map((one, i) => [one, made[i] ?? new Int8Array(0)]));
  const question = vectorOf.get(text) ?? new Int8Array(0);
  const cosineOf = (one: string) => cosineBetween(question, vectorOf.get(one) ?? new Int8Array(0));
  const least = searchWords(text).some(isDictionaryWord) ? NEAR : NEAR_UNKNOWN;
  const isNear = nearerThan(BACKGROUND.map(cosineOf), least);
  const vectors = await Promise.all(
    agents.map((agent) => findNearest(ctx, { userId, agentId: agent }, question, OF_EACH)),
  );
  const recent = fresh.map((memory) => ({ id: memory.id, cosine: cosineOf(memory.text) }));
  const named = titles.map((title) => ({ id: title.key, cosine: cosineOf(title.text) }));
  const best = (all: Near[]) => {
    const near = all.filter(({ cosine }) => isNear(cosine)).sort((a, b) => b.cosine - a.cosine);
    return [...new Set(near.map(({ id }) => id))];
  };
  return { state: 'done', near: best([...recent, ...vectors.flat()]), titles: best(named) };
}

/** Whether a cosine is clearly above those of the background. */
function nearerThan(background: readonly number[], least: number): (cosine: number) => boolean {
  const mean = background.reduce((sum, cosine) => sum + cosine, 0) / background.length;
  return (cosine) => cosine > mean && (cosine - mean) / (1 - mean) >= least;
}
