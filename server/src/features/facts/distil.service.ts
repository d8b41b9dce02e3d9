import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { clausesOf } from '../../platform/language/facts/clauses.ts';
import {
  type FactCandidate,
  findFacts,
  isOwnStatement,
  mayStateFacts,
} from '../../platform/language/facts/find-facts.ts';
import { ownSentences } from '../../platform/language/facts/own-words.ts';
import { ABOUT_SELF } from '../../platform/language/facts/read-claim.ts';
import { replaces as makesUntrue, saysSame } from '../../platform/language/facts/replaces.ts';
import { namesIn, readStatement } from '../../platform/language/facts/statement.ts';
import { stemsOf } from '../../platform/language/words.ts';
import { askInBackground } from '../budgets/background.service.ts';
import {
  type AgentKey,
  type ComparableFact,
  findFactsToCompare,
  findStated,
  lockAgent,
  lockSources,
} from './facts.queries.ts';
import { facts } from './facts.table.ts';

const TIMEOUT_MS = 30_000;
/** The most that a model may take for it, also where each character is a token. */
const MODEL_TOKENS = 7_500;
/** How many of an agent's facts a new one is compared with. */
const COMPARED = 1_000;
/** The share of a model's words that must be the person's own. */
const GROUNDED = 0.6;

type Stated = Awaited<ReturnType<typeof findStated>>;

/**
 * Distils the facts that a person stated in one exchange, once. Only their own words count: no answers, pages, files or quotations. A
 * failing model, and a budget without room, leave it to the rules.
 */
export async function distilExchange(ctx: Deps, job: { userId: string; taskId: string }): Promise<void> {
  if (ctx.config.FACTS === 'off') return;
  const stated = await findStated(ctx.db, job.userId, job.taskId);
  const [first] = stated;
  if (first === undefined || !first.distil) return;
  const agent = { userId: job.userId, agentId: first.agentId };
  const before = await findFactsToCompare(ctx.db, agent, COMPARED);
  const newFacts = await findIn(ctx, agent, stated, [...new Set(before.map(({ about }) => about))]);
  if (newFacts.length === 0) return;
  await ctx.db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    const ids = stated.map(({ id }) => id);
    const alive = new Set((await lockSources(tx, job.userId, ids)).map(({ id }) => id));
    const fresh = newFacts.flatMap((fact) => {
      const { id = '', saidAt: at } = stated[fact.part] ?? {};
      return at === undefined || !alive.has(id) ? [] : [{ ...fact, memoryId: id, at }];
    });
    const count = await keepFacts(tx, agent, fresh);
    if (count > 0) await ctx.live.notify(tx, job.userId, 'facts', job.userId);
  });
}

async function findIn(ctx: Deps, agent: AgentKey, stated: Stated, names: string[]): Promise<FactCandidate[]> {
  const parts = stated.map(({ text }) => text);
  const [first] = stated;
  const byModel = ctx.config.FACTS === 'model' && ctx.models.kind !== 'offline' && first?.plan === 'pro';
  if (!byModel) return findFacts(parts, names);
  const model = ctx.models.resolve(first.model).id;
  try {
    return (await askModel(ctx, agent, parts, model)) ?? findFacts(parts, names);
  } catch (error) {
    ctx.log.error('facts.distil', error);
    return findFacts(parts, names);
  }
}

/** The model's facts that the person's own sentences bear out; null when it can't be asked, or a budget has no room. */
async function askModel(
  ctx: Deps,
  { userId: uid, agentId }: AgentKey,
  parts: string[],
  model: string,
): Promise<FactCandidate[] | null> {
  if (!mayStateFacts(parts, 'any')) return [];
  const own = ownSentences(parts).filter(isOwnStatement);
  const sentences = own.map(({ text }) => text);
  const call = { uid, purpose: 'facts', model, agentId, tokens: MODEL_TOKENS, timeoutMs: TIMEOUT_MS } as const;
  const distilled = await askInBackground(ctx, call, (how) => ctx.models.distil({ model, sentences, ...how }));
  if (distilled === null) return null;
  const ownStems = stemsOf(sentences.join(' '));
  return distilled.flatMap(({ text, about, from }) => {
    const sentence = own[from];
    const stems = [...stemsOf(text)];
    const grounded = stems.filter((stem) => ownStems.has(stem)).length >= GROUNDED * stems.length;
    // An order, a question or a guess is no fact, even when the model says so.
    if (sentence === undefined || !grounded || stems.length === 0 || clausesOf(text).length === 0) return [];
    const isSelf = about === '' || /^(?:you|user|the (?:user|person|speaker)|person|i|me|self)$/iu.test(about);
    return [
      {
        text: text.replace(/[.!]$/u, ''),
        about: isSelf ? ABOUT_SELF : about,
        part: sentence.part,
        sentence: sentence.sentence,
      },
    ];
  });
}

