import { READY_AGENTS } from '@atelier/contract/agents/ready-agents';
import { tasksAnswer } from '@atelier/contract/runs';
import { beforeEach, describe, expect, it } from 'vitest';
import COUNTED from '../../testing/counted-texts.json' with { type: 'json' };
import { serveOllama, startFakeWire } from '../../testing/fake-openai.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { chunk, spoken, sse } from '../../testing/openai-wire.ts';

const CHAT = '/v1/chat/completions';
let ada: TestUser;

const wire = await closing(startFakeWire());
serveOllama(wire, { 'llama3.2:latest': { capabilities: ['completion', 'tools'], context: 131_072 } });
const app = await emptyApp({ env: { OPENAI_BASE_URL: `${wire.origin}/v1` } });
beforeEach(async () => {
  wire.requests.length = 0;
  wire.on(CHAT, { body: spoken('Hello from llama.') });
  ada = await app.signUp('Ada');
});

const post = (path: string, body: object, as = ada) => app.request('POST', path, { as, body });

async function startSession(agentId: string, as = ada): Promise<string> {
  return (await post('/api/sessions', { agentId }, as)).body.session.id;
}

/** Sends a message and gives its task and its events once it has ended. */
async function say(sessionId: string, agentId: string, inputText: string, as = ada) {
  const path = `/api/sessions/${sessionId}/tasks`;
  const sent = await post(path, { agentId, inputText }, as);
  expect(sent.status).toBe(202);
  const { body: events } = await app.request('GET', `${path}/${sent.body.task.id}/events`, { as });
  const { tasks } = tasksAnswer.parse((await app.request('GET', path, { as })).body);
  const task = tasks.find(({ id }) => id === sent.body.task.id);
  if (task === undefined) throw new Error('the task is gone');
  return { task, events: String(events), first: sent.body.task };
}

const asked = () =>
  wire
    .to(CHAT)
    .filter(({ isAnswer }) => isAnswer)
    .map(({ body }) => body);

describe('a provider with habits of its own', () => {
  it('breaks an answer off: its words stay, and it can be retried', async () => {
    const { id } = (await post('/api/agents', { name: 'Notes', prompt: 'Help.' })).body.agent;
    wire.on(CHAT, { body: spoken('Your kiln', 'abort') }, { body: spoken('Your kiln is warm.') });
    const sessionId = await startSession(id);
    const { task } = await say(sessionId, id, 'My kiln stands in Porto.');
    expect(task).toMatchObject({ status: 'failed', message: 'Your kiln' });
    expect(task.error).toContain('The provider broke off the answer (abort).');
    const retried = await post(`/api/sessions/${sessionId}/tasks/${task.id}/retry`, {});
    expect(retried.status).toBe(202);
  });

  it('thinks without an opening tag: answer, memory and title have none of it', async () => {
    const { id } = (await post('/api/agents', { name: 'Notes', prompt: 'Help.' })).body.agent;
    wire.on(CHAT, {
      body: sse(
        ...['Hm, a kiln', '.\n</th', 'ink>\n\nYour kiln', ' is warm.'].map((content) => chunk({ content })),
        chunk({}, 'stop'),
        '[DONE]',
      ),
    });
    const { task } = await say(await startSession(id), id, 'My kiln stands in Porto.');
    expect(task).toMatchObject({ status: 'done', message: 'Your kiln is warm.', thoughts: 'Hm, a kiln.\n' });
  });
});

