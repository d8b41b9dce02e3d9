import { setTimeout as pause } from 'node:timers/promises';
import { NIL } from 'uuid';
import { searchWords } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { isKnownWord } from '../../platform/language/related-words.ts';
import { findJustSaid } from './embed.queries.ts';
import { cosineBetween, type Near } from './index/meaning.ts';
import { findAgentsInUse } from './memory.queries.ts';
import { findNearest, prepareRecall } from './memory.service.ts';

/** The provider may take this long; what it makes later is kept for the next search. */
const PROVIDER_MS = 1_500;
/** A search waits this long for meaning; then words have to do. */
const PATIENCE_MS = 700;
/** A user's agents used last, so many of them, are asked; of the others words alone are searched. */
const AGENTS = 8;
const OF_EACH = 30;
/** So many of the latest memories that have no vector yet go along. */
const ALONG = 16;
/** Shorter texts mean nothing yet. */
const TEXT_MIN = 3;

/**
 * Sentences about nothing in particular. How near a search is to these is how near it is to anything: models differ much in that, and so
 * do searches. Only what is clearly nearer is near.
 */
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
/** From the background, 0, to the same meaning, 1: what is below is not shown. What may be no word at all has to be nearer. */
const NEAR = 0.3;
const NEAR_UNKNOWN = 0.4;

/** A title that may be found by its meaning. */
export interface Title {
  key: string;
  text: string;
}

export interface FoundByMeaning {
  state: 'done' | 'late' | 'none';
  /** The ids of memories and passages, the nearest first. */
  near: string[];
  /** The keys of titles, the nearest first. */
  titles: string[];
}

const nothing = (state: FoundByMeaning['state']): FoundByMeaning => ({ state, near: [], titles: [] });

interface Wanted {
  userId: string;
  text: string;
  titles?: () => Promise<Title[]>;
}

/**
 * What a user's agents know that is near in meaning to a text, and which of some titles are. `none` where nothing makes embeddings,
 * `late` where the provider is failing or not quick enough. Ids may be of what was forgotten meanwhile: rows decide.
 */
export async function findByMeaning(ctx: Deps, wanted: Wanted): Promise<FoundByMeaning> {
  const { embedder } = ctx.models;
  if (embedder === null || wanted.text.trim().length < TEXT_MIN) return nothing('none');
  if (embedder.failing) return nothing('late');
  const enough = new AbortController();
  const late = pause(PATIENCE_MS, nothing('late'), { signal: enough.signal }).catch(() => nothing('late'));
  const found = look(ctx, embedder, wanted).catch((error) => {
    ctx.log.error('search.meaning', error);
    return nothing('late');
  });
  const first = await Promise.race([found, late]);
  enough.abort();
  return first;
}

type Embedder = NonNullable<Deps['models']['embedder']>;

async function look(ctx: Deps, embedder: Embedder, wanted: Wanted): Promise<FoundByMeaning> {
  const { userId, text } = wanted;
  const agents = await findAgentsInUse(ctx.db, userId, AGENTS);
  // Loaded while the provider is at work.
  for (const agent of agents) prepareRecall(ctx, { userId, agentId: agent, sessionId: NIL, scope: 'agent' });
  const fresh = await findJustSaid(ctx.db, { userId }, embedder.space, ALONG);
  const titles = (await wanted.titles?.()) ?? [];
  const texts = [text, ...BACKGROUND, ...[...fresh, ...titles].map((one) => one.text)];
  const made = await embedder.embed(texts, AbortSignal.timeout(PROVIDER_MS));
  const places = new Map(texts.map((one, i) => [one, made[i] ?? new Int8Array(0)]));
  const question = places.get(text) ?? new Int8Array(0);
  const cosineOf = (one: string) => cosineBetween(question, places.get(one) ?? new Int8Array(0));
  const least = searchWords(text).some(isKnownWord) ? NEAR : NEAR_UNKNOWN;
  const isNear = nearerThan(BACKGROUND.map(cosineOf), least);
  const known = await Promise.all(
    agents.map((agent) => findNearest(ctx, { userId, agentId: agent }, question, OF_EACH)),
  );
  const justSaid = fresh.map((memory) => ({ id: memory.id, cosine: cosineOf(memory.text) }));
  const named = titles.map((title) => ({ id: title.key, cosine: cosineOf(title.text) }));
  const best = (all: Near[]) => {
    const near = all.filter(({ cosine }) => isNear(cosine)).sort((a, b) => b.cosine - a.cosine);
    return [...new Set(near.map(({ id }) => id))];
  };
  return { state: 'done', near: best([...justSaid, ...known.flat()]), titles: best(named) };
}

/** Whether a cosine is clearly above those of the background. */
function nearerThan(background: readonly number[], least: number): (cosine: number) => boolean {
  const mean = background.reduce((sum, cosine) => sum + cosine, 0) / background.length;
  return (cosine) => cosine > mean && (cosine - mean) / (1 - mean) >= least;
}
