import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isRecord, parsedJson } from '../parsed-json.ts';
import { errorTextOf } from './error-text.ts';

/**
 * A stream of chat completions as the SDK expects it. Servers differ: some end with `[DONE]` and no reason, some send errors as lines or
 * events of their own, some give content in parts.
 */
export function tidyStream(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const seen = { end: false, calls: false };
  let out = '';
  const put = (data: string) => void (out += `data: ${data}\n\n`);
  const parser = createParser({
    onEvent: (event) => tidy(event, seen, put),
    onError: (error) => {
      // llama.cpp: `error: {…}` in place of `data: {…}`.
      if (error.type === 'unknown-field' && error.field === 'error') put(errorLine(error.value ?? ''));
    },
  });
  return new TransformStream({
    transform(bytes, controller) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      // Comments say that the server lives; they are no events, and what reads on needs none.
      if (out !== '') controller.enqueue(encoder.encode(out));
      out = '';
    },
  });
}

function tidy(
  { event, data }: EventSourceMessage,
  seen: { end: boolean; calls: boolean },
  put: (data: string) => void,
): void {
  if (data === '[DONE]') {
    const reason = seen.calls ? 'tool_calls' : 'stop';
    if (!seen.end) put(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }));
    return put(data);
  }
  const chunk = parsedJson(data);
  if (!isRecord(chunk)) return put(data);
  if (event === 'error' || (chunk.error !== undefined && chunk.error !== null)) return put(errorLine(data));
  const [choice] = Array.isArray(chunk.choices) ? chunk.choices : [];
  if (!isRecord(choice)) return put(data);
  if (typeof choice.finish_reason === 'string') seen.end = true;
  const delta = choice.delta;
  if (!isRecord(delta)) return put(data);
  if (Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0) seen.calls = true;
  if (!Array.isArray(delta.content)) return put(data);
  const { text, thought } = readParts(delta.content);
  const plain = { ...delta, content: text, ...(thought === '' ? {} : { reasoning_content: thought }) };
  put(JSON.stringify({ ...chunk, choices: [{ ...choice, delta: plain }] }));
}

const errorLine = (data: string): string =>
  JSON.stringify({ error: { message: errorTextOf(data) ?? '', type: 'provider_error' } });

/** Content in parts, as Mistral sends it: texts, and thinking that is a list of texts itself. */
export function readParts(parts: readonly unknown[]): { text: string; thought: string } {
  let text = '';
  let thought = '';
  for (const part of parts) {
    if (!isRecord(part)) continue;
    if (part.type === 'text' && typeof part.text === 'string') text += part.text;
    if (part.type !== 'thinking') continue;
    if (typeof part.thinking === 'string') thought += part.thinking;
    else if (Array.isArray(part.thinking)) thought += readParts(part.thinking).text;
  }
  return { text, thought };
}