describe('with an Ollama that has only llama3.2', () => {
  it('the account says which models there are and what stands in', async () => {
    const { body } = await app.request('GET', '/api/me', { as: ada });
    expect(body.models).toEqual([
      {
        id: 'llama3.2',
        label: 'llama3.2',
        tools: true,
        sight: false,
        hearing: false,
        reasoning: false,
        temperature: true,
        contextTokens: 4_096,
      },
    ]);
    expect(body.standIn).toBe('llama3.2');
  });

  it.each(READY_AGENTS)('the ready agent $agent.name answers at the first click', async ({ agent, opener }) => {
    const made = await post('/api/agents', agent);
    expect(made.body.agent).toMatchObject({ model: 'gpt-4' });
    const { id } = made.body.agent;
    const { task, first } = await say(await startSession(id), id, opener);
    expect(task).toMatchObject({ status: 'done', message: 'Hello from llama.', model: 'llama3.2' });
    expect(first.model).toBe('llama3.2');
    expect(asked()[0]).toMatchObject({ model: 'llama3.2' });
  });

  it('copies and imports answer too, and an import says what answers', async () => {
    const agent = {
      name: 'Guest',
      prompt: 'You help.',
      model: 'claude-9',
      tags: [],
      tools: [],
      temperature: 1,
      memoryEnabled: true,
    };
    const file = { format: 'atelier.agent', version: 1, agent };
    const imported = await post('/api/agents/import', file);
    expect(imported.status).toBe(201);
    expect(imported.body.notes).toContain('The model claude-9 is not offered here; the agent uses llama3.2.');
    expect((await say(await startSession('guest'), 'guest', 'Hello')).task.status).toBe('done');

    await app.grantPro(ada.uid);
    await post('/api/agents', { name: 'Public', prompt: 'You help.', isPublic: true });
    const bob = await app.signUp('Bob');
    const copy = await post(`/api/explore/${ada.uid}/public/copy`, {}, bob);
    const { id } = copy.body.agent;
    expect((await say(await startSession(id, bob), id, 'Hello', bob)).task).toMatchObject({
      status: 'done',
      model: 'llama3.2',
    });
  });

  it('a model that neither a provider nor the product has is refused', async () => {
    const { status, body } = await post('/api/agents', { name: 'A', prompt: 'B', model: 'gpt-9' });
    expect([status, body.error.field]).toEqual([400, 'model']);
    expect((await post('/api/agents', { name: 'A', prompt: 'B', model: 'llama3.2' })).status).toBe(201);
  });

  it('its window is the model’s: what is sent fits into it', async () => {
    await post('/api/agents', { name: 'Notes', prompt: 'You help.' });
    const sessionId = await startSession('notes');
    wire.on(CHAT, { body: spoken('A long answer. '.repeat(400)) });
    for (let i = 0; i < 4; i += 1) await say(sessionId, 'notes', `Tell me more about part ${i}.`);
    const { messages } = asked().at(-1);
    expect(JSON.stringify(messages).length / 4).toBeLessThan(4_096);
  });
});

describe('what an answer brings along', () => {
  let sessionId: string;
  beforeEach(async () => {
    await app.grantPro(ada.uid);
    await post('/api/agents', { name: 'Notes', prompt: 'You help.', tools: ['calculator'] });
    sessionId = await startSession('notes');
  });

  it('thoughts are kept on the task, told live, never remembered and never sent back', async () => {
    const thinking = [chunk({ reasoning: 'The secret plan ' }), chunk({ reasoning: 'is cheese.' })];
    wire.on(CHAT, { body: sse(...thinking, chunk({ content: 'Hi.' }), chunk({}, 'stop'), '[DONE]') });
    const { task, events } = await say(sessionId, 'notes', 'What is the plan?');
    expect(task).toMatchObject({ message: 'Hi.', thoughts: 'The secret plan is cheese.', status: 'done' });
    expect(task.usage?.thoughtMs).toBeGreaterThanOrEqual(0);
    expect(events).toContain('event: thought');
    await say(sessionId, 'notes', 'And the secret plan with cheese?');
    expect(JSON.stringify(asked().at(-1))).not.toContain('is cheese');
    const { body } = await app.request('GET', '/api/memories?agentId=notes', { as: ada });
    expect(body.memories.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('is cheese');
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'filter'],
  ])('an answer that ended by %s says so', async (reason, cut) => {
    wire.on(CHAT, { body: spoken('Once upon a time', reason) });
    expect((await say(sessionId, 'notes', 'A story!')).task).toMatchObject({
      status: 'done',
      message: 'Once upon a time',
      cut,
    });
    wire.on(CHAT, { body: spoken('there was a king.') });
    const next = await say(sessionId, 'notes', 'Continue where you stopped.');
    expect(next.task.cut).toBeUndefined();
    expect(JSON.stringify(asked().at(-1).messages)).toContain('Once upon a time');
  });

  it('a busy provider is waited for, and the person is told why', async () => {
    const busy = { status: 429, body: { error: { message: 'Slow down.' } }, headers: { 'retry-after': '1' } };
    wire.on(CHAT, busy, { body: spoken('Here I am.') });
    const { task, events } = await say(sessionId, 'notes', 'Are you there?');
    expect(events).toContain('event: wait');
    expect(events).toContain('The provider limits requests (429). Trying again in 1 second.');
    expect(task).toMatchObject({ status: 'done', message: 'Here I am.' });
    expect(task.wait).toBeUndefined();
  });

  it('what tools answered reaches later turns, as a quotation', async () => {
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'calculator', arguments: '{"expression":"1234*5678"}' },
    };
    const calls = { body: sse(chunk({ content: null, tool_calls: [call] }), chunk({}, 'tool_calls'), '[DONE]') };
    wire.on(CHAT, calls, { body: spoken('It is a large number.') });
    const { task } = await say(sessionId, 'notes', 'Multiply them.');
    expect(task.toolCalls).toMatchObject([{ name: 'calculator', state: 'done' }]);
    await say(sessionId, 'notes', 'What was it exactly?');
    const [system] = asked().at(-1).messages;
    expect(system.content).toContain('<tool_answers>');
    expect(system.content).toContain('7006652');
  });
});

