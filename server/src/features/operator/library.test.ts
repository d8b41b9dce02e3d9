import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { beforeTransaction } from '../../testing/in-between.ts';
import { actsOf } from '../../testing/operator-acts.ts';
import { runAdminCommand } from './operator.service.ts';

let operator: TestUser;
let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  operator = await app.signUp('Boss');
  [ada, bob] = [await app.signUpPro('Ada Lovelace'), await app.signUp('Bob')];
  await publish('Field Notes');
});
afterEach(() => void vi.restoreAllMocks());

const publish = (name: string, as = ada) => app.call(as, 'POST', '/api/agents', { name, prompt: 'p', isPublic: true });
const report = (as: TestUser, id = 'field-notes', body: object = { kind: 'spam' }) =>
  app.call(as, 'POST', `/api/explore/${ada.uid}/${id}/report`, body);
const list = async (query = '') => (await app.request('GET', `/api/admin/library${query}`, { as: operator })).body;
const names = async (query = '') => (await list(query)).agents.map(({ name }: { name: string }) => name);
const decide = (what: string, body: object, id = 'field-notes') =>
  app.request('POST', `/api/admin/library/${ada.uid}/${id}/${what}`, { as: operator, body });
const block = (what: string, body: object, uid = ada.uid) =>
  app.request('POST', `/api/admin/people/${uid}/acts`, { as: operator, body: { act: what, ...body } });
const mine = async (id = 'field-notes') => (await app.call(ada, 'GET', `/api/agents/${id}`)).agent;
const acts = () => actsOf(app, operator, ({ what, reason, subject, actor }) => [what, reason, subject?.id, actor?.id]);
const admin = (...args: string[]) => runAdminCommand(app.deps, args);
const ACTS: [what: string, act: typeof decide][] = [
  ['dismiss', decide],
  ['unpublish', decide],
  ['block-publishing', block],
  ['unblock-publishing', block],
];

describe('the list', () => {
  test('has what was reported, most reports first, with the reasons and who reported', async () => {
    for (const name of ['Planner', 'Innocent']) await publish(name);
    await report(bob);
    await report(bob, 'planner', { kind: 'rights', words: 'The text is mine.' });
    await report(operator, 'planner');
    const { agents, nextCursor } = await list();
    expect(nextCursor).toBeNull();
    expect(agents).toEqual([
      {
        creatorId: ada.uid,
        agentId: 'planner',
        name: 'Planner',
        creatorName: 'Ada Lovelace',
        creatorEmail: ada.email,
        publishingBlocked: null,
        favoriteCount: 0,
        imitates: null,
        reportCount: 2,
        reports: expect.arrayContaining([
          expect.objectContaining({
            kind: 'rights',
            words: 'The text is mine.',
            by: { id: bob.uid, email: bob.email },
          }),
          expect.objectContaining({ kind: 'spam', words: '' }),
        ]),
      },
      expect.objectContaining({ agentId: 'field-notes', reportCount: 1 }),
    ]);
    await app.call(ada, 'PUT', '/api/agents/planner', { isPublic: false });
    expect(await names()).toEqual(['Field Notes']);
    await app.call(ada, 'PUT', '/api/agents/planner', { isPublic: true });
    expect(await names()).toEqual(['Planner', 'Field Notes']);
  });

  test('finds public agents by their name, or their author’s name or email', async () => {
    await app.grantPro(bob.uid);
    await publish('Planner', bob);
    await app.call(bob, 'POST', '/api/agents', { name: 'Private notes', prompt: 'p' });
    expect(await names('?search=field')).toEqual(['Field Notes']);
    expect(await names('?search=lovelace+NOTES')).toEqual(['Field Notes']);
    expect(await names(`?search=${encodeURIComponent(bob.email)}`)).toEqual(['Planner']);
    for (const odd of ["'", '%25', '_', '%5C', 'private']) expect(await names(`?search=${odd}`)).toEqual([]);
  });

  test('comes in pages, each agent once', async () => {
    for (const name of ['Planner', 'Sketches', 'Maps']) await publish(name);
    for (const id of ['planner', 'sketches', 'maps', 'field-notes']) await report(bob, id);
    await report(operator, 'maps');
    for (const search of ['', 'search=ada&']) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { agents, nextCursor } = await list(`?${search}limit=3${cursor}`);
        seen.push(...agents.map(({ name }: { name: string }) => name));
        if (nextCursor === null) break;
        cursor = `&cursor=${nextCursor}`;
      }
      expect(seen.toSorted()).toEqual(['Field Notes', 'Maps', 'Planner', 'Sketches']);
    }
  });

  test('refuses what it does not know', async () => {
    for (const query of ['?limit=0', '?cursor=x', `?search=${'x'.repeat(201)}`])
      expect((await app.request('GET', `/api/admin/library${query}`, { as: operator })).status).toBe(400);
  });
});

