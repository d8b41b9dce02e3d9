import { type ModelResponse, openAiCalls, type ResponseCreate } from '@atelier/contract/endpoints/openai';
import type { Task, TaskEvent } from '@atelier/contract/runs';
import type { Context } from 'hono';
import type { Caller } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { toOpenAiError } from '../../platform/http/openai-error.ts';
import { serve } from '../../serve.ts';
import type { DepsWithRunner } from '../runs/runs.start.service.ts';
import { type Ask, checked, type SessionWish } from './ask.service.ts';
import { answerStream, answerWhole, readMessages } from './ask-for-program.ts';
import { receiptOf, secondsOf, toChunks, toCompletion } from './chat-completions.ts';
import { getModel, listModels } from './models.service.ts';

/** OpenAI's interface: the models are the caller's agents. */
export const openAiRoutes = (deps: DepsWithRunner, ask: Ask) =>
  serve(openAiCalls, {
    models: async ({ caller }) => listModels(deps, caller),
    model: async ({ caller, params }) => getModel(deps, caller, params.agentId),
    complete: async ({ c, caller, body: { model, messages, stream, stream_options, ...named } }) => {
      const request = { ...readMessages(messages, 'messages'), model, session: wishOf(c, named) };
      if (!stream) return toCompletion(caller, await answerWhole(c, deps, ask, request), model);
      const options = { model, withUsage: stream_options?.include_usage ?? false };
      return answerStream(c, deps, ask, request, async (out, answering) => {
        for await (const chunk of toChunks(caller, answering, options)) {
          await out.writeSSE({ data: JSON.stringify(chunk) });
        }
        await out.writeSSE({ data: '[DONE]' });
      });
    },
    respond: async ({ c, caller, body }) => {
      const { model, input, instructions, stream } = body;
      const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
      const session = wishOfResponse(c, body);
      const request = { ...readMessages(items, 'input', instructions ?? ''), model, session };
      if (!stream) return toResponse(caller, await answerWhole(c, deps, ask, request), body);
      return answerStream(c, deps, ask, request, async (out, answering) => {
        let sequence_number = 0;
        for await (const { type, ...rest } of toResponseEvents(caller, answering, body)) {
          await out.writeSSE({ event: type, data: JSON.stringify({ type, sequence_number, ...rest }) });
          sequence_number += 1;
        }
      });
    },
  });

/** The header beats the fields: programs behind a library can often set only one of them. OpenAI has renamed its field. */
const wishOf = (
  c: Context,
  { user, safety_identifier }: Pick<ResponseCreate, 'user' | 'safety_identifier'>,
): SessionWish => ({
  name: c.req.header('x-session-id') || user || safety_identifier || undefined,
});

function wishOfResponse(c: Context, body: ResponseCreate): SessionWish {
  const { previous_response_id: previous, store } = body;
  if (store !== false) return previous ? { after: exchangeOf(previous) } : wishOf(c, body);
  if (previous) throw new AppError('invalid_input', NOT_STORED, { field: 'store' });
  return { isFleeting: true };
}
const NOT_STORED =
  'An answer that is not stored can’t go on from another. Leave “store” or “previous_response_id” out.';

const PREFIX = 'resp_';
/** The exchange that a response's id names; a foreign id names none. */
const exchangeOf = (responseId: string) =>
  responseId.startsWith(PREFIX) ? responseId.slice(PREFIX.length) : responseId;

type ResponseRequest = Pick<ResponseCreate, 'model' | 'instructions' | 'previous_response_id' | 'store' | 'user'>;
type Message = ModelResponse['output'][number];

const partOf = (text: string) => ({ type: 'output_text' as const, text, annotations: [] });

const messageOf = (task: Task, status: Message['status'], text: string | null): Message => ({
  id: `msg_${task.id}`,
  type: 'message',
  role: 'assistant',
  status,
  content: text === null ? [] : [partOf(text)],
});

const usageOf = ({ usage }: Task): ModelResponse['usage'] =>
  usage && {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };

/** A response before its answer. */
const begun = (task: Task, request: ResponseRequest): ModelResponse => ({
  id: `${PREFIX}${task.id}`,
  object: 'response',
  created_at: secondsOf(task.timestamp),
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  instructions: request.instructions ?? null,
  max_output_tokens: null,
  metadata: {},
  model: request.model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: request.previous_response_id ?? null,
  reasoning: { effort: null, summary: null },
  store: request.store ?? true,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  usage: null,
  user: request.user ?? null,
});

/** An answer as a response: `incomplete` where the model didn't come to its end, `cancelled` where the person stopped it. */
function toResponse(caller: Caller, task: Task, request: ResponseRequest): ModelResponse {
  const isWhole = task.status === 'done' && task.cut === undefined;
  const ended = task.cut === undefined ? 'completed' : 'incomplete';
  const reason = task.cut === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    ...begun(task, request),
    status: task.status === 'done' ? ended : 'cancelled',
    incomplete_details: ended === 'incomplete' ? { reason } : null,
    output: [messageOf(task, isWhole ? 'completed' : 'incomplete', task.message)],
    usage: usageOf(task),
    atelier: receiptOf(caller, task),
  };
}

type ResponseEvent = { type: string } & Record<string, unknown>;

/** The events of a streamed response, in order. A failure is the last of them. */
async function* toResponseEvents(
  caller: Caller,
  { task, events }: { task: Task; events: AsyncIterable<TaskEvent> },
  request: ResponseRequest,
): AsyncGenerator<ResponseEvent> {
  const start = begun(task, request);
  const at = { item_id: `msg_${task.id}`, output_index: 0, content_index: 0 };
  yield { type: 'response.created', response: start };
  yield { type: 'response.in_progress', response: start };
  yield { type: 'response.output_item.added', output_index: 0, item: messageOf(task, 'in_progress', null) };
  yield { type: 'response.content_part.added', ...at, part: partOf('') };
  try {
    for await (const event of events) {
      if (event.type === 'delta') {
        yield { type: 'response.output_text.delta', ...at, delta: event.text, logprobs: [] };
      }
      if (event.type === 'done') yield* lastEvents(toResponse(caller, checked(event.task), request), at);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = toOpenAiError(error.code, error.message).error;
    yield { type: 'response.failed', response: { ...start, status: 'failed', error: { code, message } } };
  }
}

function* lastEvents(response: ModelResponse, at: object): Generator<ResponseEvent> {
  for (const item of response.output) {
    for (const part of item.content) {
      yield { type: 'response.output_text.done', ...at, text: part.text, logprobs: [] };
      yield { type: 'response.content_part.done', ...at, part };
    }
    yield { type: 'response.output_item.done', output_index: 0, item };
  }
  yield { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response };
}
