import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import type { Embedder } from '../../platform/models/embedder.ts';
import { countEmbedded, findAgentsToEmbed, findToEmbed } from './embed.queries.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories, memoryVectors } from './memory.table.ts';

/** The queue whose jobs give an agent's new memories their vectors, and the one that looks for whatever is left. */
export const EMBED_QUEUE = 'memory.embed';
export const EMBED_REST_QUEUE = 'memory.embed-rest';
const BATCH = 64;
const AGENTS = 100;

interface AgentKey {
  userId: string;
  agentId: string;
}

/** Within the transaction that stores memories: has their vectors made afterwards. Nothing where nothing makes embeddings. */
export async function embedLater(ctx: Pick<Deps, 'jobs' | 'models'>, tx: Tx, { userId, agentId }: AgentKey) {
  const { embedder } = ctx.models;
  if (embedder !== null) await ctx.jobs.send(tx, EMBED_QUEUE, { userId, agentId, space: embedder.space });
}

/** Gives every memory of an agent that lacks one a vector in the present space. Throws what the provider throws; what is done stays. */
export async function embedAgent(ctx: Deps, { space, ...agent }: AgentKey & { space?: string }): Promise<void> {
  const { embedder } = ctx.models;
  if (embedder === null) return;
  // A process with another model sent it: two of them would overwrite each other's vectors while one replaces the other.
  if (space !== undefined && space !== embedder.space) return;
  for (;;) {
    const rows = await findToEmbed(ctx.db, agent, embedder.space, BATCH);
    if (rows.length === 0) return;
    const vectors = await embedder.embed(
      rows.map((row) => row.text),
      AbortSignal.timeout(ctx.config.MODEL_TIMEOUT_MS),
    );
    await storeVectors(ctx, agent, embedder, new Map(rows.map((row, i) => [row.id, vectors[i]])));
  }
}

/** After a change of model, a failure that outlived its retries, or an upgrade: takes up whatever lacks a vector. */
export async function embedRest(ctx: Deps): Promise<void> {
  const { embedder } = ctx.models;
  if (embedder === null) return;
  for (const agent of await findAgentsToEmbed(ctx.db, embedder.space, AGENTS)) await embedAgent(ctx, agent);
}

/** The rows take a new version with their vectors, by which every process's index fetches them. */
async function storeVectors(
  ctx: Deps,
  agent: AgentKey,
  embedder: Embedder,
  vectors: Map<string, Int8Array | undefined>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const version = await raiseVersion(tx, agent);
    // Forgotten while the provider worked: no vector is left of it.
    const living = await tx
      .update(memories)
      .set({ version })
      .where(
        and(eq(memories.userId, agent.userId), inArray(memories.id, [...vectors.keys()]), isNull(memories.forgottenAt)),
      )
      .returning({ memoryId: memories.id });
    const values = living.flatMap(({ memoryId }) => {
      const vector = vectors.get(memoryId);
      if (vector === undefined) return [];
      return [{ userId: agent.userId, memoryId, space: embedder.space, vector: Buffer.from(vector.buffer) }];
    });
    if (values.length === 0) return;
    await tx
      .insert(memoryVectors)
      .values(values)
      .onConflictDoUpdate({
        target: [memoryVectors.userId, memoryVectors.memoryId],
        set: { space: sql`excluded.space`, vector: sql`excluded.vector` },
      });
  });
}

/** How far the caller's memories have got on their way into the present space; null where there is none. */
export async function embeddingProgress(ctx: Deps, caller: Caller) {
  const { embedder } = ctx.models;
  if (embedder === null) return null;
  return { model: embedder.space, ...(await countEmbedded(ctx.db, caller.uid, embedder.space)) };
}
