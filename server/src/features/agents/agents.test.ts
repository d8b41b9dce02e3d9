import { agent } from '@atelier/contract/agents';
import { READY_AGENTS } from '@atelier/contract/agents/ready-agents';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { agents } from './agents.table.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
});

const fieldNotes = { name: 'Field Notes', prompt: 'You help me plan trips' };
const create = (body: unknown, as: TestUser | undefined = ada) => app.request('POST', '/api/agents', { as, body });
const at = (id: string) => `/api/agents/${encodeURIComponent(id)}`;

describe('creating an agent', () => {
  it('fills in the defaults of the specification and counts it', async () => {
    const answer = await create({ ...fieldNotes, tags: [' Travel ', 'FOOD', '', 'food'] });
    expect(answer.status).toBe(201);
    expect(agent.parse(answer.body.agent)).toMatchObject({
      id: 'field-notes',
      model: 'gpt-4',
      temperature: 0.5,
      memoryEnabled: true,
      isPublic: false,
      favoriteCount: 0,
      tags: ['travel', 'food'],
      tools: [],
      creatorId: ada.uid,
    });
    const me = await app.request('GET', '/api/me', { as: ada });
    expect(me.body.account.agentsCreated).toBe(1);
  });

  it('refuses a taken address and loses nothing, also when raced', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(fieldNotes)));
    expect(answers.map((a) => a.status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const refused = answers.find((a) => a.status === 409);
    expect(refused?.body.error).toEqual({
      code: 'conflict',
      message: 'You already have an agent with this name. Choose another name.',
      field: 'name',
    });
    expect((await app.request('GET', '/api/me', { as: ada })).body.account.agentsCreated).toBe(1);
    expect((await create(fieldNotes, bob)).status).toBe(201);
  });

  it('keeps up to four starters, for free users too, and an update leaves them alone', async () => {
    const made = await create({ ...fieldNotes, starters: [' Where to? ', '', 'And when?'] });
    expect(made.body.agent.starters).toEqual(['Where to?', 'And when?']);
    const renamed = await app.request('PUT', at('field-notes'), { as: ada, body: { name: 'Notes' } });
    expect(renamed.body.agent.starters).toEqual(['Where to?', 'And when?']);
    const many = await create({ name: 'Many', prompt: 'p', starters: ['1', '2', '3', '4', '5'] });
    expect([many.status, many.body.error.field]).toEqual([400, 'starters']);
    const long = await create({ name: 'Long', prompt: 'p', starters: ['x'.repeat(201)] });
    expect(long.status).toBe(400);
  });

  it('keeps a description of one short line, none where nothing is said, and an update leaves it alone', async () => {
    expect((await create({ name: 'Plain', prompt: 'p' })).body.agent.description).toBe('');
    const made = await create({ ...fieldNotes, description: ' Plans <b>trips</b> ' });
    expect([made.status, made.body.agent.description]).toEqual([201, 'Plans <b>trips</b>']);
    const update = (body: object) => app.request('PUT', at('field-notes'), { as: ada, body });
    expect((await update({ name: 'Notes' })).body.agent.description).toBe('Plans <b>trips</b>');
    expect((await update({ description: 'd'.repeat(160) })).body.agent.description).toHaveLength(160);
    const long = await update({ description: 'd'.repeat(161) });
    expect([long.status, long.body.error]).toMatchObject([
      400,
      { field: 'description', message: 'The description can have at most 160 characters.' },
    ]);
    expect((await update({ description: null })).body.error.message).toBe('The description must be text.');
    expect((await update({ description: '' })).body.agent.description).toBe('');
  });

  it('keeps a free user’s agent private and without tools, whatever is asked', async () => {
    const answer = await create({ ...fieldNotes, isPublic: true });
    expect(answer.body.agent.isPublic).toBe(false);
    const tools = await create({ name: 'T', prompt: 'p', tools: ['calculator'] });
    expect([tools.status, tools.body.error.code]).toEqual([403, 'pro_required']);
  });

  it('lets a Pro user publish', async () => {
    await app.grantPro(ada.uid);
    expect((await create({ ...fieldNotes, isPublic: true })).body.agent.isPublic).toBe(true);
  });

  it.each([
    ['no name', { prompt: 'p' }, 'name'],
    ['a blank name', { name: '   ', prompt: 'p' }, 'name'],
    ['a dot', { name: '.', prompt: 'p' }, 'name'],
    ['two dots', { name: ' .. ', prompt: 'p' }, 'name'],
    ['a name of 300 characters', { name: 'n'.repeat(300), prompt: 'p' }, 'name'],
    ['a name with NUL', { name: 'a\0b', prompt: 'p' }, 'name'],
    ['a description over the limit', { ...fieldNotes, description: 'd'.repeat(161) }, 'description'],
    ['a description that is no text', { ...fieldNotes, description: ['d'] }, 'description'],
    ['no prompt', { name: 'n' }, 'prompt'],
    ['a blank prompt', { name: 'n', prompt: ' \n ' }, 'prompt'],
    ['a prompt over the limit', { name: 'n', prompt: 'p'.repeat(20_001) }, 'prompt'],
    ['an unknown model', { ...fieldNotes, model: 'gpt-9' }, 'model'],
    ['a hot temperature', { ...fieldNotes, temperature: 3 }, 'temperature'],
    ['too many tags', { ...fieldNotes, tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'tags'],
    ['tags that are text', { ...fieldNotes, tags: 'a,b' }, 'tags'],
  ])('answers 400 and names the field for %s', async (_what, body, field) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    expect(answer.body.error.field).toContain(field);
  });

  it.each([
    ['favoriteCount', 999],
    ['creatorId', 'somebody'],
    ['id', 'x'],
  ])('never takes %s from the client', async (field, value) => {
    expect((await create({ ...fieldNotes, [field]: value })).status).toBe(400);
  });

  it('answers 400 for what is not JSON, 413 for a huge body', async () => {
    const broken = await create('{"name":');
    expect([broken.status, broken.body.error.code]).toEqual([400, 'invalid_input']);
    const huge = await create({ ...fieldNotes, prompt: 'p'.repeat(1_000_000) });
    expect([huge.status, huge.body.error.code]).toEqual([413, 'too_large']);
    expect(huge.body.error.message).toContain('256 KB');
  });
});