describe('a session that grows beyond the window', () => {
  const SCRIPTS = ['Chinese', 'Japanese', 'Korean', 'Thai', 'Arabic', 'Russian'];
  /** Counts a prompt as the model would: what is in the script by the script, the rest as English. */
  const counter = (perSign: number) => (body: { messages: { content: string }[] }) => {
    const text = body.messages.map(({ content }) => content).join('');
    const signs = text.replaceAll(/[\0-\x7f]/gu, '').length;
    return Math.ceil(signs * perSign + (text.length - signs) * 0.22);
  };
  const tooLong = (most: number) =>
    ({ status: 400, body: { error: { message: `The maximum context length is ${most} tokens.` } } }) as const;

  it.each(SCRIPTS)('%s: it forgets, and every message is answered', async (script) => {
    const { tokens, text } = COUNTED.texts.find(({ kind }) => kind === script) ?? { tokens: 0, text: '' };
    const count = counter(tokens / text.replaceAll(/[\0-\x7f]/gu, '').length);
    wire.on(CHAT, ({ body }) => (count(body) > 4_096 ? tooLong(4_096) : { body: spoken(text) }));
    const { id } = (await post('/api/agents', { name: 'Notes', prompt: 'Help.' })).body.agent;
    const sessionId = await startSession(id);
    for (let turn = 0; turn < 7; turn += 1) {
      const { task } = await say(sessionId, id, `${turn}. ${text.repeat(4)}`);
      expect(task).toMatchObject({ status: 'done', message: text });
    }
    const prompts = asked();
    expect(prompts).toHaveLength(7);
    const last = prompts.at(-1)?.messages.map(({ content }: { content: string }) => content) ?? [];
    expect(last.some((content: string) => content.startsWith('0. '))).toBe(false);
    expect(last.length).toBeGreaterThan(2);
  });

  it('is asked once more with less where the model reads less than it said; the receipt is that of the answer', async () => {
    const count = counter(1);
    wire.on(CHAT, ({ body, isAnswer }) =>
      isAnswer && count(body) > 1_300
        ? { status: 400, body: { error: { message: 'prompt is too long' } } }
        : { body: spoken('Noted.') },
    );
    const { id } = (await post('/api/agents', { name: 'Notes', prompt: 'Help.' })).body.agent;
    const sessionId = await startSession(id);
    let ended: Awaited<ReturnType<typeof say>> | undefined;
    for (let turn = 0; turn < 10; turn += 1) {
      const place = `Place ${turn} has a kiln and ${turn + 3} painters. ${'It was quiet there, and it rained. '.repeat(45)}`;
      const sent = await say(sessionId, id, place);
      expect(sent.task.status).toBe('done');
      if (sent.task.usage?.shortened) ended ??= sent;
    }
    expect(ended?.events).toContain('Trying again with less of it.');
    expect(ended?.events.match(/event: memory/gu)?.length).toBeGreaterThan(1);
    const prompts = asked().filter(({ messages }) => messages.at(-1).content === ended?.task.inputText);
    expect(prompts).toHaveLength(2);
    expect(count(prompts[1])).toBeLessThan(count(prompts[0]));
    const answered = JSON.stringify(prompts[1].messages);
    for (const { text } of ended?.task.memoryUsed ?? []) expect(answered).toContain(text.slice(0, 30));
  });
});
