import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { startFakeWire } from '../../testing/fake-openai.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { chunk, sse } from '../../testing/openai-wire.ts';
import { GIF, pictureOf } from '../../testing/pictures.ts';
import { gather } from '../../testing/provider-habits.ts';
import { MP3, WAV } from '../../testing/sounds.ts';
import { createModels } from './create-models.ts';
import { AnswerWithMedia, type ModelTool } from './models.ts';

const { folder } = temporaryFolder('pictures');
const wire = await closing(startFakeWire());
beforeEach(() => wire.reset());

const PNG = pictureOf('png');
const base64 = (bytes: Buffer) => bytes.toString('base64');
/** A tool that answers words and a picture. */
const CAMERA: ModelTool = {
  name: 'camera',
  description: 'Takes a picture.',
  inputSchema: { type: 'object', properties: {} },
  execute: async () => new AnswerWithMedia('Click.', [{ type: 'image/gif', bytes: GIF }]),
};

/** A tool that answers sounds. */
const RECORDER: ModelTool = {
  ...CAMERA,
  execute: async () =>
    new AnswerWithMedia('Ding.', [
      { type: 'audio/wav', bytes: WAV },
      { type: 'audio/mpeg', bytes: MP3 },
    ]),
};

async function ask(type: string, base: string, model: string, tools: ModelTool[]) {
  const path = join(folder, 'models.json');
  const it = { type, baseURL: `${wire.origin}${base}`, apiKey: 'k', models: [model], onlyThese: true };
  writeFileSync(path, JSON.stringify({ providers: { it } }));
  const models = createModels(readConfig({ MODELS_FILE: path }));
  await models.refresh();
  const message = {
    role: 'user' as const,
    text: 'What is this?',
    quoted: '<attachments>Picture “kiln.png”.</attachments>',
    pictures: [{ type: 'image/png', bytes: PNG }],
  };
  const context = { agentName: 'A', prompt: '', remembers: true, memories: [] };
  const { signal } = new AbortController();
  const input = { model, instructions: 'Help.', messages: [message], tools, signal, context };
  const { text, error } = await gather(models.stream(input));
  return text + error;
}

const WORDS = 'What is this?\n\n<attachments>Picture “kiln.png”.</attachments>';
const CHAT = '/v1/chat/completions';
const shown = (type: string, bytes: Buffer) => ({
  type: 'image_url',
  image_url: expect.objectContaining({ url: `data:${type};base64,${base64(bytes)}` }),
});
const speaks = (text: string) => ({
  body: sse(chunk({ role: 'assistant', content: text }), chunk({}, 'stop'), '[DONE]'),
});
const CALL = { index: 0, id: 'call_1', type: 'function', function: { name: 'camera', arguments: '{}' } };
const calls = {
  body: sse(chunk({ role: 'assistant', content: null, tool_calls: [CALL] }), chunk({}, 'tool_calls'), '[DONE]'),
};

it('goes with a message without tools, over chat completions', async () => {
  wire.on(CHAT, speaks('A kiln.'));
  expect(await ask('openai-compatible', '/v1', 'llava', [])).toBe('A kiln.');
  expect(wire.to(CHAT)[0]?.body.messages.at(-1)).toEqual({
    role: 'user',
    content: [{ type: 'text', text: WORDS }, shown('image/png', PNG)],
  });
});

it.each(['openai-compatible', 'openai'])(
  'goes with a message and a tool’s answer, over chat completions (%s)',
  async (type) => {
    wire.on(CHAT, calls, calls, speaks('A dot.'));
    expect(await ask(type, '/v1', 'gpt-4o', [CAMERA])).toBe('A dot.');
    const [first, second, third] = wire.to(CHAT).map(({ body }) => body.messages);
    expect(first.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: WORDS }, shown('image/png', PNG)] });
    // After the answer of the tool, which has its words only: not every server takes pictures there.
    expect(second.slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'Click.' },
      { role: 'user', content: [expect.objectContaining({ type: 'text' }), shown('image/gif', GIF)] },
    ]);
    expect(third.map(({ role }: { role: string }) => role).slice(1)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
      'tool',
      'user',
    ]);
  },
);

