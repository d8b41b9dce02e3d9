import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import type { NewJob } from '../../platform/jobs/jobs.ts';
import { countTokens } from '../../platform/models/tokens.ts';
import { askInBackground } from '../budgets/background.service.ts';
import { countEmbedded, findAgentsToEmbed, findPassagesToEmbed, findToEmbed, raisePassages } from './embed.queries.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories, memoryVectors, passageVectors } from './memory.table.ts';

/** One queue embeds an agent's new memories, the other finds what was missed. */
export const EMBED_QUEUE = 'memory.embed';
export const EMBED_REST_QUEUE = 'memory.embed-rest';
const BATCH = 64;
const AGENTS = 100;

interface AgentKey {
  userId: string;
  agentId: string;
}

/** The job that embeds what an agent remembers, for the transaction that stores it; none without an embedding model. */
export function embedJobs({ models }: Pick<Deps, 'models'>, { userId, agentId }: AgentKey): NewJob[] {
  if (models.embedder === null) return [];
  const data = { userId, agentId, space: models.embedder.space };
  return [{ queue: EMBED_QUEUE, data, singletonKey: agentId }];
}

/** Embeds an agent's memories and passages that have no vector in the current space. Throws the provider's error; finished vectors stay. */
export async function embedAgent(ctx: Deps, { space, ...agent }: AgentKey & { space?: string }): Promise<void> {
  // A process with another model sent this job. Working on it here would make both models overwrite each other's vectors.
  if (space !== undefined && space !== ctx.models.embedder?.space) return;
  await embedAll(ctx, agent, findToEmbed, keepMemoryVectors);
  await embedAll(ctx, agent, findPassagesToEmbed, keepPassageVectors);
}

type Find = (db: Db, agent: AgentKey, space: string, limit: number) => PromiseLike<{ id: string; text: string }[]>;

async function embedAll(ctx: Deps, agent: AgentKey, find: Find, keep: typeof keepMemoryVectors) {
  const { embedder } = ctx.models;
  if (embedder === null) return;
  for (;;) {
    const rows = await find(ctx.db, agent, embedder.space, BATCH);
    if (rows.length === 0) return;
    const texts = rows.map((row) => row.text);
    const { userId: uid, agentId } = agent;
    const most = { tokens: countTokens(texts.join('\n')), timeoutMs: ctx.config.MODEL_TIMEOUT_MS };
    const call = { uid, agentId, purpose: 'embedding', model: embedder.model, ...most } as const;
    const made = await askInBackground(ctx, call, ({ signal, onTokens }) => embedder.embed(texts, signal, onTokens));
    // What is left is found when the budget opens again (`embedRest`).
    if (made === null) return;
    const vectors = new Map(rows.flatMap(({ id }, i) => (made[i] === undefined ? [] : [[id, made[i]] as const])));
    // The rows get a new version together with their vectors, so every process's index loads them.
    await ctx.db.transaction(async (tx) => keep(tx, agent, await raiseVersion(tx, agent), embedder.space, vectors));
  }
}

/** Embeds everything that still has no vector, for example after a change of model, an upgrade or a failed job. */
export async function embedRest(ctx: Deps): Promise<void> {
  const { embedder } = ctx.models;
  if (embedder === null) return;
  for (const agent of await findAgentsToEmbed(ctx.db, embedder.space, AGENTS)) await embedAgent(ctx, agent);
}

type Vectors = Map<string, Int8Array>;

async function keepMemoryVectors(tx: Tx, { userId }: AgentKey, version: number, space: string, vectors: Vectors) {
  // It was forgotten while the provider worked.
  const living = await tx
    .update(memories)
    .set({ version })
    .where(and(eq(memories.userId, userId), inArray(memories.id, [...vectors.keys()]), isNull(memories.forgottenAt)))
    .returning({ memoryId: memories.id });
  const values = living.flatMap(({ memoryId }) => {
    const vector = vectors.get(memoryId);
    return vector === undefined ? [] : [{ userId, memoryId, space, vector: Buffer.from(vector.buffer) }];
  });
  if (values.length === 0) return;
  await tx
    .insert(memoryVectors)
    .values(values)
    .onConflictDoUpdate({ target: [memoryVectors.userId, memoryVectors.memoryId], set: written });
}

async function keepPassageVectors(tx: Tx, { userId }: AgentKey, version: number, space: string, vectors: Vectors) {
  // Its file was deleted while the provider worked.
  const living = await raisePassages(tx, userId, [...vectors.keys()], version);
  const values = living.flatMap(({ passageId }) => {
    const vector = vectors.get(passageId);
    return vector === undefined ? [] : [{ userId, passageId, space, vector: Buffer.from(vector.buffer) }];
  });
  if (values.length === 0) return;
  await tx
    .insert(passageVectors)
    .values(values)
    .onConflictDoUpdate({ target: [passageVectors.userId, passageVectors.passageId], set: written });
}

const written = { space: sql`excluded.space`, vector: sql`excluded.vector` };

/** How many of the caller's memories have a vector in the current space; null without an embedding model. */
export async function embeddingProgress(ctx: Deps, caller: Caller) {
  const { embedder } = ctx.models;
  if (embedder === null) return null;
  return { model: embedder.space, ...(await countEmbedded(ctx.db, caller.uid, embedder.space)) };
}

/** What was just said is found by meaning before it has a vector, so the job can wait for answers that are asked for meanwhile. */
const PAUSE_MS = 250;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerMemoryJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; agentId: string; space?: string }>(EMBED_QUEUE, (job) => embedAgent(deps, job), {
    retryLimit: 8,
    pauseMs: PAUSE_MS,
  });
  deps.jobs.handle(EMBED_REST_QUEUE, () => embedRest(deps), { cron: '*/5 * * * *' });
}
