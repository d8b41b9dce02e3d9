import { expect, it } from 'vitest';
import { effort } from '../../../testing/effort.ts';
import { chunk, sse } from '../../../testing/openai-wire.ts';
import { ProviderError } from '../provider-error.ts';
import { asDocumented, readAnswer } from './provider-stream.ts';

const encoder = new TextEncoder();
const bodyOf = (...parts: Uint8Array[]) => ReadableStream.from(parts) as ReadableStream<Uint8Array>;

async function read(...parts: Uint8Array[]) {
  let [text, end] = ['', {}];
  try {
    for await (const part of readAnswer(bodyOf(...parts))) {
      if ('text' in part) text += part.text;
      else end = part;
    }
    return { text, ...end, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

const CALL = { index: 0, id: 'a', function: { name: 'clock', arguments: '{"zone":"UTC"}' } };
const EXAMPLE = encoder.encode(
  `: hello\n\nevent: ping\ndata: x\n\n${sse(chunk({ content: 'Zürich 👋' }), chunk({ tool_calls: [CALL] }), chunk({}, 'stop'), { choices: null, usage: { prompt_tokens: 3 } }, '[DONE]')}`,
);

it('reads the same, however the stream is cut into pieces', async () => {
  const whole = await read(EXAMPLE);
  expect(whole).toMatchObject({ text: 'Zürich 👋', calls: [{ name: 'clock', input: '{"zone":"UTC"}' }] });
  for (let at = 0; at <= EXAMPLE.length; at += 1) {
    expect(await read(EXAMPLE.subarray(0, at), EXAMPLE.subarray(at))).toEqual(whole);
  }
});

it('ends with a sentence or whole wherever the stream stops, never with half of a call', async () => {
  for (let at = 0; at < EXAMPLE.length; at += 1) {
    const { error, ...got } = await read(EXAMPLE.subarray(0, at));
    if (error === undefined) expect(got).toMatchObject({ reason: 'stop', calls: [{ input: '{"zone":"UTC"}' }] });
    else expect(error).toMatchObject({ message: 'The provider ended the answer before it was complete.' });
  }
});

const MANY = effort(2_000_000, 10_000_000);
/** Millions of bytes of something, in pieces as a network brings them. */
const flood = (unit: string) => {
  const piece = encoder.encode(unit.repeat(Math.ceil(16_384 / unit.length)));
  return Array.from({ length: Math.ceil(MANY / piece.length) }, () => piece);
};

it.each([
  ['blanks', ' '],
  ['lines', '\n'],
  ['zeros', '\0'],
  ['one endless line', 'x'],
  ['an endless event', 'data: x\n'],
  ['open brackets', '['],
  ['events of words', 'data: some words\n\n'],
  ['broken JSON', 'data: {"choices":[{\n\n'],
  ['calls without an end', `${sse(chunk({ tool_calls: [{ ...CALL, id: undefined }] }))}`],
  ['calls without a name', `${sse(chunk({ tool_calls: [{ index: 0, function: { arguments: '{' } }] }))}`],
])('answers millions of bytes of %s with a sentence', async (_name, unit) => {
  expect((await read(...flood(unit))).error).toBeInstanceOf(ProviderError);
});

it('reads on no longer than it must after the end', async () => {
  const parts = [encoder.encode(sse(chunk({ content: 'Hi.' }), chunk({}, 'stop')))];
  const open = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const part = parts.shift();
      if (part !== undefined) controller.enqueue(part);
      // Then it stays open.
    },
  });
  const documented = await new Response(asDocumented(open, () => {})).text();
  expect(documented).toContain('Hi.');
  expect(documented).toContain('"finish_reason":"stop"');
});
