import { exploreAnswer, publicAgentAnswer } from '@atelier/contract/explore';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { user } from '../accounts/accounts.table.ts';
import { exploreTags } from './explore.table.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUp('Bob')];
});

async function publish(body: Record<string, unknown> = {}, as = ada) {
  const agent = { name: 'Field Notes', prompt: 'You help me plan trips', isPublic: true, ...body };
  return (await app.request('POST', '/api/agents', { as, body: agent })).body.agent;
}
const explore = async (query = '', as = bob) => (await app.request('GET', `/api/explore${query}`, { as })).body;
const names = async (query = '') => (await explore(query)).agents.map((a: { name: string }) => a.name);
const favorite = (id: string, as: TestUser) => app.request('PUT', `/api/favorites/${ada.uid}/${id}`, { as });
const update = (id: string, body: unknown) => app.request('PUT', `/api/agents/${id}`, { as: ada, body });

describe('the list of public agents', () => {
  it('shows public agents of everybody with their author’s display name, and never an address or a hidden key', async () => {
    await publish({ description: 'Plans trips', tags: ['Travel'] });
    await publish({ name: 'Secret', isPublic: false });
    const answer = await explore();
    expect(exploreAnswer.parse(answer).agents).toMatchObject([
      {
        id: 'field-notes',
        creatorId: ada.uid,
        creatorName: 'Ada',
        description: 'Plans trips',
        tags: ['travel'],
        favoriteCount: 0,
        favorited: false,
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain(ada.email);
    expect(Object.keys(answer.agents[0])).not.toContain('forkedFrom');
  });

  it('stands in the order of favorites, and knows which are mine', async () => {
    for (const name of ['A', 'B', 'C']) await publish({ name });
    await favorite('b', bob);
    await favorite('b', ada);
    await favorite('c', ada);
    const { agents } = await explore();
    expect(
      agents.map((a: { name: string; favoriteCount: number; favorited: boolean }) => [
        a.name,
        a.favoriteCount,
        a.favorited,
      ]),
    ).toEqual([
      ['B', 2, true],
      ['C', 1, false],
      ['A', 0, false],
    ]);
  });

  it('matches a tag whole, in lowercase, and pages through one tag and through all without gaps or repetition', async () => {
    for (let i = 0; i < 7; i += 1) await publish({ name: `Agent ${i}`, tags: i % 2 ? ['odd', 'number'] : ['even'] });
    for (const id of ['agent-3', 'agent-4']) await favorite(id, bob);
    expect(await names('?tag=od')).toEqual([]);
    for (const [tag, expected] of [
      ['&tag=%20ODD', ['Agent 3', 'Agent 5', 'Agent 1']],
      ['', ['Agent 4', 'Agent 3', 'Agent 6', 'Agent 5', 'Agent 2', 'Agent 1', 'Agent 0']],
      ['&tag=', ['Agent 4', 'Agent 3', 'Agent 6', 'Agent 5', 'Agent 2', 'Agent 1', 'Agent 0']],
    ] as const) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await explore(`?limit=2${tag}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.agents.map((a: { name: string }) => a.name));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(expected);
    }
  });

  it('is found by words in name and description, of any script and in any case, inside longer words too', async () => {
    await publish({ name: 'Fjord Guide', description: 'Plans 100% of your trips', prompt: 'Secretly a pirate' });
    await publish({ name: '東京旅行ガイド', description: 'เที่ยวญี่ปุ่น' });
    await publish({ name: 'КЛЮЧНИК', description: 'Cafe\u0301 hunter' });
    await publish({ name: 'Hidden guide', isPublic: false });
    for (const [q, expected] of [
      ['GUIDE fjo', ['Fjord Guide']],
      ['fjord hunter', []],
      ['pirate', []],
      ['0%', ['Fjord Guide']],
      ['_', []],
      ['\\', []],
      ['旅行', ['東京旅行ガイド']],
      ['ญี่ปุ่น', ['東京旅行ガイド']],
      ['ключ CAFÉ', ['КЛЮЧНИК']],
      [' ', ['КЛЮЧНИК', '東京旅行ガイド', 'Fjord Guide']],
    ] as const) {
      expect([q, await names(`?q=${encodeURIComponent(q)}`)]).toEqual([q, expected]);
    }
    await app.deps.db.update(user).set({ banned: true }).where(eq(user.id, ada.uid));
    expect(await names('?q=guide')).toEqual([]);
  });

  it('pages through words, a tag and either order without gaps or repetition', async () => {
    for (let i = 0; i < 6; i += 1) await publish({ name: `Agent ${i}`, tags: i % 2 ? ['odd'] : ['even'] });
    await publish({ name: 'Other', tags: ['odd'] });
    await favorite('agent-3', bob);
    for (const [query, expected] of [
      ['q=agent', ['Agent 3', 'Agent 5', 'Agent 4', 'Agent 2', 'Agent 1', 'Agent 0']],
      ['q=agent&tag=odd', ['Agent 3', 'Agent 5', 'Agent 1']],
      ['sort=new', ['Other', 'Agent 5', 'Agent 4', 'Agent 3', 'Agent 2', 'Agent 1', 'Agent 0']],
      ['sort=new&q=agent&tag=odd', ['Agent 5', 'Agent 3', 'Agent 1']],
    ] as const) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await explore(`?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.agents.map((a: { name: string }) => a.name));
        cursor = page.nextCursor;
      }
      expect([query, seen]).toEqual([query, expected]);
    }
  });

  it('has the tags of what everyone may see, the most used first', async () => {
    await publish({ name: 'A', tags: ['sea', 'sun'] });
    await publish({ name: 'B', tags: ['sun'] });
    await publish({ name: 'C', tags: ['private'], isPublic: false });
    const tags = async () => (await app.request('GET', '/api/explore/tags', { as: bob })).body.tags;
    expect(await tags()).toEqual(['sun', 'sea']);
    for (let i = 0; i < 11; i += 1) await publish({ name: `D ${i}`, tags: [`d-${i}`] });
    expect(await tags()).toHaveLength(10);
    await app.deps.db.update(user).set({ banned: true }).where(eq(user.id, ada.uid));
    expect(await tags()).toEqual([]);
  });

  it('is served by an index in its own order, with a tag and without', async () => {
    await app.deps.db.transaction(async (tx) => {
      // With a handful of rows any plan is as good; asked without its other ways, the planner shows whether the index can serve.
      for (const way of ['seqscan', 'bitmapscan', 'sort']) await tx.execute(sql.raw(`set local enable_${way} = off`));
      for (const [query, index] of [
        [
          sql`select id from agents where is_public and deleted_at is null order by favorite_count desc, id desc limit 51`,
          'agents_explore',
        ],
        [
          sql`select id from agents where is_public and deleted_at is null order by created_at desc, id desc limit 51`,
          'agents_newest',
        ],
        [
          sql`select agent_id from explore_tags where tag = 'x' order by favorite_count desc, agent_id desc limit 51`,
          'explore_tags_order',
        ],
      ] as const) {
        const plan = JSON.stringify((await tx.execute(sql`explain ${query}`)) as unknown);
        expect(plan).toContain(index);
        expect(plan).not.toContain('Sort');
      }
    });
  });

  it('forgets an agent at once when it is unpublished, deleted, or its author’s account is disabled', async () => {
    await publish({ tags: ['t'] });
    await publish({ name: 'Other', tags: ['t'] });
    expect(await names('?tag=t')).toHaveLength(2);
    await update('field-notes', { isPublic: false });
    expect([await names(), await names('?tag=t')]).toEqual([['Other'], ['Other']]);
    await update('field-notes', { isPublic: true, tags: ['t', 'u'] });
    expect([await names('?tag=t'), await names('?tag=u')]).toEqual([['Other', 'Field Notes'], ['Field Notes']]);
    await app.request('DELETE', '/api/agents/field-notes', { as: ada });
    expect([await names(), await names('?tag=u')]).toEqual([['Other'], []]);
    await app.deps.db.update(user).set({ banned: true }).where(eq(user.id, ada.uid));
    expect([await names(), await names('?tag=t')]).toEqual([[], []]);
  });

  it('keeps nothing in the projection once an account is deleted', async () => {
    await publish({ tags: ['t'] });
    await favorite('field-notes', bob);
    await app.request('DELETE', '/api/me', { as: ada, body: { password: PASSWORD } });
    expect((await app.request('GET', '/api/favorites', { as: bob })).body.favorites).toEqual([]);
    await eventually(async () => expect(await app.deps.db.select().from(exploreTags)).toEqual([]));
  });

  it('answers 400 for a cursor or tag that can’t be, never 5xx', async () => {
    for (const query of [
      '?cursor=x',
      '?limit=0',
      '?tag=%00',
      '?only=%00/%00',
      `?tag=${'t'.repeat(41)}`,
      `?q=${'q'.repeat(201)}`,
      '?q=%00',
      '?sort=old',
      `?sort=new&cursor=${btoa(`[1,"${crypto.randomUUID()}"]`)}`,
      `?cursor=${btoa('[-1,"x"]')}`,
    ]) {
      expect((await app.request('GET', `/api/explore${query}`, { as: bob })).status).toBe(400);
    }
  });

  it('tells everybody who is connected, by the agent’s address', async () => {
    const heard: unknown[] = [];
    const stop = app.deps.live.subscribe(bob.uid, (message) => heard.push(message.data));
    await publish();
    await expect.poll(() => heard).toContainEqual({ topic: 'explore', id: `${ada.uid}/field-notes` });
    heard.length = 0;
    await update('field-notes', { isPublic: false });
    await expect.poll(() => heard).toContainEqual({ topic: 'explore', id: `${ada.uid}/field-notes` });
    stop();
  });
});

describe('one public agent', () => {
  it('can be asked for as a list of one or none', async () => {
    await publish({ tags: ['t'] });
    const only = `only=${encodeURIComponent(`${ada.uid}/field-notes`)}`;
    const found = await Promise.all(
      ['', '&tag=t&q=notes', '&tag=u', '&q=tea'].map((looked) => names(`?${only}${looked}`)),
    );
    expect(found).toEqual([['Field Notes'], ['Field Notes'], [], []]);
    await update('field-notes', { isPublic: false });
    expect([await names(`?${only}`), await names('?only=x')]).toEqual([[], []]);
  });

  it('is there whole for everybody signed in', async () => {
    await publish({ prompt: 'p'.repeat(5_000) });
    const answer = await app.request('GET', `/api/explore/${ada.uid}/field-notes`, { as: bob });
    expect(publicAgentAnswer.parse(answer.body).agent.prompt).toHaveLength(5_000);
  });

  it('is 404 where it is private, of somebody else, or malformed', async () => {
    await publish({ isPublic: false });
    for (const path of [`${ada.uid}/field-notes`, `${bob.uid}/field-notes`, 'nobody/x', '%zz/x']) {
      expect((await app.request('GET', `/api/explore/${path}`, { as: bob })).status).toBe(404);
      expect((await app.request('POST', `/api/explore/${path}/copy`, { as: bob })).status).toBe(404);
    }
  });
});
