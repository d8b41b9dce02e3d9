import type { TaskEvent } from '@atelier/contract/runs';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { AppEnv } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { toOpenAiError } from '../../platform/http/openai-error.ts';
import type { RunsContext } from '../runs/runs.start.service.ts';
import { type Answering, type Ask, checked } from './ask.service.ts';
import { type Message, start } from './ask-for-program.ts';
import type { Presence } from './present-program.ts';

const PING_MS = 15_000;

/** Streams an answer from its first word on. One that fails before has its own status. */
export async function answerStream(
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