describe('an act', () => {
  test('closes reports once, also twice at once; the same person can’t report it again until it is published again', async () => {
    await report(bob);
    const both = await Promise.all([decide('dismiss', { reason: 'fine' }), decide('dismiss', {})]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(await names()).toEqual([]);
    await report(bob);
    expect([await names(), (await mine()).isPublic]).toEqual([[], true]);
    await app.call(ada, 'PUT', '/api/agents/field-notes', { isPublic: false });
    await app.call(ada, 'PUT', '/api/agents/field-notes', { isPublic: true });
    await report(bob);
    expect(await names()).toEqual(['Field Notes']);
    expect((await acts())[0]).toEqual(['reports_dismissed', expect.any(String), ada.uid, operator.uid]);
  });

  test('unpublishes once, also twice at once; its author reads why until it is published again', async () => {
    await report(bob);
    const both = await Promise.all([decide('unpublish', { reason: 'spam' }), decide('unpublish', { reason: 'spam' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    expect(await mine()).toMatchObject({ isPublic: false, unpublishedReason: 'spam' });
    expect((await app.request('GET', `/api/explore/${ada.uid}/field-notes`, { as: bob })).status).toBe(404);
    expect(await acts()).toEqual([['agent_unpublished', 'spam', ada.uid, operator.uid]]);
    await app.call(ada, 'PUT', '/api/agents/field-notes', { prompt: 'better' });
    expect((await mine()).unpublishedReason).toBe('spam');
    await app.call(ada, 'PUT', '/api/agents/field-notes', { isPublic: true });
    expect((await mine()).unpublishedReason).toBeNull();
    expect((await app.call(bob, 'GET', `/api/explore/${ada.uid}/field-notes`)).agent).not.toHaveProperty(
      'unpublishedReason',
    );
    expect(await names()).toEqual([]);
  });

  test('unpublishes also in the moment in which its author changes something else', async () => {
    beforeTransaction(app, () => decide('unpublish', { reason: 'spam' }));
    const change = { prompt: 'worse', name: 'Notes' };
    const { agent } = await app.call(ada, 'PUT', '/api/agents/field-notes', change);
    expect(agent).toMatchObject({ ...change, isPublic: false, unpublishedReason: 'spam' });
    await app.call(ada, 'PUT', '/api/agents/field-notes', { isPublic: true });
    beforeTransaction(app, () => app.call(ada, 'PUT', '/api/agents/field-notes', { isPublic: false }));
    await app.call(ada, 'PUT', '/api/agents/field-notes', { prompt: 'private' });
    expect(await mine()).toMatchObject({ prompt: 'private', isPublic: false });
  });

  test('blocks an author’s publishing and allows it again; what is public stays, and can be made private', async () => {
    const both = await Promise.all([
      block('block-publishing', { reason: 'Only advertising.' }),
      block('block-publishing', { reason: 'Only advertising.' }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.body.person.publishingBlocked).toBe('Only advertising.');
    const send = (method: string, path: string, body: object) =>
      app.request(method, `/api/agents${path}`, { as: ada, body });
    const refused = [
      await send('POST', '', { name: 'New', prompt: 'p', isPublic: true }),
      await send('PUT', '/field-notes', { prompt: 'Buy this.' }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error.message]).toEqual([
        403,
        'The operator has blocked publishing for your account: Only advertising.',
      ]);
    }
    expect((await send('POST', '', { name: 'New', prompt: 'p' })).status).toBe(201);
    expect((await send('PUT', '/field-notes', { prompt: 'Mine alone.', isPublic: false })).status).toBe(200);
    expect((await send('PUT', '/field-notes', { isPublic: true })).status).toBe(403);
    expect((await block('unblock-publishing', {})).body.person.publishingBlocked).toBeNull();
    expect((await block('unblock-publishing', {})).status).toBe(409);
    expect((await send('PUT', '/field-notes', { isPublic: true })).status).toBe(200);
    expect((await acts()).map(([what]) => what)).toEqual(['publishing_unblocked', 'publishing_blocked']);
  });

  test.each(ACTS)('%s needs something to act on, and a valid reason', async (what, act) => {
    await report(bob);
    expect((await act(what, { reason: 'x' }, 'nothing')).status).toBe(404);
    for (const body of [{ reason: 'x'.repeat(501) }, { reason: 'x', more: 1 }, { reason: 1 }])
      expect((await act(what, body)).status).toBe(400);
    expect((await act(what, {})).status === 400).toBe(['unpublish', 'block-publishing'].includes(what));
  });
});

test('the command line finds the author of a public agent, and does the same', async () => {
  expect((await admin('library')).message).toBe('No public agent is reported.');
  await report(bob, 'field-notes', { kind: 'harmful', words: 'It lies.\n\u001B[2J' });
  const address = `${ada.uid}/field-notes`;
  for (const words of [[], ['field'], ['ada', 'lovelace']]) {
    const { message } = await admin('library', ...words);
    expect(message).toContain(`${address}  “Field Notes” by Ada Lovelace <${ada.email}>, reports: 1`);
    expect(message).toMatch(/harmful {2}It lies\. \[2J$/u);
  }
  expect((await admin('library', 'nothing')).message).toBe('No public agent matches.');
  expect((await admin('dismiss-reports', address)).message).toBe('The reports are closed.');
  expect((await admin('dismiss-reports', address)).message).toBe('No report of this agent is open.');
  expect((await admin('unpublish', address)).message).toContain('This command is not understood.');
  expect(await admin('unpublish', `${ada.uid}/none`, '--reason', 'spam')).toEqual({
    ok: false,
    message: `There is no public agent ${ada.uid}/none.`,
  });
  expect((await admin('unpublish', address, '--reason', 'spam')).ok).toBe(true);
  expect((await mine()).unpublishedReason).toBe('spam');
  expect((await admin('block-publishing', ada.email)).message).toContain('Say why: --reason TEXT.');
  expect((await admin('block-publishing', ada.email, '--reason', 'spam')).message).toContain('publishes no agents');
  expect((await admin('unblock-publishing', ada.email)).message).toContain('may publish agents again');
  expect((await acts()).map(([what, , , actor]) => [what, actor])).toEqual([
    ['publishing_unblocked', undefined],
    ['publishing_blocked', undefined],
    ['agent_unpublished', undefined],
    ['reports_dismissed', undefined],
  ]);
});
