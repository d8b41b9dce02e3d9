import { APICallError } from 'ai';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { GenerateInput } from './models.ts';
import { NONSENSE, ProviderError } from './provider-error.ts';
import { noSuchTool, type Speaking, type Usage } from './stream-answer.ts';

/** Where a provider is, and how to ask it. */
export interface Address {
  baseURL: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

const content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]);
const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: content.nullish(),
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
    body: JSON.stringify({
      model: input.model,
      temperature: input.temperature,
      messages: [
        { role: 'system', content: input.instructions },
        ...input.messages.map(({ role, text }) => ({ role, content: text })),
      ],
      stream: true,
      stream_options: { include_usage: true },
    }),
    signal,
  });
  if (!response.ok || response.body === null) throw await refused(response);
  let usage: Usage = {};
  let hasEnded = false;
  for await (const { choices, usage: counted, error } of chunksOf(response.body)) {
    if (error !== undefined && error !== null) throw error;
    if (counted) usage = { inputTokens: counted.prompt_tokens ?? 0, outputTokens: counted.completion_tokens ?? 0 };
    const [choice] = choices ?? [];
    if (choice?.finish_reason) hasEnded = true;
    const text = textOf(choice);
    if (text !== '') yield { type: 'delta', text };
    for (const call of choice?.delta?.tool_calls ?? []) {
      // Calls come in pieces; the first one has the name.
      const { name } = call.function;
      if (name) yield { type: 'refused', name, input: {}, sentence: noSuchTool(name) };
    }
  }
  if (!hasEnded) throw new ProviderError('The provider ended the answer before it was complete.');
  return usage;
}

type Choice = NonNullable<Chunk['choices']>[number];

function textOf(choice: Choice | undefined): string {
  const { content: said, refusal } = choice?.delta ?? {};
  const parts = typeof said === 'string' ? [said] : (said ?? []).map((part) => (part.type === 'text' ? part.text : ''));
  return parts.join('') + (typeof refusal === 'string' ? refusal : '');
}

/** The events of a stream, as they come. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  let events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    const ready = events;
    events = [];
    for (const data of ready) if (data !== '[DONE]') yield readChunk(data);
  }
}

function readChunk(data: string): Chunk {
  const read = chunk.safeParse(parsed(data));
  if (!read.success) throw new ProviderError(NONSENSE, { cause: read.error });
  return read.data;
}

const errorBody = z.object({
  error: z.union([z.object({ message: z.string() }).transform((e) => e.message), z.string()]),
});

async function refused(response: Response): Promise<APICallError> {
  const said = await response.text();
  const told = errorBody.safeParse(parsed(said));
  return new APICallError({
    message: told.success ? told.data.error : response.statusText,
    url: response.url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