interface NewFact extends FactCandidate {
  memoryId: string;
  at: Date;
}

/** Stores new facts, joined with those that say the same and in place of those that they make untrue; returns how many. */
async function keepFacts(tx: Tx, agent: { userId: string; agentId: string }, newFacts: NewFact[]): Promise<number> {
  const earlierFacts = await findFactsToCompare(tx, agent, COMPARED);
  const refused = new Set(earlierFacts.map(({ memoryId, statement }) => `${memoryId} ${statement}`));
  let others = earlierFacts.filter(isCurrent).map((one) => ({ ...one, at: one.correctedAt ?? one.saidAt }));
  let count = 0;
  for (const { text, about, memoryId, sentence, at } of newFacts) {
    const statement = createHash('sha256').update(text.toLowerCase()).digest('base64url');
    if (refused.has(`${memoryId} ${statement}`)) continue;
    const id = uuidv7();
    const { sameAs, replacedBy, replaces } = compareFact({ id, text, at }, others);
    const aboutWhom = others.find((one) => one.id === sameAs)?.about ?? nameIn(about, others);
    await tx
      .insert(facts)
      .values({ ...agent, id, memoryId, sentence, text, about: aboutWhom, statement, sameAs, replacedBy });
    count += 1;
    if (sameAs !== null) continue;
    if (replaces.length > 0) {
      await tx
        .update(facts)
        .set({ replacedBy: id })
        .where(and(eq(facts.userId, agent.userId), inArray(facts.id, replaces), isNull(facts.replacedBy)));
    }
    others = others.filter((one) => !replaces.includes(one.id));
    others.push({ ...EMPTY, id, memoryId, text, about, statement, saidAt: at, at });
  }
  return count;
}

/** The name of “Your sister”, if a known fact tells it. */
function nameIn(about: string, otherFacts: readonly { text: string }[]): string {
  if (!about.startsWith('Your ')) return about;
  return namesIn(otherFacts.map(({ text }) => text)).get(about.slice(5)) ?? about;
}

const EMPTY = { correctedAt: null, forgottenAt: null, replacedBy: null, sameAs: null };
const isCurrent = (fact: ComparableFact) =>
  fact.forgottenAt === null && fact.replacedBy === null && fact.sameAs === null;

/** A fact among the others of an agent, with when it was stated or corrected. */
interface DatedFact {
  id: string;
  text: string;
  at: Date;
}

/** Where a new fact belongs among those that are known. */
interface FactLinks {
  /** An earlier one says the same. */
  sameAs: string | null;
  /** A later one makes it untrue. */
  replacedBy: string | null;
  /** The earlier ones that it makes untrue. */
  replaces: string[];
}

/** Compares a new fact with the known ones that are neither forgotten nor repetitions, in any order. */
function compareFact(fact: DatedFact, otherFacts: readonly DatedFact[]): FactLinks {
  const names = namesIn([fact.text, ...otherFacts.map(({ text }) => text)]);
  const nameOf = (relation: string) => names.get(relation);
  const read = (text: string) => readStatement(text, nameOf);
  const now = read(fact.text);
  const compared = otherFacts.map((other) => ({ other, before: read(other.text) }));
  const same = compared.find(({ before }) => saysSame(now, before));
  const later = compared.find(({ other, before }) => other.at > fact.at && makesUntrue(before, now));
  const replaces = compared.filter(({ other, before }) => other.at <= fact.at && makesUntrue(now, before));
  return {
    sameAs: same?.other.id ?? null,
    replacedBy: later?.other.id ?? null,
    replaces: replaces.map(({ other }) => other.id),
  };
}
