import { agent } from '@atelier/contract/agents';
import { upstreamAnswer } from '@atelier/contract/forks';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { agents } from '../agents/agents.table.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();

const settings = {
  name: 'Field  Notes',
  description: 'Plans trips',
  prompt: 'You help me plan trips',
  model: 'gpt-3.5-turbo',
  tags: ['travel'],
  temperature: 1.2,
  memoryEnabled: false,
};
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUp('Bob')];
  await app.request('POST', '/api/agents', { as: ada, body: { ...settings, isPublic: true } });
  // No tool is installed yet; an author who has one is made by hand.
  await app.deps.db.update(agents).set({ tools: ['calculator'] });
});

const copy = (as = bob) => app.request('POST', `/api/explore/${ada.uid}/field-notes/copy`, { as });
const upstream = async (id: string, as = bob) =>
  (await app.request('GET', `/api/agents/${id}/upstream`, { as })).body.upstream;
const take = (id: string, body: unknown, as: TestUser | undefined = bob) =>
  app.request('POST', `/api/agents/${id}/upstream`, { as, body });
const change = (body: unknown) => app.request('PUT', '/api/agents/field-notes', { as: ada, body });

describe('copying', () => {
  it('gives a private agent with all settings, its own address, the lineage, and its tools off', async () => {
    await app.request('PUT', `/api/favorites/${ada.uid}/field-notes`, { as: bob });
    const before = Date.now();
    const answer = await copy();
    expect(answer.status).toBe(201);
    const made = agent.parse(answer.body.agent);
    expect(made).toMatchObject({
      ...settings,
      tools: [],
      isPublic: false,
      favoriteCount: 0,
      creatorId: bob.uid,
      forkedFrom: { creatorId: ada.uid, agentId: 'field-notes', name: 'Field  Notes', tools: ['calculator'] },
    });
    const [, time] = /^field-notes-(\d+)$/u.exec(made.id) ?? [];
    expect(Number(time)).toBeGreaterThanOrEqual(before);
    expect((await app.request('GET', '/api/me', { as: bob })).body.account.agentsCreated).toBe(1);
  });

  it('makes as many as are asked for at once, each with its own address', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => copy()));
    expect(answers.map((a) => a.status)).toEqual(Array(12).fill(201));
    expect(new Set(answers.map((a) => a.body.agent.id)).size).toBe(12);
  });

  it('may be of one’s own public agent, and is refused for a private one', async () => {
    expect((await copy(ada)).status).toBe(201);
    await change({ isPublic: false });
    expect([(await copy(ada)).status, (await copy()).status]).toEqual([404, 404]);
  });

  it('starts without the original’s memories', async () => {
    const { id } = (await copy(ada)).body.agent;
    const own = await app.deps.db.select().from(agents).where(eq(agents.slug, id));
    expect(own[0]).toMatchObject({ memoryVersion: 0, favoriteCount: 0 });
    const [original] = await app.deps.db.select().from(agents).where(eq(agents.slug, 'field-notes'));
    expect(own[0]?.id).not.toBe(original?.id);
  });
});