describe('an agent’s address', () => {
  it.each([
    ['a slash', 'tea/time'],
    ['a percent sign', '50% off'],
    ['an encoded percent sign', '50%25 off'],
    ['Japanese', '旅の手帳'],
    ['Arabic, written right to left', 'دفتر السفر'],
    ['an emoji', 'Chef 👩‍🍳'],
    ['HTML', '<img src=x onerror=alert(1)>'],
    ['a path upwards', '../../etc'],
    ['an encoded NUL', 'a%00b'],
  ])('leads to the agent when its name holds %s', async (_what, name) => {
    const created = await create({ name, prompt: 'p' });
    expect(created.status).toBe(201);
    const read = await app.request('GET', at(created.body.agent.id), { as: ada });
    expect([read.status, read.body.agent?.name]).toEqual([200, name]);
    expect((await app.request('DELETE', at(created.body.agent.id), { as: ada })).status).toBe(204);
  });

  it('is 404 with malformed encoding in it, 400 with a NUL', async () => {
    for (const path of ['/api/agents/%zz', '/api/agents/%ff']) {
      expect((await app.request('GET', path, { as: ada })).status).toBe(404);
    }
    expect((await app.request('GET', '/api/agents/a%00b', { as: ada })).status).toBe(400);
  });
});

describe('an existing agent', () => {
  it('merges an update, keeps its address, and can’t be touched by others', async () => {
    await create({ ...fieldNotes, tags: ['a'] });
    const answer = await app.request('PUT', at('field-notes'), { as: ada, body: { name: 'Trip Notes' } });
    expect(answer.body.agent).toMatchObject({
      id: 'field-notes',
      name: 'Trip Notes',
      tags: ['a'],
      prompt: fieldNotes.prompt,
    });
    for (const [method, body] of [['GET'], ['PUT', { name: 'Mine' }], ['DELETE']] as const) {
      expect((await app.request(method, at('field-notes'), { as: bob, body })).status).toBe(404);
    }
  });

  it('loses all its settings but its name once deleted', async () => {
    await create({ ...fieldNotes, description: 'My plans', tags: ['a'], starters: ['Where to?'] });
    await app.request('DELETE', at('field-notes'), { as: ada });
    const [row] = await app.deps.db.select().from(agents);
    expect(row).toMatchObject({ name: 'Field Notes', description: '', prompt: '', tags: [], starters: [] });
  });

  it('is gone once deleted, and its name can be taken again', async () => {
    await create(fieldNotes);
    expect((await app.request('DELETE', at('field-notes'), { as: ada })).status).toBe(204);
    expect((await app.request('GET', at('field-notes'), { as: ada })).status).toBe(404);
    expect((await app.request('DELETE', at('field-notes'), { as: ada })).status).toBe(404);
    expect((await create(fieldNotes)).status).toBe(201);
  });

  it('is private again when a Pro user’s update says so, and stays out of a free user’s reach', async () => {
    await create(fieldNotes);
    const answer = await app.request('PUT', at('field-notes'), { as: ada, body: { isPublic: true } });
    expect(answer.body.agent.isPublic).toBe(false);
  });
});

it('lists the caller’s agents only, newest first, by pages without gaps or repetition', async () => {
  for (let i = 0; i < 7; i += 1) await create({ name: `Agent ${i}`, prompt: 'p' });
  await create(fieldNotes, bob);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '?limit=3' : `?limit=3&cursor=${cursor}`;
    const answer = await app.request('GET', `/api/agents${query}`, { as: ada });
    seen.push(...answer.body.agents.map((a: { name: string }) => a.name));
    cursor = answer.body.nextCursor;
  }
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((i) => `Agent ${i}`));
  expect((await app.request('GET', '/api/agents?cursor=nonsense', { as: ada })).status).toBe(400);
  expect((await app.request('GET', '/api/agents?limit=1000', { as: ada })).status).toBe(400);
});

it.each(READY_AGENTS)('the ready agent $agent.name gives back its opener without a provider', async (ready) => {
  const { body: made } = await create(ready.agent);
  const agentId = made.agent.id;
  const { body: opened } = await app.request('POST', '/api/sessions', { as: ada, body: { agentId } });
  const say = async (inputText: string) => {
    const body = { sessionId: opened.session.id, agentId, inputText };
    return (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body;
  };
  await say(ready.opener);
  const { task, memoryUsed } = await say(ready.askBack);
  expect(task.message).toContain(ready.opener.replace(/\.$/u, ''));
  expect(memoryUsed).toContain(ready.opener);
});
