import { beforeEach, describe, expect, it } from 'vitest';
import { timeIn } from './features/tools/world-time.ts';
import { stemOf } from './platform/language/stems.ts';
import { stemsOf } from './platform/models/offline/words.ts';
import { toOutcome } from './platform/payments/paystack/paystack.ts';
import { eventually } from './testing/eventually.ts';
import { startFakeOpenAI } from './testing/fake-openai.ts';
import { emptyApp, type TestUser, testApp } from './testing/harness.ts';
import { closing } from './testing/lifetimes.ts';
import { startMcpServer } from './testing/mcp/http-server.ts';

/** What every plain object seems to hold. */
const KEYS = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

let ada: TestUser;
const provider = await closing(startFakeOpenAI());
const env = { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-keys', FETCH_ALLOWED: '127.0.0.1' };
const app = await emptyApp({ env });
const offline = await closing(testApp({ database: app.deps.database }));
beforeEach(async () => {
  provider.reset();
  ada = await app.signUpPro();
});

const post = (path: string, body: object, on = app) => on.request('POST', path, { as: ada, body });

async function open(tools: string[], name = 'Worker') {
  const { agent } = (await post('/api/agents', { name, prompt: 'You work.', tools })).body;
  const { session } = (await post('/api/sessions', { agentId: agent.id })).body;
  return { agentId: agent.id, sessionId: session.id };
}

describe.each(KEYS)('the key %s', (key) => {
  it('as the id of a call, or as the name of a tool, allows nothing', async () => {
    const write = { name: 'write', description: 'Writes.', inputSchema: { type: 'object' } };
    const server = await startMcpServer([write]);
    try {
      const added = (await post('/api/mcp-servers', { name: 'S', url: server.url })).body.server;
      const { agentId, sessionId } = await open([added.tools[0].id]);
      provider.behave({
        toolCalls: [
          { id: key, name: added.tools[0].id, arguments: `{"a": "${key}"}` },
          { id: `${key}-2`, name: key, arguments: '{}' },
        ],
      });
      const { task } = (await post(`/api/sessions/${sessionId}/tasks`, { agentId, inputText: 'Go' })).body;
      const at = `/api/sessions/${sessionId}/tasks/${task.id}`;
      const read = async () => (await app.request('GET', at, { as: ada })).body.task;
      await eventually(async () => expect((await read()).toolCalls).toHaveLength(2));
      const { status, toolCalls } = await read();
      const states = toolCalls.map(({ name, state }: { name: string; state: string }) => [name, state]);
      expect([status, Object.fromEntries(states)[added.tools[0].id]]).toEqual(['waiting', 'waiting']);
      expect(states).toContainEqual([key, 'failed']);
      expect((await post(`${at}/approve`, { callId: key, decision: 'session' })).status).toBe(409);
      expect((await read()).status).toBe('waiting');
      expect(server.called).toEqual([]);
      await post(`${at}/cancel`, {});
      await eventually(async () => expect((await read()).status).toBe('cancelled'));
    } finally {
      await server.close();
    }
  });

  it('as a place, a word, a status or an expression is only a word', async () => {
    expect(() => timeIn(key, new Date())).toThrow(/not a time zone/);
    expect(toOutcome({ ...transaction, status: key }).status).toBe('pending');
    expect(typeof stemOf(key)).toBe('string');
    expect(stemsOf(`${key} of ${key}`).every((word) => typeof word === 'string')).toBe(true);
    const { agentId, sessionId } = await open(['current_time', 'calculator']);
    for (const inputText of [`What time is it in ${key}?`, `What is ${key} + 1?`, `You ${key}, what is ${key}?`]) {
      const answer = await post('/api/runAgentTask', { sessionId, agentId, inputText }, offline);
      expect([answer.status, answer.body.task?.status]).toEqual([200, 'done']);
      expect(answer.body.task.message).not.toMatch(/\[native code\]|\[object/);
    }
  });

  it('as a name, a tag or part of an address is found only where it is', async () => {
    expect((await app.request('GET', `/api/agents/${key}`, { as: ada })).status).toBe(404);
    const { agentId, sessionId } = await open([], key);
    expect(agentId).toBe(key.toLowerCase());
    expect((await app.request('GET', `/api/sessions/${sessionId}/tasks/${key}`, { as: ada })).status).toBe(404);
    const tagged = await app.request('GET', `/api/explore?tag=${key}`, { as: ada });
    expect([tagged.status, tagged.body.agents]).toEqual([200, []]);
    for (const path of [`/api/memories?${key}=1`, `/api/search?q=${key}`, `/api/agents?cursor=${key}`]) {
      expect([200, 400], path).toContain((await app.request('GET', path, { as: ada })).status);
    }
    for (const path of [`/api/${key}`, `/${key}`, `/assets/${key}`, `/sandbox/${key}`]) {
      expect((await app.request('GET', path, { as: ada })).status, path).not.toBe(500);
    }
    const update = await app.request('PUT', `/api/agents/${agentId}`, {
      as: ada,
      body: `{"${key}": {"isPublic": true}}`,
    });
    expect(update.status).toBe(400);
    const file = {
      format: 'atelier.agent',
      version: 1,
      agent: { name: 'n', prompt: 'p', model: key, tags: [key], tools: [key], temperature: 1, memoryEnabled: true },
    };
    const imported = await post('/api/agents/import', file);
    expect([imported.status, imported.body.agent?.tools, imported.body.agent?.model]).toEqual([201, [], 'gpt-4']);
  });
});

const transaction = { reference: 'r', amount: 1, currency: 'ZAR', domain: 'test' };
