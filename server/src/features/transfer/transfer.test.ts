import type { AgentSettings } from '@atelier/contract/agents';
import { agentFile } from '@atelier/contract/agents/agent-file';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
});

const settings: AgentSettings = {
  name: 'Café “Notes” 旅',
  description: 'Plans “trips” & more',
  prompt: 'You help me\nplan trips',
  model: 'gpt-3.5-turbo',
  tags: ['travel'],
  tools: [],
  temperature: 0.7,
  memoryEnabled: false,
  starters: ['Where to?'],
};
const file = (agent: object = {}, more: object = {}) => ({
  format: 'atelier.agent',
  version: 1,
  agent: { ...settings, ...agent },
  ...more,
});
const importFile = (body: unknown, as: TestUser | undefined = ada) =>
  app.request('POST', '/api/agents/import', { as, body });
const count = async () => (await app.request('GET', '/api/agents', { as: ada })).body.agents.length;

describe('an agent as a file', () => {
  it('goes out and comes in unchanged, readable, without anything personal', async () => {
    const { body } = await app.request('POST', '/api/agents', { as: ada, body: settings });
    const answer = await app.request('GET', `/api/agents/${encodeURIComponent(body.agent.id)}/export`, { as: ada });
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="agent.json"; filename\*=UTF-8''caf%C3%A9/u,
    );
    expect(answer.body).toEqual(file());
    expect(agentFile.parse(answer.body)).toEqual(file());
    expect(JSON.stringify(answer.body)).not.toContain(ada.uid);
    const imported = await importFile(answer.body, bob);
    expect(imported.status).toBe(201);
    expect(imported.body).toMatchObject({
      agent: { ...settings, creatorId: bob.uid, isPublic: false, favoriteCount: 0, forkedFrom: null },
      notes: [],
    });
  });

  it('may be older than the description and the starters', async () => {
    const { description: _newer, starters: _too, ...older } = settings;
    const answer = await importFile({ format: 'atelier.agent', version: 1, agent: older });
    expect([answer.status, answer.body.agent]).toMatchObject([201, { ...older, description: '', starters: [] }]);
  });

  it('belongs to its owner', async () => {
    const { body } = await app.request('POST', '/api/agents', { as: ada, body: { ...settings, name: 'n' } });
    const path = `/api/agents/${body.agent.id}/export`;
    expect((await app.request('GET', path, { as: bob })).status).toBe(404);
  });

  it('loses the tools and the model that this server does not have, and says so', async () => {
    const answer = await importFile(file({ tools: ['rocket'], model: 'gpt-9' }));
    expect(answer.body.agent).toMatchObject({ tools: [], model: 'gpt-4' });
    expect(answer.body.notes).toEqual([
      'Not installed here and left out: rocket.',
      'The model gpt-9 is not offered here; the agent uses gpt-4.',
    ]);
  });

  it('has its tools off, and says which it uses', async () => {
    await app.grantPro(ada.uid);
    const answer = await importFile(file({ tools: ['calculator', 'rocket', 'web_fetch'] }));
    expect(answer.body.agent.tools).toEqual([]);
    expect(answer.body.notes).toEqual([
      'The file uses these tools, turn on what you trust: calculator, web_fetch.',
      'Not installed here and left out: rocket.',
    ]);
  });

  it('does not overwrite an agent of the same name, also when sent twice at once', async () => {
    const answers = await Promise.all([importFile(file()), importFile(file())]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([201, 409]);
  });

  it.each([
    ['an unknown field', file({}, { memories: [] })],
    ['an unknown field of the agent', file({ isPublic: true })],
    ['a count', file({ favoriteCount: 999 })],
    ['an owner', file({ creatorId: 'somebody' })],
    ['another version', file({}, { version: 2 })],
    ['a version that is text', file({}, { version: '1' })],
    ['another format', file({}, { format: 'other' })],
    ['no agent', { format: 'atelier.agent', version: 1 }],
    ['a list', []],
    ['a missing prompt', { ...file(), agent: { name: 'n' } }],
    ['a description that is too long', file({ description: 'd'.repeat(161) })],
    ['a description that is no text', file({ description: 7 })],
    ['no tags', file({ tags: undefined })],
    ['a NUL', file({ name: 'a\0b' })],
    ['a prototype', '{"format":"atelier.agent","version":1,"__proto__":{"isPublic":true},"agent":{}}'],
    ['half a file', '{"format":"atelier.agent"'],
  ])('is refused with %s, and nothing is stored', async (_what, body) => {
    const answer = await importFile(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    expect(answer.body.error.message).toMatch(/\w{3}/u);
    expect(await count()).toBe(0);
  });

  it('is refused when huge', async () => {
    const answer = await importFile(file({ prompt: 'p'.repeat(2_000_000) }));
    expect([answer.status, await count()]).toEqual([413, 0]);
  });

  it('keeps a script in its name as the text that it is', async () => {
    const name = '<script>alert(1)</script>';
    expect((await importFile(file({ name }))).body.agent.name).toBe(name);
  });
});
