import { chatCompletionCreate, responseCreate } from '@atelier/contract/programs/openai';
import type { TaskEvent } from '@atelier/contract/runs';
import { type Context, Hono } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { type AppEnv, requires } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { toOpenAiError } from '../../platform/http/openai-error.ts';
import { idempotencyKey } from '../../platform/http/request-headers.ts';
import { validate } from '../../platform/http/validate.ts';
import type { RunsContext } from '../runs/runs.start.service.ts';
import { type Answering, type Ask, checked, wholeAnswer } from './ask.service.ts';
import { toChunks, toCompletion } from './chat-completions.ts';
import type { SessionWish } from './choose-session.service.ts';
import { findReached, getModel, listModels } from './models.service.ts';
import { type Presence, watchProgram } from './present-program.ts';
import { type Asked, readMessages } from './read-messages.ts';
import { exchangeOf, toResponse, toResponseEvents } from './responses.ts';

const PING_MS = 15_000;

/** OpenAI's interface, mounted at /v1: the models are the caller's agents. */
export function openAiRoutes(deps: RunsContext, ask: Ask) {
  return new Hono<AppEnv>()
    .get('/models', requires('pro', 'reads', 'read'), async (c) => c.json(await listModels(deps, c.get('caller'))))
    .get('/models/:agentId', requires('pro', 'reads', 'read'), async (c) =>
      c.json(await getModel(deps, c.get('caller'), c.req.param('agentId'))),
    )
    .post(
      '/chat/completions',
      requires('pro', 'messages', 'talk'),
      validate('json', chatCompletionCreate),
      async (c) => {
        const { model, messages, stream, stream_options, user } = c.req.valid('json');
        const caller = c.get('caller');
        const asked = { ...readMessages(messages, 'messages'), model, session: wishOf(c, user) };
        const presence = watchProgram(deps, c);
        if (!stream) {
          return c.json(toCompletion(caller, await answerWhole(c, deps, ask, asked, presence), model));
        }
        const options = { model, withUsage: stream_options?.include_usage ?? false };
        return answerStream(c, deps, ask, asked, presence, async (out, answering) => {
          for await (const chunk of toChunks(caller, answering, options)) {
            await out.writeSSE({ data: JSON.stringify(chunk) });
          }
          await out.writeSSE({ data: '[DONE]' });
        });
      },
    )
    .post('/responses', requires('pro', 'messages', 'talk'), validate('json', responseCreate), async (c) => {
      const body = c.req.valid('json');
      const { model, input, instructions, previous_response_id: previous, stream, user } = body;
      const caller = c.get('caller');
      const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
      const session = previous ? { after: exchangeOf(previous) } : wishOf(c, user);
      const asked = { ...readMessages(items, 'input', instructions ?? ''), model, session };
      const presence = watchProgram(deps, c);
      if (!stream) return c.json(toResponse(caller, await answerWhole(c, deps, ask, asked, presence), body));
      return answerStream(c, deps, ask, asked, presence, async (out, answering) => {
        let sequence_number = 0;
        for await (const { type, ...rest } of toResponseEvents(caller, answering, body)) {
          await out.writeSSE({ event: type, data: JSON.stringify({ type, sequence_number, ...rest }) });
          sequence_number += 1;
        }
      });
    });
}

/** The header beats the field: programs behind a library can often set only one of them. */
const wishOf = (c: Context<AppEnv>, user: string | null | undefined): SessionWish => ({
  name: c.req.header('x-session-id') || user || undefined,
});

type Message = Asked & { model: string; session: SessionWish };

async function start(c: Context<AppEnv>, deps: RunsContext, ask: Ask, message: Message, signal: AbortSignal) {
  const { model, ...rest } = message;
  const caller = c.get('caller');
  const { agent, sessionId } = await findReached(deps, caller, model, rest.session);
  const session = { ...rest.session, known: sessionId ?? undefined };
  const key = idempotencyKey(c.req.header('idempotency-key'));
  return ask(caller, { ...rest, agent, session, idempotencyKey: key }, signal);
}

async function answerWhole(c: Context<AppEnv>, deps: RunsContext, ask: Ask, message: Message, presence: Presence) {
  try {
    return await wholeAnswer(await start(c, deps, ask, message, presence.signal));
  } finally {
    presence.end();
  }
}

/** Streams an answer from its first word on. One that fails before has its own status. */
async function answerStream(
  c: Context<AppEnv>,
  deps: RunsContext,
  ask: Ask,
  message: Message,
  presence: Presence,
  write: (out: SSEStreamingApi, answering: Answering) => Promise<void>,
): Promise<Response> {
  const leave = c.get('bounds').enter(c.get('caller').uid, 'streams');
  const end = () => {
    leave();
    presence.end();
  };
  try {
    const { task, events } = await start(c, deps, ask, message, presence.signal);
    const begun = { task, events: await fromFirstWord(events) };
    return streamSSE(c, async (out) => {
      out.onAbort(presence.left);
      const ping = setInterval(() => void out.write(': ping\n\n'), PING_MS);
      try {
        await write(out, begun);
      } catch (error) {
        await writeFailure(deps, out, error);
      } finally {
        clearInterval(ping);
        end();
      }
    });
  } catch (error) {
    end();
    throw error;
  }
}

/** The events, once the first that a program sees is there. */
async function fromFirstWord(events: AsyncGenerator<TaskEvent>): Promise<AsyncGenerator<TaskEvent>> {
  let first = await events.next();
  while (!first.done && first.value.type === 'memory') first = await events.next();
  if (!first.done && first.value.type === 'done') checked(first.value.task);
  return (async function* () {
    if (!first.done) yield first.value;
    yield* events;
  })();
}

/** An answer that broke off ends with an event that clients throw as an error. */
async function writeFailure(deps: RunsContext, out: SSEStreamingApi, error: unknown): Promise<void> {
  if (!(error instanceof AppError)) deps.log.error('endpoints.stream', error);
  const known = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on the server.');
  await out.writeSSE({ data: JSON.stringify(toOpenAiError(known.code, known.message, known.field)) });
}
