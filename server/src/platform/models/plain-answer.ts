import { APICallError } from 'ai';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';
import { errorTextOf } from './error-text.ts';
import { wordsOf } from './message-words.ts';
import type { GenerateInput } from './models.ts';
import { NONSENSE, ProviderError } from './provider-error.ts';
import { cutOf, noSuchTool, type Speaking, type Spoken } from './stream-answer.ts';
import { ThoughtReader } from './thoughts.ts';
import { readParts } from './tidy-stream.ts';

/** Where a provider is, and how to ask it. */
export interface Address {
  baseURL: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.union([z.string(), z.array(z.unknown())]).nullish(),
            // Thinking: DeepSeek, llama.cpp and older vLLM; OpenRouter, Ollama and newer vLLM.
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            refusal: z.unknown().optional(),
            tool_calls: z
              .array(z.object({ function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }) }))
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .optional(),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
  error: z.unknown().optional(),
});
type Chunk = z.infer<typeof chunk>;

/**
 * One answer without tools over OpenAI's chat completions, read from the event stream without the SDK, which takes several times as long
 * for each word. Throws whatever went wrong, for `explainFailure`.
 */
export async function* plainAnswer(
  { baseURL, headers, fetch: ask }: Address,
  input: GenerateInput,
  signal: AbortSignal,
): Speaking {
  const response = await ask(`${baseURL.replace(/\/$/u, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(requestOf(input)),
    signal,
  });
  if (!response.ok || response.body === null) throw await refused(response);
  const spoken: Spoken = {};
  const thoughts = new ThoughtReader();
  let hasEnded = false;
  for await (const read of chunksOf(response.body)) {
    if (read === 'done') {
      // Some servers give no reason beside it.
      hasEnded = true;
      continue;
    }
    const { choices, usage: counted, error } = read;
    if (error !== undefined && error !== null) throw error;
    if (counted) {
      spoken.inputTokens = counted.prompt_tokens ?? 0;
      spoken.outputTokens = counted.completion_tokens ?? 0;
    }
    const [choice] = choices ?? [];
    if (choice?.finish_reason) {
      hasEnded = true;
      spoken.cut = cutOf(choice.finish_reason);
    }
    const { thought, text } = saidIn(choice);
    if (thought !== '') yield { type: 'thought', text: thought };
    if (text !== '') yield* thoughts.read(text);
    for (const call of choice?.delta?.tool_calls ?? []) {
      // Calls come in pieces; the first one has the name.
      const { name } = call.function;
      if (name) yield { type: 'refused', name, input: {}, sentence: noSuchTool(name) };
    }
  }
  yield* thoughts.end();
  if (!hasEnded) throw new ProviderError('The provider ended the answer before it was complete.');
  return spoken;
}

const requestOf = ({ model, temperature, instructions, messages }: GenerateInput) => ({
  model,
  temperature,
  messages: [
    { role: 'system', content: instructions },
    ...messages.map((message) => ({ role: message.role, content: contentOf(message) })),
  ],
  stream: true,
  stream_options: { include_usage: true },
});

/** Words alone stay a plain text, which every server understands. */
function contentOf(message: GenerateInput['messages'][number]) {
  const text = wordsOf(message);
  const { pictures = [] } = message;
  if (pictures.length === 0) return text;
  return [
    { type: 'text', text },
    ...pictures.map(({ type, bytes }) => ({
      type: 'image_url',
      image_url: { url: `data:${type};base64,${Buffer.from(bytes).toString('base64')}` },
    })),
  ];
}

type Choice = NonNullable<Chunk['choices']>[number];

function saidIn(choice: Choice | undefined): { text: string; thought: string } {
  const { content, refusal, reasoning_content, reasoning } = choice?.delta ?? {};
  const { text, thought } = typeof content === 'string' ? { text: content, thought: '' } : readParts(content ?? []);
  return {
    text: text + (typeof refusal === 'string' ? refusal : ''),
    thought: (reasoning_content ?? reasoning ?? '') + thought,
  };
}

/** The events of a stream, as they come. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk | 'done'> {
  let events: (Chunk | 'done')[] = [];
  const failed = (said: string) => ({ error: errorTextOf(said) ?? '' });
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push(event === 'error' ? failed(data) : readChunk(data)),
    onError: (error) => {
      // llama.cpp: `error: {…}` in place of `data: {…}`.
      if (error.type === 'unknown-field' && error.field === 'error') events.push(failed(error.value ?? ''));
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    const ready = events;
    events = [];
    yield* ready;
  }
}

function readChunk(data: string): Chunk | 'done' {
  if (data === '[DONE]') return 'done';
  const value = parsedJson(data);
  const read = chunk.safeParse(value);
  if (!read.success) throw new ProviderError(NONSENSE, { cause: read.error });
  // An error of its own shape, such as vLLM's or FastAPI's, is an object without any field of an answer.
  if (read.data.choices !== undefined || read.data.usage || read.data.error) return read.data;
  const said = errorTextOf(value);
  return said === undefined ? read.data : { error: said };
}

/** A provider's refusal, for `explainFailure`. */
export async function refused(response: Response): Promise<APICallError> {
  return new APICallError({
    message: response.statusText,
    url: response.url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: await response.text(),
  });
}