describe('the original of a copy', () => {
  it('is the same at first, then shows what its author changed, field by field, with the tools it would add', async () => {
    const { id } = (await copy()).body.agent;
    expect(upstreamAnswer.parse({ upstream: await upstream(id) }).upstream).toMatchObject({
      state: 'same',
      creatorName: 'Ada',
      changes: [],
    });
    await app.request('PUT', `/api/agents/${id}`, { as: bob, body: { temperature: 0.1, name: 'Mine' } });
    await change({
      description: 'Plans',
      prompt: 'You plan journeys',
      temperature: 0.9,
      tags: ['travel'],
      memoryEnabled: false,
    });
    await app.deps.db
      .update(agents)
      .set({ tools: ['calculator', 'web_fetch'] })
      .where(eq(agents.userId, ada.uid));
    expect(await upstream(id)).toMatchObject({
      state: 'changed',
      changes: [
        { field: 'description', yours: 'Plans trips', theirs: 'Plans' },
        { field: 'prompt', yours: 'You help me plan trips', theirs: 'You plan journeys' },
        { field: 'temperature', yours: 0.1, theirs: 0.9 },
      ],
      addsTools: ['web_fetch'],
    });
  });

  it('has no difference in a setting that is newer than the copy, until its author sets it', async () => {
    const { id } = (await copy()).body.agent;
    const older = sql`${agents.forkBase} - 'starters' - 'description'`;
    await app.deps.db.update(agents).set({ forkBase: older }).where(eq(agents.slug, id));
    await change({ description: '' });
    await app.request('PUT', `/api/agents/${id}`, { as: bob, body: { description: 'Mine', starters: ['Mine'] } });
    expect((await upstream(id)).changes).toEqual([]);
    await change({ starters: ['Theirs'] });
    expect((await upstream(id)).changes).toEqual([{ field: 'starters', yours: ['Mine'], theirs: ['Theirs'] }]);
    await change({ starters: [], description: 'Theirs' });
    expect((await upstream(id)).changes).toEqual([{ field: 'description', yours: 'Mine', theirs: 'Theirs' }]);
  });

  it('is taken over as far as asked, and what was left is not offered again', async () => {
    const { id } = (await copy()).body.agent;
    await change({ description: '', prompt: 'New', temperature: 0.9 });
    const { seen } = await upstream(id);
    const answer = await take(id, { seen, fields: ['prompt', 'description'] });
    expect(answer.body.agent).toMatchObject({
      id,
      description: '',
      prompt: 'New',
      temperature: 1.2,
      name: 'Field  Notes',
      isPublic: false,
    });
    expect((await upstream(id)).state).toBe('same');
    await change({ temperature: 0.2 });
    expect((await upstream(id)).changes.map((c: { field: string }) => c.field)).toEqual(['temperature']);
  });

  it('never turns a tool on in a copy, whatever is taken over', async () => {
    await app.grantPro(bob.uid);
    const { id } = (await copy()).body.agent;
    const rename = { tools: ['calculator', 'web_fetch'], name: 'Better notes' };
    await app.deps.db.update(agents).set(rename).where(eq(agents.userId, ada.uid));
    const { seen, addsTools } = await upstream(id);
    expect(addsTools).toEqual(['web_fetch']);
    expect((await take(id, { seen, fields: ['tools'] })).status).toBe(400);
    const answer = await take(id, { seen, fields: ['name', 'prompt'] });
    expect(answer.body.agent).toMatchObject({ name: 'Better notes', tools: [] });
    expect(await upstream(id)).toMatchObject({ state: 'same', addsTools: [] });
    await app.request('PUT', `/api/agents/${id}`, { as: bob, body: { tools: ['calculator'] } });
    await app.deps.db
      .update(agents)
      .set({ tools: ['search_memory'] })
      .where(eq(agents.userId, ada.uid));
    const later = await upstream(id);
    expect([later.state, later.changes, later.addsTools]).toEqual(['changed', [], ['search_memory']]);
    expect((await take(id, { seen: later.seen, fields: [] })).body.agent.tools).toEqual(['calculator']);
  });

  it('is not taken over unseen: 409 where it changed meanwhile', async () => {
    const { id } = (await copy()).body.agent;
    await change({ prompt: 'New' });
    const { seen } = await upstream(id);
    await change({ prompt: 'Newer' });
    expect((await take(id, { seen, fields: ['prompt'] })).status).toBe(409);
    expect((await app.request('GET', `/api/agents/${id}`, { as: bob })).body.agent.prompt).toBe(settings.prompt);
  });

  it('shows nothing more once it is unpublished, deleted or its account gone; the copy lives on', async () => {
    const { id } = (await copy()).body.agent;
    const { seen } = await upstream(id);
    await change({ prompt: 'Private thoughts', isPublic: false });
    expect(await upstream(id)).toEqual({
      state: 'gone',
      forkedFrom: { creatorId: ada.uid, agentId: 'field-notes', name: 'Field  Notes', tools: ['calculator'] },
      creatorName: null,
      changes: [],
      addsTools: [],
      seen: null,
    });
    expect((await take(id, { seen, fields: ['prompt'] })).status).toBe(404);
    await app.request('DELETE', '/api/me', { as: ada, body: { password: PASSWORD } });
    await eventually(async () => expect(await upstream(id)).toMatchObject({ state: 'gone', forkedFrom: null }));
    const left = (await app.request('GET', `/api/agents/${id}`, { as: bob })).body.agent;
    expect(left).toMatchObject({ prompt: settings.prompt, forkedFrom: null });
  });

  it('is nobody else’s business, and bad input is 400', async () => {
    const { id } = (await copy()).body.agent;
    await app.request('POST', '/api/agents', { as: bob, body: { name: 'Own', prompt: 'p' } });
    expect((await upstream('own')).state).toBe('none');
    expect((await take('own', { seen: new Date().toISOString(), fields: [] })).status).toBe(404);
    expect((await app.request('GET', `/api/agents/${id}/upstream`, { as: ada })).status).toBe(404);
    expect((await take(id, { seen: new Date().toISOString(), fields: [] }, ada)).status).toBe(404);
    for (const body of [{}, { seen: 'x', fields: [] }, { seen: new Date().toISOString(), fields: ['isPublic'] }]) {
      expect((await take(id, body)).status).toBe(400);
    }
  });
});
