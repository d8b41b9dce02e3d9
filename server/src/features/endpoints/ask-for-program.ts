import type { Context } from 'hono';
import type { AppEnv } from '../../access.ts';
import { idempotencyKey } from '../../platform/http/request-headers.ts';
import type { RunsContext } from '../runs/runs.start.service.ts';
import { type Ask, wholeAnswer } from './ask.service.ts';
import type { SessionWish } from './choose-session.service.ts';
import { findReached } from './models.service.ts';
import type { Presence } from './present-program.ts';
import type { Asked } from './read-messages.ts';

export type Message = Asked & { model: string; session: SessionWish };

/** Starts the answer to a program’s message. */
export async function start(c: Context<AppEnv>, deps: RunsContext, ask: Ask, message: Message, signal: AbortSignal) {
  const { model, ...rest } = message;
  const caller = c.get('caller');
  const { agent, sessionId } = await findReached(deps, caller, model, rest.session);
  const session = { ...rest.session, known: sessionId ?? undefined };
  return ask(caller, { ...rest, agent, session, idempotencyKey: idempotencyKey(c) }, signal);
}

/** The whole answer at once. Throws why there is none. */
export async function answerWhole(
  c: Context<AppEnv>,
  deps: RunsContext,
  ask: Ask,
  message: Message,
  presence: Presence,
) {
  try {
    return await wholeAnswer(await start(c, deps, ask, message, presence.signal));
  } finally {
    presence.end();
  }
}
