import type { modelEntry, modelList } from '@atelier/contract/endpoints/openai';
import type { z } from 'zod';
import { type Caller, owned, reached } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { listAgents } from '../agents/agents.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { type SessionWish, sessionKey } from './ask.service.ts';
import { secondsOf } from './chat-completions.ts';
import { agentAndSession } from './endpoints.queries.ts';

const PAGE = 200;

/** The agents that a key reaches, as models, newest first. */
export async function listModels(ctx: Deps, caller: Caller): Promise<z.infer<typeof modelList>> {
  const agents: AgentRow[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await listAgents(ctx, caller, { limit: PAGE, cursor });
    agents.push(...rows);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  const ids = caller.key?.agentIds ?? null;
  const shown = agents.filter(({ id }) => ids === null || ids.includes(id));
  return { object: 'list', data: shown.map(toModel) };
}

/** One agent as a model; throws where the list wouldn't have it. */
export async function getModel(ctx: Deps, caller: Caller, model: string): Promise<z.infer<typeof modelEntry>> {
  const { agent } = await findReached(ctx, caller, model, {});
  return toModel(agent);
}

const toModel = ({ slug, name, userId, createdAt }: AgentRow): z.infer<typeof modelEntry> => ({
  id: slug,
  object: 'model',
  created: secondsOf(createdAt),
  owned_by: userId,
  name,
});

/**
 * The caller's agent that a program names as its model, and the session that it knows by the wish's name, if there is one; 404 as OpenAI
 * answers it where there is no such agent, or not for this key.
 */
export async function findReached(ctx: Deps, caller: Caller, model: string, wish: SessionWish) {
  const place = { uid: caller.uid, slug: model, name: sessionKey(caller, wish.name) };
  const [row] = await agentAndSession(ctx.db).execute(place);
  try {
    return { agent: reached(caller, owned(caller.uid, row?.agent, 'This agent')), sessionId: row?.sessionId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('not_found', `There is no agent “${model}”, or not for this key.`, { field: 'model' });
  }
}
