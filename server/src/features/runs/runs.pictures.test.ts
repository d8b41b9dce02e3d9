import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { attachmentsOf, sendFile } from '../../testing/files.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { workerOf } from '../../testing/mcp/conversation.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { program, serversFile } from '../../testing/mcp/programs.ts';
import { pictureOf } from '../../testing/pictures.ts';
import { WAV, wavOf } from '../../testing/sounds.ts';

/** A short sound, one of several minutes, and one that models don't take. */
const SOUNDS: [tool: string, type: string, bytes: Buffer][] = [
  ['ring', 'audio/wav', WAV],
  ['record', 'audio/wav', wavOf(400)],
  ['hum', 'audio/ogg', Buffer.from('OggS')],
];
let ada: TestUser;
let sessionId = '';
const { folder } = temporaryFolder('sight');
const provider = await closing(startFakeOpenAI());
const sounds = await closing(
  startMcpServer(
    SOUNDS.map(([name]) => ({
      name,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  ),
);
for (const [name, mimeType, bytes] of SOUNDS)
  sounds.answers.set(name, { type: 'audio', mimeType, data: bytes.toString('base64') });
const models = { eyes: { sight: true, contextTokens: 16_000 }, blind: { sight: false }, ears: { hearing: true } };
const providers = { it: { baseURL: provider.url, models, onlyThese: true } };
writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers, standIn: 'eyes' }));
const settings = serversFile(folder, { all: program('everything', 'stdio'), sounds: { url: sounds.url } });
const app = await emptyApp({ env: { ...settings, MODELS_FILE: join(folder, 'models.json') } });
beforeEach(async () => {
  provider.reset();
  ada = await app.signUpPro('Ada');
});

const { open, ask, until } = workerOf(
  () => app,
  () => ada,
);
const { add } = attachmentsOf(
  () => app,
  () => ada,
  () => sessionId,
);
const change = (settings: object) =>
  app.request('PUT', '/api/agents/worker', { as: ada, body: { name: 'Worker', prompt: 'You work.', ...settings } });

async function sendWith(attachmentIds: string[], inputText = 'What is this?') {
  const body = { agentId: 'worker', inputText, attachmentIds };
  const sent = await app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body });
  return until(sent.body.task, 'done');
}

interface Part {
  type: string;
  text: string;
}
/** What the provider was asked last in an answer, a message each. */
const asked = () =>
  (provider.requests.findLast(({ isAnswer }) => isAnswer)?.body.messages ?? []).map(({ role, content }) => ({
    role,
    kinds: Array.isArray(content) ? content.map(({ type }: Part) => type) : 'words',
    text: Array.isArray(content) ? content.map(({ text = '' }: Part) => text).join('') : String(content),
  }));

it('a picture of a tool is seen by a model that sees, and described in words to one that does not', async () => {
  provider.behave({ toolCalls: [{ name: 'all__get-tiny-image', arguments: '{}' }] });
  const session = await open(['all__get-tiny-image']);
  await ask(session, 'Take a picture.');
  expect(asked().map(({ role, kinds }) => [role, kinds])).toEqual([
    ['system', 'words'],
    ['user', 'words'],
    ['assistant', 'words'],
    ['tool', 'words'],
    ['user', ['text', 'image_url']],
  ]);
  await app.request('DELETE', '/api/agents/worker', { as: ada });
  const other = await open(['all__get-tiny-image']);
  await change({ model: 'blind', tools: ['all__get-tiny-image'] });
  await ask(other, 'Take a picture.');
  expect(asked().at(-1)).toMatchObject({ role: 'tool', kinds: 'words' });
});

it('a sound of a tool is heard by a model that hears, as far as there is room; others get it in words', async () => {
  const lastAsked = () => provider.requests.findLast(({ isAnswer }) => isAnswer)?.body.messages?.at(-1);
  async function listen(model: string, tool: string) {
    provider.behave({ toolCalls: [{ name: tool, arguments: '{}' }] });
    // An agent each: what a server answered before would make the next call ask the person.
    await app.request('DELETE', '/api/agents/worker', { as: ada });
    const session = await open([tool]);
    await change({ model, tools: [tool] });
    const task = await ask(session, 'What do you hear?');
    const [call] = task.toolCalls;
    expect(call, String(call?.output)).toMatchObject({
      state: 'done',
      media: [{ type: expect.stringMatching(/^audio\//u) }],
    });
    return lastAsked();
  }
  expect(await listen('ears', 'sounds__ring')).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: expect.stringContaining('sounds') },
      { type: 'input_audio', input_audio: { data: WAV.toString('base64'), format: 'wav' } },
    ],
  });
  const inWords = { role: 'tool', content: expect.stringContaining('[sound 1, audio/wav, ') };
  expect(await listen('eyes', 'sounds__ring')).toMatchObject(inWords);
  expect(await listen('ears', 'sounds__record')).toMatchObject(inWords);
  expect(await listen('ears', 'sounds__hum')).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('audio/ogg'),
  });
});

it('a picture of a message is seen, also in later turns, within the window; a blind model is told that it can’t', async () => {
  sessionId = await open([]);
  const { id } = await add('kiln.png', pictureOf('png', 800, 600));
  await sendWith([id]);
  expect(asked().at(-1)).toMatchObject({ kinds: ['text', 'image_url'], text: expect.stringContaining('“kiln.png”') });
  await sendWith([], 'And now?');
  expect(asked().map(({ kinds }) => kinds)).toEqual(['words', ['text', 'image_url'], 'words', 'words']);
  // Twenty pictures don't fit into the window with everything else: the newest go, and the others are named.
  const large = pictureOf('png', 2_000, 1_500);
  const many = await Promise.all(Array.from({ length: 10 }, (_, at) => add(`${at}.png`, large)));
  await sendWith(many.map((one) => one.id));
  const last = asked().at(-1);
  const shown = Array.isArray(last?.kinds) ? last.kinds.filter((kind) => kind === 'image_url').length : 0;
  expect(shown).toBeGreaterThan(2);
  expect(shown).toBeLessThan(10);
  expect(last?.text).toContain('“9.png”, which is left out because there is no room for it');
  await change({ model: 'blind' });
  await sendWith([id]);
  expect(asked().at(-1)).toMatchObject({ kinds: 'words', text: expect.stringContaining('you can’t see') });
  expect(asked().every(({ kinds }) => kinds === 'words')).toBe(true);
});

it('a long document of a message is cut to the window, and says so', async () => {
  sessionId = await open([]);
  const { id } = await add('long.txt', 'The kiln is warm. '.repeat(20_000));
  await sendWith([id]);
  const text = asked().at(-1)?.text ?? '';
  expect(text.length).toBeLessThan(16_000 * 4);
  expect(text).toContain('[cut: ');
});

it('a photograph among the agent’s files is found by its name, and seen', async () => {
  const session = await open([]);
  await sendFile(app, ada, '/api/agents/worker/files', ['north-shed_kiln.jpg', pictureOf('jpeg', 200, 200)]);
  await eventually(async () => {
    const { body } = await app.request('GET', '/api/agents/worker/files', { as: ada });
    expect(body.files).toMatchObject([{ state: 'ready', note: expect.stringContaining('Models that see') }]);
  });
  await ask(session, 'What does the kiln in the north shed look like?');
  expect(asked().at(-1)).toMatchObject({
    kinds: ['text', 'image_url'],
    text: expect.stringContaining('north-shed_kiln.jpg'),
  });
  await ask(session, 'Thank you very much indeed.');
  expect(asked().at(-1)?.kinds).toBe('words');
});
