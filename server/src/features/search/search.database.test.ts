import { searchAnswer } from '@atelier/contract/search';
import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
});

const post = async (path: string, body: unknown, as = ada) => (await app.request('POST', path, { as, body })).body;
const NOTHING = { sessions: [], tasks: [], memories: [], files: [], agents: [], publicAgents: [], meaning: 'none' };
const find = async (q: string, as = ada) =>
  (await app.request('GET', `/api/search?q=${encodeURIComponent(q)}`, { as })).body;

async function talk(as = ada) {
  await post('/api/agents', { name: 'Field Notes', prompt: 'You help me plan trips to the fjords' }, as);
  const { session } = await post('/api/sessions', { agentId: 'field-notes', name: 'Norway in summer' }, as);
  const input = { sessionId: session.id, agentId: 'field-notes', inputText: 'My sister is allergic to peanuts' };
  const { task } = await post('/api/runAgentTask', input, as);
  return { session, task };
}

it('finds exchanges and memories by any form of a word, with the passage and where it stands', async () => {
  const { session, task } = await talk();
  const answer = searchAnswer.parse(await find('peanut allerg'));
  expect(answer.tasks).toMatchObject([{ id: task.id, sessionId: session.id, agentName: 'Field Notes' }]);
  const hits = answer.tasks[0]?.passage.filter((part) => part.hit).map((part) => part.text.toLowerCase());
  expect(hits).toEqual(expect.arrayContaining(['allergic', 'peanuts']));
  expect(answer.memories[0]).toMatchObject({ sessionId: session.id, agentId: 'field-notes' });
});

it('finds sessions by name, own agents by prompt or description, and public agents of others', async () => {
  await talk();
  await post('/api/agents', { name: 'Fjord Guide', prompt: 'p', isPublic: true }, bob);
  await post('/api/agents', { name: 'Fjord Secrets', prompt: 'p' }, bob);
  await post(
    '/api/agents',
    { name: 'Boats', prompt: 'p', description: 'Ferries between islands', isPublic: true },
    bob,
  );
  await post('/api/agents', { name: 'Cafés', prompt: 'p', description: 'Islands of quiet' });
  const answer = await find('fjor');
  expect(answer.agents.map((a: { id: string }) => a.id)).toEqual(['field-notes']);
  expect(answer.publicAgents).toMatchObject([{ id: 'fjord-guide', creatorId: bob.uid, creatorName: 'Bob' }]);
  const described = await find('island');
  expect(described.agents).toMatchObject([{ name: 'Cafés' }]);
  expect(described.publicAgents).toMatchObject([{ name: 'Boats' }]);
  expect(described.publicAgents[0].passage).toEqual([
    { text: 'Boats Ferries between ', hit: false },
    { text: 'islands', hit: true },
  ]);
  expect((await find('norw')).sessions).toMatchObject([{ name: 'Norway in summer', agentName: 'Field Notes' }]);
});

const hitsOf = async (q: string) => {
  const passages = searchAnswer.parse(await find(q)).tasks.flatMap(({ passage }) => passage);
  return new Set(passages.flatMap(({ text, hit }) => (hit ? text : [])));
};

it('finds Korean words with other particles', async () => {
  const { session } = await talk();
  await post('/api/runAgentTask', {
    sessionId: session.id,
    agentId: 'field-notes',
    inputText: '수진은 땅콩 알레르기가 있습니다',
  });
  // The answer may have come, whose quotation marks belong to words in PostgreSQL's locale C.
  const hits = [...(await hitsOf('수진 알레르기 있습니다'))];
  expect(hits).toEqual(expect.arrayContaining(['수진은', '알레르기가', '있습니다']));
});

it('finds Japanese words whose letters and digits are wide', async () => {
  const { session } = await talk();
  await post('/api/runAgentTask', {
    sessionId: session.id,
    agentId: 'field-notes',
    inputText: '第１２回の会議はＡ棟です',
  });
  expect(await hitsOf('第12回')).toEqual(new Set(['第１２回']));
  expect(await hitsOf('a棟')).toEqual(new Set(['Ａ棟']));
});

it('never shows anything of another person', async () => {
  await talk();
  const answer = await find('peanuts', bob);
  expect(answer).toEqual(NOTHING);
});

it('loses what is forgotten or deleted', async () => {
  const { session } = await talk();
  const { memories } = await find('peanuts');
  await app.request('DELETE', '/api/memories', { as: ada, body: { ids: memories.map((m: { id: string }) => m.id) } });
  expect((await find('peanuts')).memories).toEqual([]);
  expect((await find('peanuts')).tasks).toHaveLength(1);
  await app.request('DELETE', `/api/sessions/${session.id}`, { as: ada });
  expect(await find('peanuts')).toMatchObject({ tasks: [], sessions: [] });
});

it('takes any text as text', async () => {
  await talk();
  for (const q of ["'", "peanuts' & !x", 'a:*|b', '\\', '%', '<b>peanuts</b>', '💥', 'the']) {
    expect([q, (await app.request('GET', `/api/search?q=${encodeURIComponent(q)}`, { as: ada })).status]).toEqual([
      q,
      200,
    ]);
  }
});

it('is for Pro, and refuses what can’t be searched for', async () => {
  const eve = await app.signUp('Eve');
  expect((await app.request('GET', '/api/search?q=x', { as: eve })).status).toBe(403);
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`, '?q=x&limit=21']) {
    expect((await app.request('GET', `/api/search${query}`, { as: ada })).status).toBe(400);
  }
});
