import {
  type Agent,
  type AgentSettings,
  type AgentUpdate,
  type agentCreate,
  DEFAULT_MODEL,
  DEFAULT_MODELS,
  NEW_AGENT,
  settingsOf,
} from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { agentSlug, type PageQuery } from '@atelier/contract/ids';
import { allOfServer } from '@atelier/contract/tools';
import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import {
  type Authorized,
  type Caller,
  libraryBound,
  mayPublish,
  mayUseTools,
  owned,
  proRequired,
  tooManyFor,
} from '../../access.ts';
import { asConflict } from '../../platform/database/constraint.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import { excludedSentence } from '../../platform/models/models.ts';
import { countAgentCreated, lockPublishing, lockUsage } from '../accounts/accounts.counts.service.ts';
import { type MailDeps, queueNotice } from '../accounts/accounts.mail.service.ts';
import { boundsOf } from '../budgets/budgets.service.ts';
import { findExistingTools, pinsOf } from '../tools/tools.service.ts';
import { type AgentRow, agents, nameLook } from './agents.table.ts';

/** The agent as it crosses the wire: its address, never its hidden key. */
export function toAgent(row: AgentRow): Agent {
  const { slug, userId, createdAt, updatedAt, forkBase, forkedFromUser } = row;
  return {
    ...settingsOf(row),
    id: slug,
    creatorId: userId,
    isPublic: row.isPublic,
    favoriteCount: row.favoriteCount,
    forkedFrom:
      forkBase === null || forkedFromUser === null
        ? null
        : { creatorId: forkedFromUser, agentId: forkBase.slug, name: forkBase.name, tools: forkBase.tools },
    unpublishedReason: row.unpublishedReason,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** The caller's living agents, newest first, a page at a time. */
export async function listAgents(ctx: Deps, caller: Caller, query: PageQuery) {
  const after = decodeCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.userId, caller.uid), isNull(agents.deletedAt), behind(agents.createdAt, agents.id, after)))
    .orderBy(desc(agents.createdAt), desc(agents.id))
    .limit(query.limit + 1);
  return page(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** The caller's living agent at an address; 404 where there is none, even if somebody else has one there. */
export async function getAgent(db: Db, uid: string, slug: string): Promise<Authorized<AgentRow>> {
  const [row] = await db
    .select()
    .from(agents)
    .where(and(eq(agents.userId, uid), eq(agents.slug, slug), isNull(agents.deletedAt)))
    .limit(1);
  return owned(uid, row, 'This agent');
}

/** How notices name a public agent, so that an open page fetches just this one again. */
export const exploreId = ({ userId, slug }: Pick<AgentRow, 'userId' | 'slug'>) => `${userId}/${slug}`;

/** Whether a provider has the model here. */
export const offersModel = (ctx: Deps, model: string) => ctx.models.list().some((m) => m.id === model);

/** Throws 400 for a model that the operator has taken away. */
export function requireNotExcluded(ctx: Pick<Deps, 'models'>, model: string): void {
  if (ctx.models.isExcluded(model)) throw new AppError('invalid_input', excludedSentence(model), { field: 'model' });
}

/** The model of an agent for which nobody has named one that is offered. */
export const usualModel = ({ models }: Pick<Deps, 'models'>): string =>
  (models.isExcluded(DEFAULT_MODEL) ? models.standIn() : null) ?? DEFAULT_MODEL;

/** Throws 400 for a model that is not offered here. */
function checkModel(ctx: Deps, model: string) {
  requireNotExcluded(ctx, model);
  // Ready agents name these two; where no provider has them, the stand-in answers.
  if (!offersModel(ctx, model) && !DEFAULT_MODELS.some((one) => one === model)) {
    throw new AppError('invalid_input', 'This model is not offered here.', { field: 'model' });
  }
}

/** Free users may keep the tools that an agent has, inactive; they can't add any. */
async function checkTools(ctx: Deps, caller: Caller, wanted: string[], before: string[]) {
  const added = wanted.filter((id) => !before.includes(id));
  if (added.length === 0) return;
  if (!mayUseTools(caller.plan)) throw proRequired('Tool access');
  const existing = await findExistingTools(ctx, caller.uid, added);
  if (added.some((id) => !existing.has(id))) {
    throw new AppError('invalid_input', 'This tool is not installed.', { field: 'tools' });
  }
}

/** Creates an agent and counts it; 409 where the address is taken. A free user's agent is private, whatever was asked. */
export async function createAgent(ctx: Deps, caller: Caller, input: z.output<typeof agentCreate>) {
  const { model = usualModel(ctx) } = input;
  checkModel(ctx, model);
  await checkTools(ctx, caller, input.tools, []);
  const toolPins = await pinsOf(ctx, caller.uid, input.tools);
  return insertAgent(ctx, caller, { ...input, model, toolPins, isPublic: input.isPublic && mayPublish(caller.plan) });
}

type NewAgent = AgentSettings &
  Partial<
    Pick<
      AgentRow,
      'id' | 'slug' | 'isPublic' | 'forkedFromUser' | 'forkedFromAgent' | 'forkBase' | 'toolPins' | 'foreignPrompt'
    >
  >;

/** Throws 402 where the account has as many agents as the operator allows; until the end of the transaction nobody adds another one. */
async function requireRoom({ config }: Pick<Deps, 'config'>, tx: Tx, uid: string): Promise<void> {
  const { agents: most } = boundsOf(config);
  if (most === undefined) return;
  await lockUsage(tx, uid);
  if ((await tx.$count(agents, and(eq(agents.userId, uid), isNull(agents.deletedAt)))) < most) return;
  const count = most === 1 ? '1 agent' : `${most} agents`;
  throw new AppError('limit_reached', `You have ${count}, the most that this server allows. Delete one first.`);
}

/**
 * Throws 403 where the operator has blocked the author, and 429 where an agent that was not public under its name before would be one too many
 * within a day. Until the end of the transaction the author publishes nothing else.
 */
async function requirePublishing({ config }: Pick<Deps, 'config'>, tx: Tx, key: Key, isNew: boolean): Promise<void> {
  const blocked = await lockPublishing(tx, key.userId);
  if (blocked !== null) {
    throw new AppError('forbidden', `The operator has blocked publishing for your account: ${blocked}`);
  }
  if (!isNew) return;
  const most = libraryBound(config, 'publications');
  const since = sql<number>`ceil(extract(epoch from ${agents.publishedAt} + interval '1 day' - now()))::int`;
  const isLatest = gt(agents.publishedAt, sql`now() - interval '1 day'`);
  const [last] = await tx
    .select({ wait: since })
    .from(agents)
    .where(and(eq(agents.userId, key.userId), ne(agents.id, key.id), isLatest))
    .orderBy(desc(agents.publishedAt))
    .offset(most - 1)
    .limit(1);
  if (last !== undefined) {
    throw tooManyFor(last.wait, `You have published ${most} agents within a day, which is the most.`);
  }
}

type Key = Pick<AgentRow, 'userId' | 'id'>;

/** Stores settings that were checked already as an agent of the caller and counts it; 402 without room, 409 where the address is taken. */
export async function insertAgent(
  ctx: Deps,
  caller: Pick<Caller, 'uid'>,
  agent: NewAgent,
): Promise<Authorized<AgentRow>> {
  const values = { slug: agentSlug(agent.name), id: uuidv7(), ...agent, userId: caller.uid };
  return ctx.db
    .transaction(async (tx) => {
      await requireRoom(ctx, tx, caller.uid);
      const { isPublic = false } = values;
      if (isPublic) await requirePublishing(ctx, tx, values, true);
      const [row] = await tx
        .insert(agents)
        .values({ ...values, publishedAt: isPublic ? sql`now()` : null })
        .returning();
      await countAgentCreated(tx, caller.uid);
      await ctx.live.notify(tx, caller.uid, 'agents', values.id);
      await ctx.live.notify(tx, caller.uid, 'account', caller.uid);
      if (row?.isPublic) await ctx.live.notify(tx, '*', 'explore', exploreId(row));
      return owned(caller.uid, row, 'This agent');
    })
    .catch(asConflict('agents_slug', SENTENCES.agentTaken, 'name'));
}

/** Merges the given fields into the agent; its address stays. */
export async function updateAgent(ctx: Deps, caller: Caller, agent: Authorized<AgentRow>, input: AgentUpdate) {
  if (input.model !== undefined && input.model !== agent.model) checkModel(ctx, input.model);
  if (input.tools === undefined) return writeAgent(ctx, caller, agent, input);
  await checkTools(ctx, caller, input.tools, agent.tools);
  return writeAgent(ctx, caller, agent, { ...input, toolPins: await repin(ctx, caller, agent, input.tools) });
}

/** A tool that stays on keeps what it was when it was turned on; only one that is turned on now is taken as it is now. */
async function repin(ctx: Deps, caller: Caller, agent: AgentRow, toolIds: string[]): Promise<AgentRow['toolPins']> {
  const added = toolIds.filter((id) => !agent.tools.includes(id));
  const stays = (id: string) => toolIds.includes(id) && !added.includes(id);
  const staying = agent.toolPins.filter(([id]) => stays(id) || stays(allOfServer(id) ?? id));
  return [...staying, ...(await pinsOf(ctx, caller.uid, added))];
}

type AgentChange = AgentUpdate & Partial<Pick<AgentRow, 'forkBase' | 'toolPins'>>;

/** Writes fields that were checked already and tells everybody whom it concerns; without Pro the agent is private from then on. */
export async function writeAgent(ctx: Deps, caller: Caller, { userId, id }: Authorized<AgentRow>, change: AgentChange) {
  const isOne = and(eq(agents.userId, userId), eq(agents.id, id), isNull(agents.deletedAt));
  return ctx.db.transaction(async (tx) => {
    // Not as it was read before: the operator may have unpublished it since, or its author made it private.
    const [row] = await tx.select().from(agents).where(isOne).for('no key update');
    const agent = owned(caller.uid, row, 'This agent');
    const isPublic = (change.isPublic ?? agent.isPublic) && mayPublish(caller.plan);
    const { name = agent.name } = change;
    const isSame = and(agents.isPublic, eq(nameLook(agents.name), nameLook(sql`${name}::text`)));
    const since = sql`case when ${isSame} then ${agents.publishedAt} else now() end`;
    if (isPublic) await requirePublishing(ctx, tx, agent, !agent.isPublic || name !== agent.name);
    const [written] = await tx
      .update(agents)
      .set({
        ...change,
        ...(isPublic && { publishedAt: since, unpublishedReason: null }),
        isPublic,
        updatedAt: sql`now()`,
      })
      .where(isOne)
      .returning();
    await ctx.live.notify(tx, caller.uid, 'agents', id);
    if (change.name !== undefined) await ctx.live.notify(tx, caller.uid, 'sessions', id);
    if (isPublic || agent.isPublic) await ctx.live.notify(tx, '*', 'explore', exploreId(agent));
    return owned(caller.uid, written, 'This agent');
  });
}

/** Makes a public agent private for a reason that its author reads, also by mail; false if it isn't public. `also` runs within. */
export const unpublishAgent = (
  ctx: Pick<Deps, 'db'> & { live: Pick<Deps['live'], 'notify'> } & MailDeps,
  { userId, id }: Key,
  reason: string,
  also: (tx: Tx) => Promise<void>,
): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(agents)
      .set({ isPublic: false, unpublishedReason: reason, updatedAt: sql`now()` })
      .where(and(eq(agents.userId, userId), eq(agents.id, id), agents.isPublic, isNull(agents.deletedAt)))
      .returning();
    if (row === undefined) return false;
    await ctx.live.notify(tx, userId, 'agents', id);
    await ctx.live.notify(tx, '*', 'explore', exploreId(row));
    await queueNotice(ctx, tx, userId, { kind: 'agent_unpublished', name: row.name, reason });
    await also(tx);
    return true;
  });

/** Empties the agent's row and takes its address; the row stays, so that its sessions can name it. */
export async function emptyAgent(ctx: Deps, tx: Tx, agent: Authorized<AgentRow>): Promise<void> {
  await tx
    .update(agents)
    .set({
      ...NEW_AGENT,
      deletedAt: sql`now()`,
      prompt: '',
      toolPins: [],
      isPublic: false,
      unpublishedReason: null,
      forkBase: null,
    })
    .where(and(eq(agents.userId, agent.userId), eq(agents.id, agent.id)));
  await ctx.live.notify(tx, agent.userId, 'agents', agent.id);
  await ctx.live.notify(tx, agent.userId, 'sessions', agent.id);
  if (agent.isPublic) await ctx.live.notify(tx, '*', 'explore', exploreId(agent));
}
