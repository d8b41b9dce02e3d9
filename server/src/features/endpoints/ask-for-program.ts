import { AGENT_LIMITS } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { inputText, type TaskEvent } from '@atelier/contract/runs';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { toOpenAiError } from '../../platform/http/openai-error.ts';
import { idempotencyKey } from '../../platform/http/request-headers.ts';
import { watchCaller } from '../accounts/auth/watch-caller.service.ts';
import type { DepsWithRunner } from '../runs/runs.start.service.ts';
import { type Answering, type Ask, checked, type SessionWish, wholeAnswer } from './ask.service.ts';
import { findReached } from './models.service.ts';

type Message = ReadMessage & { model: string; session: SessionWish };

async function start(c: Context<AppEnv>, deps: DepsWithRunner, ask: Ask, message: Message, signal: AbortSignal) {
  const { model, ...rest } = message;
  const caller = c.get('caller');
  const { agent, sessionId } = await findReached(deps, caller, model, rest.session);
  const session = { ...rest.session, sessionId: sessionId ?? undefined };
  return ask(caller, { ...rest, agent, session, idempotencyKey: idempotencyKey(c) }, signal);
}

/** The whole answer at once. Throws why there is none. */
export async function answerWhole(c: Context<AppEnv>, deps: DepsWithRunner, ask: Ask, message: Message) {
  const presence = watchProgram(deps, c);
  try {
    return await wholeAnswer(await start(c, deps, ask, message, presence.signal));
  } finally {
    presence.end();
  }
}

const PING_MS = 15_000;

/** Streams an answer from its first word on. One that fails before has its own status. */
export async function answerStream(
  c: Context<AppEnv>,
  deps: DepsWithRunner,
  ask: Ask,
  message: Message,
  write: (out: SSEStreamingApi, answering: Answering) => Promise<void>,
): Promise<Response> {
  const leave = c.get('bounds').enter(c.get('caller').uid, 'streams');
  const presence = watchProgram(deps, c);
  const end = () => {
    leave();
    presence.end();
  };
  try {
    const { task, events } = await start(c, deps, ask, message, presence.signal);
    const begun = { task, events: await fromFirstWord(events) };
    return streamSSE(c, async (out) => {
      out.onAbort(presence.leave);
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

/** The events, once the first that a program sees is there. Ends them when it says that there is no answer. */
async function fromFirstWord(events: AsyncGenerator<TaskEvent>): Promise<AsyncGenerator<TaskEvent>> {
  let first = await events.next();
  while (!first.done && (first.value.type === 'memory' || first.value.type === 'wait')) first = await events.next();
  try {
    if (!first.done && first.value.type === 'done') checked(first.value.task);
  } catch (error) {
    await events.return(undefined);
    throw error;
  }
  return (async function* () {
    if (!first.done) yield first.value;
    yield* events;
  })();
}

/** An answer that broke off ends with an event that clients throw as an error. */
async function writeFailure(deps: DepsWithRunner, out: SSEStreamingApi, error: unknown): Promise<void> {
  if (!(error instanceof AppError)) deps.log.error('endpoints.stream', error);
  const appError = error instanceof AppError ? error : new AppError('internal', 'Something went wrong on the server.');
  await out.writeSSE({ data: JSON.stringify(toOpenAiError(appError.code, appError.message, appError.field)) });
}

/** Whether the program that asked still waits, and still may. */
interface Presence {
  /** Aborts when it leaves or its key ends. */
  signal: AbortSignal;
  leave: () => void;
  /** Stops watching. */
  end: () => void;
}

/** Watches the connection of a request and the key or sign-in behind it. */
export function watchProgram(deps: Deps, c: Context<AppEnv>): Presence {
  const controller = new AbortController();
  const leave = () => controller.abort(new AppError('unavailable', 'The request ended before the answer did.'));
  const { signal } = c.req.raw;
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  const stopWatching = watchCaller(deps, c, () => controller.abort(new AppError('signed_out', SENTENCES.keyNeeded)));
  const end = () => {
    signal.removeEventListener('abort', leave);
    stopWatching();
  };
  return { signal: controller.signal, leave, end };
}

/** What a request asks: the message itself, and what is added to the agent's prompt for this answer. */
interface ReadMessage {
  text: string;
  instructions: string;
}

interface ProgramMessage {
  role?: string | undefined;
  content?: unknown;
}

const content = z.union([
  z.string(),
  z.array(z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() })),
]);

/**
 * Of a whole history, the last message of the user is the message: the session remembers what came before it. System and developer
 * messages are added to the agent's prompt. 400 with `field` for anything but text.
 */
export function readMessages(messages: readonly ProgramMessage[], field: string, instructions = ''): ReadMessage {
  const last = messages.findLast(({ role }) => role === 'user');
  if (last === undefined) throw new AppError('invalid_input', 'There is no message of the user.', { field });
  const orders = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const added = [instructions, ...orders.map((message) => textOf(message, field))].filter((text) => text.trim() !== '');
  return { text: checkText(textOf(last, field), field), instructions: checkInstructions(added.join('\n\n'), field) };
}

function textOf(message: ProgramMessage, field: string): string {
  const read = content.safeParse(message.content);
  if (!read.success) throw new AppError('invalid_input', 'Only text is read here, no pictures or files.', { field });
  return typeof read.data === 'string' ? read.data : read.data.map(({ text }) => text).join('\n');
}

function checkText(text: string, field: string): string {
  const checked = inputText.safeParse(text);
  if (checked.success) return checked.data;
  throw new AppError('invalid_input', checked.error.issues[0]?.message ?? '', { field });
}

function checkInstructions(text: string, field: string): string {
  if (text.length <= AGENT_LIMITS.prompt) return text;
  const sentence = `System messages can have at most ${AGENT_LIMITS.prompt.toLocaleString('en')} characters together.`;
  throw new AppError('invalid_input', sentence, { field });
}
