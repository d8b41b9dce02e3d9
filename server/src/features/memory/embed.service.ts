import { sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import type { NewJob } from '../../platform/jobs/jobs.ts';
import { countTokens } from '../../platform/models/tokens.ts';
import { askInBackground } from '../budgets/background.service.ts';
import {
  countEmbedded,
  findAgentsToEmbed,
  findPassagesToEmbed,
  findToEmbed,
  raiseMemories,
  raisePassages,
} from './embed.queries.ts';
import { type AgentKey, raiseVersion } from './memory.queries.ts';
import { memoryVectors, passageVectors } from './memory.table.ts';

/** One queue embeds an agent's new memories, the other finds what was missed. */
export const EMBED_QUEUE = 'memory.embed';
export const EMBED_REST_QUEUE = 'memory.embed-rest';
const BATCH = 64;
const AGENTS = 100;

/** Raises the version of an agent's memory in the transaction that adds passages or memories, and returns it. */
export const raiseMemoryVersion = raiseVersion;

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
  await embedAll(ctx, agent, findToEmbed, raiseMemories, keepMemoryVectors);
  await embedAll(ctx, agent, findPassagesToEmbed, raisePassages, keepPassageVectors);
}

type Find = (db: Db, agent: AgentKey, space: string, limit: number) => PromiseLike<{ id: string; text: string }[]>;

type Raise = (tx: Tx, userId: string, ids: string[], version: number) => PromiseLike<{ id: string }[]>;
type VectorRow = { userId: string; id: string; space: string; vector: Buffer };
type Keep = (tx: Tx, rows: VectorRow[]) => PromiseLike<unknown>;

async function embedAll(ctx: Deps, agent: AgentKey, find: Find, raise: Raise, keep: Keep) {
  const { embedder } = ctx.models;
  if (embedder === null) return;
  for (;;) {
    const rows = await find(ctx.db, agent, embedder.space, BATCH);
    if (rows.length === 0) return;
    const texts = rows.map((row) => row.text);
    const { userId, agentId } = agent;
    const most = { tokens: countTokens(texts.join('\n')), timeoutMs: ctx.config.MODEL_TIMEOUT_MS };
    const call = { uid: userId, agentId, purpose: 'embedding', model: embedder.model, ...most } as const;
    const made = await askInBackground(ctx, call, ({ signal, onTokens }) => embedder.embed(texts, signal, onTokens));
    // What is left is found when the budget opens again (`embedRest`).
    if (made === null) return;
    const vectors = new Map(rows.flatMap(({ id }, i) => (made[i] === undefined ? [] : [[id, made[i]] as const])));
    // The rows get a new version together with their vectors, so every process's index loads them.
    await ctx.db.transaction(async (tx) => {
      const living = await raise(tx, userId, [...vectors.keys()], await raiseVersion(tx, agent));
      // The others were forgotten, or their file was deleted, while the provider worked.
      const kept = living.flatMap(({ id }) => {
        const vector = vectors.get(id);
        return vector === undefined ? [] : [{ userId, id, space: embedder.space, vector: Buffer.from(vector.buffer) }];
      });
      if (kept.length > 0) await keep(tx, kept);
    });
  }
}

/** Embeds everything that still has no vector, for example after a change of model, an upgrade or a failed job. */
export async function embedRest(ctx: Deps): Promise<void> {
  const { embedder } = ctx.models;
  if (embedder === null) return;
  for (const agent of await findAgentsToEmbed(ctx.db, embedder.space, AGENTS)) await embedAgent(ctx, agent);
}

const keepMemoryVectors = (tx: Tx, rows: VectorRow[]) =>
  tx
    .insert(memoryVectors)
    .values(rows.map(({ id: memoryId, ...row }) => ({ ...row, memoryId })))
    .onConflictDoUpdate({ target: [memoryVectors.userId, memoryVectors.memoryId], set: written });

const keepPassageVectors = (tx: Tx, rows: VectorRow[]) =>
  tx
    .insert(passageVectors)
    .values(rows.map(({ id: passageId, ...row }) => ({ ...row, passageId })))
    .onConflictDoUpdate({ target: [passageVectors.userId, passageVectors.passageId], set: written });

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
