import { type Caller, mayUseTools } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { STEPS_MAX } from '../../platform/models/models.ts';
import { countTokens } from '../../platform/models/tokens.ts';
import { requireNotExcluded } from '../agents/agents.service.ts';
import { type BoundBudget, type Budget, bindBudgets, findBudgets } from '../budgets/budgets.service.ts';
import { ANSWER_TOKENS, FRAME_TOKENS, windowOf } from './engine/budget.ts';
import type { Run } from './engine/run.ts';
import { findAnswering, wasSent } from './runs.queries.ts';

/** What a message reserves of the budgets, and what its run may take at most; nothing while there are none. */
export interface Reservation {
  /** The model that was checked or reserved for: the run asks it, whatever the agent's is by then. */
  model?: string;
  bound?: NonNullable<Run['bound']>;
  budgets: BoundBudget[] | null;
  reservedTokens: number | null;
  reservedCost: string | null;
}

const NOTHING: Reservation = { budgets: null, reservedTokens: null, reservedCost: null };

interface Message {
  sessionId: string;
  inputText: string;
  model?: string | undefined;
  instructions?: string;
  idempotencyKey?: string | undefined;
  retryOf?: string;
}

/**
 * The most that the answer to a message may take: the model's window once, or with tools for each of their calls, within BUDGET_RUN_TOKENS. The
 * prompt and the message always go whole. Throws 400 where the operator has taken the model away. One statement, and none while there are no
 * budgets and no such models.
 */
export async function reserveFor(ctx: Deps, caller: Caller, message: Message): Promise<Reservation> {
  const all = await findBudgets(ctx);
  const hasExclusions = ctx.models.excluded().length > 0;
  if (all.length === 0 && !hasExclusions) return NOTHING;
  const agent = await findAnswering(ctx.db, caller.uid, message.sessionId);
  // It will be refused as not there.
  if (agent === undefined) return NOTHING;
  const model = message.model ?? agent.model;
  try {
    requireNotExcluded(ctx, model);
    return all.length === 0 ? { ...NOTHING, model } : reserve(ctx, caller, { ...message, model }, agent, all);
  } catch (error) {
    // A message that was accepted before is answered as it was.
    if (await wasSent(ctx.db, caller.uid, message.idempotencyKey, message.retryOf)) return { ...NOTHING, model };
    throw error;
  }
}

function reserve(
  ctx: Deps,
  caller: Caller,
  message: Message & { model: string },
  agent: { prompt: string; tools: string[] },
  all: readonly Budget[],
): Reservation {
  const { model } = message;
  const whole = [agent.prompt, message.instructions ?? '', message.inputText].join('\n\n');
  const hasTools = mayUseTools(caller.plan) && agent.tools.length > 0 && ctx.models.resolve(model).tools;
  const bound = boundOf(windowOf(ctx, model), ctx.config.BUDGET_RUN_TOKENS, hasTools, countTokens(whole));
  const output = Math.min(bound.tokens, bound.answer * (hasTools ? STEPS_MAX : 1));
  const budgets = bindBudgets(ctx, all, ctx.models.resolve(model).id, { input: bound.tokens - output, output });
  const cost = budgets.find(({ unit }) => unit === 'cost')?.need;
  return { model, bound, budgets, reservedTokens: bound.tokens, reservedCost: cost === undefined ? null : `${cost}` };
}

/** How many calls an answer with tools may at least make with whole windows. */
const CALLS = 4;

function boundOf(window: number, most: number, hasTools: boolean, fixed: number) {
  const share = Math.min(window, hasTools ? Math.floor(most / CALLS) : most);
  const answer = Math.min(ANSWER_TOKENS, Math.floor(share / 4));
  const fitting = Math.max(share, fixed + FRAME_TOKENS + answer);
  const tokens = Math.max(fitting, hasTools ? Math.min(most, STEPS_MAX * window) : 0);
  return { window: fitting, answer, tokens };
}
