import { z } from 'zod';
import { type CallOptions, calls, get, post, under } from '../calls.ts';
import { memoryItem } from '../memory.ts';
import { toolCall } from '../tools.ts';

// The names and shapes are OpenAI's. What a request says beyond this is ignored: the agent's own settings hold.

const NO_TOOLS = 'The agent brings its own tools. Leave tools out, and turn them on in the agent’s settings.';
const NO_CONVERSATIONS =
  'There are no conversations here. Name a session with “user” or the header X-Session-Id, or go on with “previous_response_id”.';
const ONLY_TEXT = 'Answers are plain text. Leave the response format out.';

const model = z.string('The model is the id of an agent.').min(1).max(200);
const session = z.string().max(200).nullish();
const named = { user: session, safety_identifier: session };
const noTools = z.array(z.unknown()).max(0, NO_TOOLS).nullish();
const onlyText = z.object({ type: z.literal('text', ONLY_TEXT) }).nullish();

/** Contents are read where they are used: of a whole history, only the last message of the user is. */
const chatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.unknown(),
});

export const chatCompletionCreate = z.object({
  model,
  messages: z.array(chatMessage).min(1, 'Send at least one message.').max(10_000),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  ...named,
  n: z.literal(1, 'One answer at a time: n must be 1.').nullish(),
  tools: noTools,
  functions: noTools,
  response_format: onlyText,
});

/** Everything else in a list of items, such as earlier calls of tools, belongs to the history. */
const inputItem = z.object({ type: z.string().max(100).optional(), role: z.string().max(100).optional() }).loose();

export const responseCreate = z.object({
  model,
  input: z.union([z.string(), z.array(inputItem).min(1, 'Send at least one item.').max(10_000)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().max(100).nullish(),
  conversation: z.null(NO_CONVERSATIONS).optional(),
  /** False leaves no session. */
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  ...named,
  tools: noTools,
  text: z.object({ format: onlyText }).nullish(),
  background: z.literal(false, 'An answer is waited for: background must be false.').nullish(),
});
export type ResponseCreate = z.infer<typeof responseCreate>;

/** What the agent used for an answer. `memory_used` is empty for a key that may not read. */
const receipt = z.object({
  session_id: z.string(),
  task_id: z.string(),
  memory_used: z.array(memoryItem),
  tool_calls: z.array(toolCall),
});
export type Receipt = z.infer<typeof receipt>;

/** One of the caller's agents, under a name of its own: `model` is the field of a request. */
export const modelEntry = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
  name: z.string(),
});

export const modelList = z.object({ object: z.literal('list'), data: z.array(modelEntry) });

const count = z.number().int();

export const chatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: count,
  model: z.string(),
  choices: z.array(
    z.object({
      index: count,
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: z.enum(['stop', 'length', 'content_filter']),
    }),
  ),
  usage: z.object({ prompt_tokens: count, completion_tokens: count, total_tokens: count }),
  atelier: receipt,
});
export type ChatCompletion = z.infer<typeof chatCompletion>;

const outputText = z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.never()) });
const outputMessage = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  content: z.array(outputText),
});

/** An answer of the Responses interface; called `modelResponse`, because every answer is a response. */
export const modelResponse = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: count,
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
  instructions: z.string().nullable(),
  max_output_tokens: z.null(),
  metadata: z.object({}),
  model: z.string(),
  output: z.array(outputMessage),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  reasoning: z.object({ effort: z.null(), summary: z.null() }),
  store: z.boolean(),
  temperature: z.null(),
  text: z.object({ format: z.object({ type: z.literal('text') }) }),
  tool_choice: z.literal('auto'),
  tools: z.array(z.never()),
  top_p: z.null(),
  truncation: z.literal('disabled'),
  usage: z
    .object({
      input_tokens: count,
      input_tokens_details: z.object({ cached_tokens: count }),
      output_tokens: count,
      output_tokens_details: z.object({ reasoning_tokens: count }),
      total_tokens: count,
    })
    .nullable(),
  user: z.string().nullable(),
  atelier: receipt.optional(),
});
export type ModelResponse = z.infer<typeof modelResponse>;

/** The body of every error under `/v1`. */
export const openAiError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
});
export type OpenAiError = z.infer<typeof openAiError>;

const ASK_OPTIONS = {
  rate: 'messages',
  keys: 'talk',
  headers: { 'X-Session-Id': 'The session to talk in: its id, or any name of your own.' },
  fails: ['limit_reached', 'not_found', 'conflict', 'provider_failed'],
  mayStream: true,
  description: 'With `stream`, the answer comes as server-sent events.',
} satisfies CallOptions;

export const openAiCalls = calls(under('/v1', { who: 'pro', failure: openAiError }), {
  models: get('/models', 'listModels', 'Your agents, as OpenAI lists models.', { keys: 'read', answer: modelList }),
  model: get('/models/:agentId', 'getModel', 'One of your agents, as OpenAI describes a model.', {
    keys: 'read',
    answer: modelEntry,
    fails: ['not_found'],
  }),
  complete: post('/chat/completions', 'createChatCompletion', 'Asks an agent, as OpenAI’s Chat Completions.', {
    ...ASK_OPTIONS,
    body: chatCompletionCreate,
    answer: chatCompletion,
  }),
  respond: post('/responses', 'createResponse', 'Asks an agent, as OpenAI’s Responses.', {
    ...ASK_OPTIONS,
    body: responseCreate,
    answer: modelResponse,
  }),
});
