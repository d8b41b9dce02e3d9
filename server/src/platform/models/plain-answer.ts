import { APICallError } from 'ai';
import { headersOf, type Provider } from './catalogue/providers.ts';
import { type GenerateInput, messageText } from './models.ts';
import { type AnswerEnding, type AnswerStream, noSuchTool } from './stream-answer.ts';
import { type ThinkingHabit, ThoughtReader } from './thoughts.ts';
import { readAnswer } from './wire/provider-stream.ts';

/**
 * One answer without tools over OpenAI's chat completions, read from the event stream without the SDK, which takes several times as long
 * for each word. Throws whatever went wrong, for `explainFailure`.
 */
export async function* plainAnswer(
  provider: Provider,
  ask: typeof fetch,
  input: GenerateInput,
  signal: AbortSignal,
  habit: ThinkingHabit,
): AnswerStream {
  const response = await ask(`${provider.baseURL.replace(/\/$/u, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(provider) },
    body: JSON.stringify(requestOf(input)),
    signal,
  });
  if (!response.ok || response.body === null) throw await refused(response);
  const thoughts = new ThoughtReader(habit);
  let spoken: AnswerEnding = { reason: '' };
  for await (const part of readAnswer(response.body)) {
    if ('reason' in part) {
      yield* thoughts.end();
      for (const { name } of part.calls) yield { type: 'refused', name, input: {}, sentence: noSuchTool(name) };
      spoken = { ...part.usage, reason: part.reason };
      continue;
    }
    if (part.thought !== '') {
      thoughts.toldApart();
      yield { type: 'thought', text: part.thought };
    }
    if (part.text !== '') yield* thoughts.read(part.text);
  }
  return spoken;
}

const requestOf = ({ model, temperature, instructions, messages, maxTokens }: GenerateInput) => ({
  model,
  temperature,
  max_tokens: maxTokens,
  messages: [
    { role: 'system', content: instructions },
    ...messages.map((message) => ({ role: message.role, content: contentOf(message) })),
  ],
  stream: true,
  stream_options: { include_usage: true },
});

/** Words alone stay a plain text, which every server understands. */
function contentOf(message: GenerateInput['messages'][number]) {
  const text = messageText(message);
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
