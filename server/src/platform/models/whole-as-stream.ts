import { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';

const answer = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({}), finish_reason: z.string().nullish() })).min(1),
});

/**
 * The stream that was asked for, made of an answer in one piece: some servers don’t stream, and some send an error with a status that
 * means success. The rest of the code reads one form only.
 */
export async function wholeAsStream(response: Response): Promise<Response> {
  const text = await response.text();
  const read = answer.safeParse(parsedJson(text));
  const { message, ...choice } = read.data?.choices[0] ?? {};
  const line = read.success
    ? JSON.stringify({ ...read.data, choices: [{ ...choice, index: 0, delta: withPlaces(message) }] })
    : text.replaceAll('\n', ' ');
  return new Response(`data: ${line}\n\n${read.success ? 'data: [DONE]\n\n' : ''}`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

/** In a stream each call has its place; in a whole answer the order says it. */
function withPlaces(message: Record<string, unknown> | undefined): Record<string, unknown> {
  const calls = message?.tool_calls;
  if (!Array.isArray(calls)) return { ...message };
  return { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
}