it('goes to Anthropic in its own format', async () => {
  const events = (...list: { type: string }[]) => ({
    body: list.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
  });
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'c',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const answer = (content_block: object, delta: object, stop_reason: string) =>
    events(
      { type: 'message_start', message } as { type: string },
      { type: 'content_block_start', index: 0, content_block } as { type: string },
      { type: 'content_block_delta', index: 0, delta } as { type: string },
      { type: 'content_block_stop', index: 0 } as { type: string },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } } as {
        type: string;
      },
      { type: 'message_stop' },
    );
  const use = { type: 'tool_use', id: 'toolu_1', name: 'camera', input: {} };
  wire.on(
    '/v1/messages',
    answer(use, { type: 'input_json_delta', partial_json: '{}' }, 'tool_use'),
    answer({ type: 'text', text: '' }, { type: 'text_delta', text: 'A dot.' }, 'end_turn'),
  );
  expect(await ask('anthropic', '/v1', 'claude-sonnet-4-5', [CAMERA])).toBe('A dot.');
  const [first, second] = wire.to('/v1/messages').map(({ body }) => body.messages);
  const image = (media_type: string, bytes: Buffer) =>
    expect.objectContaining({ type: 'image', source: { type: 'base64', media_type, data: base64(bytes) } });
  expect(first.at(-1).content).toEqual([expect.objectContaining({ text: WORDS }), image('image/png', PNG)]);
  // One turn of the person: the answer of the tool first, as the protocol wants it.
  expect(second.at(-1).content.map(({ type }: { type: string }) => type)).toEqual(['tool_result', 'text', 'image']);
  expect(second.at(-1).content.at(-1)).toEqual(image('image/gif', GIF));
});

const GEMINI = '/v1beta/models/gemini-2.5-flash:streamGenerateContent';
const part = (parts: object[]) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
});
const inline = (mimeType: string, bytes: Buffer) => ({ inlineData: { mimeType, data: base64(bytes) } });

it('goes to Google in its own format', async () => {
  wire.on(
    GEMINI,
    { body: sse(part([{ functionCall: { name: 'camera', args: {} } }])) },
    { body: sse(part([{ text: 'A dot.' }])) },
  );
  expect(await ask('google', '/v1beta', 'gemini-2.5-flash', [CAMERA])).toBe('A dot.');
  const [first, second] = wire.to(GEMINI).map(({ body }) => body.contents);
  expect(first.at(-1).parts).toEqual([{ text: WORDS }, inline('image/png', PNG)]);
  expect(second.at(-1).parts.at(-1)).toEqual(inline('image/gif', GIF));
});

it.each(['openai-compatible', 'openai'])('a sound of a tool goes over chat completions (%s)', async (type) => {
  wire.on(CHAT, calls, speaks('A bell.'));
  expect(await ask(type, '/v1', 'gpt-4o-audio-preview', [RECORDER])).toBe('A bell.');
  const heard = (format: string, bytes: Buffer) => ({
    type: 'input_audio',
    input_audio: { data: base64(bytes), format },
  });
  expect(wire.to(CHAT)[1]?.body.messages.slice(-2)).toEqual([
    { role: 'tool', tool_call_id: 'call_1', content: 'Ding.' },
    { role: 'user', content: [expect.objectContaining({ type: 'text' }), heard('wav', WAV), heard('mp3', MP3)] },
  ]);
});

it('a sound of a tool goes to Google in its own format', async () => {
  wire.on(
    GEMINI,
    { body: sse(part([{ functionCall: { name: 'camera', args: {} } }])) },
    { body: sse(part([{ text: 'A bell.' }])) },
  );
  expect(await ask('google', '/v1beta', 'gemini-2.5-flash', [RECORDER])).toBe('A bell.');
  expect(wire.to(GEMINI)[1]?.body.contents.at(-1).parts.slice(-2)).toEqual([
    inline('audio/wav', WAV),
    inline('audio/mpeg', MP3),
  ]);
});
