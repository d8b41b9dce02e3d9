import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { keyHeaders } from '../../testing/every-route.ts';
import { emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { actsOf } from '../../testing/operator-acts.ts';
import { addPasskey, ageProofs } from '../../testing/ways-in.ts';
import { authSession } from '../accounts/accounts.identity.table.ts';
import { user } from '../accounts/accounts.table.ts';
import { changeSettings } from '../settings/settings.service.ts';

let operator: TestUser;
let grace: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  operator = await app.signUp('Boss');
  grace = await app.signUp('Grace Hopper');
});

const ACTS = [
  'approve',
  'disable',
  'enable',
  'reset-link',
  'remove-factor',
  'remove-passkeys',
  'grant-pro',
  'take-pro',
  'block-publishing',
  'unblock-publishing',
];
const list = async (query = '') => (await app.request('GET', `/api/admin/people${query}`, { as: operator })).body;
const names = async (query = '') =>
  (await list(query)).people.map(({ displayName }: { displayName: string }) => displayName);
const act = (what: string, body: object, who: Pick<TestUser, 'uid'> = grace) =>
  app.request('POST', `/api/admin/people/${who.uid}/acts`, { as: operator, body: { act: what, ...body } });
const read = async (who = grace) =>
  (await app.request('GET', `/api/admin/people/${who.uid}`, { as: operator })).body.person;
const acts = () => actsOf(app, operator, ({ what, reason, actor }) => [what, reason, actor?.id === operator.uid]);

test('each act asks the operator for a proof that it is them', async () => {
  await ageProofs(app);
  for (const what of ACTS) {
    const refused = await act(what, { reason: 'because' });
    expect([what, refused.status, refused.body.error.code]).toEqual([what, 403, 'confirmation_needed']);
  }
  const body = { reason: 'because', email: grace.email };
  const kept = await app.request('DELETE', `/api/admin/people/${grace.uid}`, { as: operator, body });
  expect([kept.status, await acts()]).toEqual([403, []]);
  await app.request('POST', '/api/auth/confirm-owner', { as: operator, body: { password: PASSWORD } });
  expect((await act('grant-pro', { reason: 'because' })).status).toBe(200);
});

describe('the list', () => {
  test('is found by the beginnings of words of the name or the email, whatever the case', async () => {
    expect(await names('?search=HOPP')).toEqual(['Grace Hopper']);
    expect(await names(`?search=${encodeURIComponent(grace.email)}`)).toEqual(['Grace Hopper']);
    expect(await names(`?search=gra+${grace.email.slice(0, 12)}`)).toEqual(['Grace Hopper']);
    for (const odd of ["'", '%5C', '@.', ':*', "hopper'%26", '!hopper|boss'])
      expect(Array.isArray(await names(`?search=${odd}`))).toBe(true);
    expect(await names('?search=opper')).toEqual([]);
    expect(await names('?search=100%25')).toEqual([]);
    expect(await list('?search=nobody')).toEqual({ people: [], nextCursor: null });
  });

  test('is sorted three ways, and comes in pages with each person once', async () => {
    for (const name of ['Cleo', 'Anna', 'Bert']) await app.signUp(name);
    await app.deps.db.execute(sql`update "user" set email = lower(split_part(name, ' ', 1)) || '@example.org'`);
    await app.deps.db.execute(sql`update "user" set last_sign_in_at = now() + interval '1 day' where name = 'Bert'`);
    expect(await names('?sort=email')).toEqual(['Anna', 'Bert', 'Boss', 'Cleo', 'Grace Hopper']);
    expect(await names()).toEqual(['Bert', 'Anna', 'Cleo', 'Grace Hopper', 'Boss']);
    expect((await names('?sort=seen'))[0]).toBe('Bert');
    for (const sort of ['newest', 'seen', 'email']) {
      const whole = await names(`?sort=${sort}`);
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { people, nextCursor } = await list(`?sort=${sort}&limit=2${cursor}`);
        seen.push(...people.map(({ displayName }: { displayName: string }) => displayName));
        if (nextCursor === null) break;
        cursor = `&cursor=${nextCursor}`;
      }
      expect(seen).toEqual(whole);
    }
  });

  test('refuses what it does not know', async () => {
    const { nextCursor } = await list('?sort=email&limit=1');
    for (const query of ['?sort=plan', '?limit=0', `?search=${'x'.repeat(201)}`, `?cursor=${nextCursor}`]) {
      expect((await app.request('GET', `/api/admin/people${query}`, { as: operator })).status).toBe(400);
    }
  });

  test('has counts and sizes', async () => {
    await app.grantPro(grace.uid);
    const { agent } = await app.call(grace, 'POST', '/api/agents', { name: 'Notes', prompt: 'Keep notes.' });
    const sessionId = await app.startSession(grace, agent.id);
    await app.call(grace, 'POST', '/api/runAgentTask', { sessionId, agentId: agent.id, inputText: 'Hello.' });
    const { people } = await list('?search=grace');
    expect(people).toEqual([
      expect.objectContaining({ plan: 'pro', exchanges: 1, sessions: 1, storage: 0, disabled: false }),
    ]);
    expect(await read()).toMatchObject({ holdings: { agents: 1, publicAgents: 0, memories: 2 }, isOwn: false });
  });
});

test('no answer of an operator’s call has a word that somebody wrote', async () => {
  const canary = 'Quokka42';
  await app.grantPro(grace.uid);
  const said = { name: `${canary} name`, prompt: `${canary} prompt`, description: canary, isPublic: false };
  const { agent } = await app.call(grace, 'POST', '/api/agents', said);
  const sessionId = await app.startSession(grace, agent.id);
  const inputText = `My ${canary} stands in Faro.`;
  const { task } = await app.call(grace, 'POST', '/api/runAgentTask', { sessionId, agentId: agent.id, inputText });
  await app.call(grace, 'PATCH', `/api/sessions/${sessionId}`, { name: canary });
  await app.call(grace, 'POST', '/api/prompts', { name: canary, text: canary });
  await app.call(grace, 'POST', '/api/folders', { name: canary });
  await app.call(grace, 'POST', '/api/keys', { name: canary });
  await app.call(grace, 'POST', `/api/sessions/${sessionId}/shares`, {});
  const form = new FormData();
  form.append('file', new File([canary], `${canary}.txt`, { type: 'text/plain' }));
  const upload = await app.app.request(`http://localhost/api/agents/${agent.id}/files`, {
    method: 'POST',
    body: form,
    headers: { cookie: grace.cookie, origin: 'http://localhost' },
  });
  expect([upload.status, JSON.stringify(task).includes(canary)]).toEqual([201, true]);
  const { paths } = (await app.request('GET', '/api/openapi.json')).body;
  const reason = 'a test';
  const bodiesOf = (path: string, method: string): ({ act?: string; reason: string; email?: string } | undefined)[] => {
    if (method === 'get') return [undefined];
    if (path.endsWith('/acts')) return ACTS.map((what) => ({ act: what, reason }));
    return [{ reason, email: 'other@example.com' }];
  };
  const calls = Object.entries<object>(paths)
    .filter(([path]) => path.startsWith('/api/admin/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
    .flatMap(({ path, method }) => bodiesOf(path, method).map((body) => ({ path, method, body })));
  expect(calls.length).toBeGreaterThan(9);
  for (const { path, method, body } of calls) {
    const address = path.replace('{accountId}', grace.uid);
    const answer = await app.request(method.toUpperCase(), address, { as: operator, body });
    expect([method, path, JSON.stringify(answer.body).includes(canary)]).toEqual([method, path, false]);
    const none = ['approve', 'reset-link', 'remove-factor', 'remove-passkeys', 'grant-pro'];
    const changesNothing = none.includes(body?.act ?? '');
    if (method === 'get' || body?.act !== undefined) {
      expect([path, body, answer.status]).toEqual([path, body, changesNothing ? 409 : 200]);
    }
  }
});

describe('an act on an account', () => {
  test('disables it: signed out everywhere, keys refused, answers stopped; and enables it', async () => {
    await app.grantPro(grace.uid);
    const key = await keyHeaders(app, grace, { scopes: ['read'] });
    const disabled = await act('disable', { reason: 'spam' });
    expect(disabled.body.person).toMatchObject({ disabled: true, disabledReason: 'spam' });
    expect((await app.request('GET', '/api/me', { as: grace })).status).toBe(401);
    expect((await app.request('GET', '/v1/models', { headers: key })).status).toBe(401);
    const body = { email: grace.email, password: PASSWORD };
    expect((await app.request('POST', '/api/auth/sign-in/email', { body })).status).not.toBe(200);
    expect((await act('enable', {})).body.person).toMatchObject({ disabled: false, disabledReason: null });
    expect((await app.request('POST', '/api/auth/sign-in/email', { body })).status).toBe(200);
    expect(await acts()).toEqual([
      ['account_enabled', '', true],
      ['account_disabled', 'spam', true],
    ]);
  });

  test('grants Pro once and takes it back once, also twice at once', async () => {
    const granted = await Promise.all([
      act('grant-pro', { reason: 'a class' }),
      act('grant-pro', { reason: 'a class' }),
    ]);
    expect(granted.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await read()).toMatchObject({ plan: 'pro', grants: [{ source: 'operator', reason: 'a class' }] });
    const taken = await Promise.all([
      act('take-pro', { reason: 'a mistake' }),
      act('take-pro', { reason: 'a mistake' }),
    ]);
    expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await app.request('GET', '/api/me', { as: grace })).body.limits.messages).toBe(10);
    expect(await acts()).toEqual([
      ['pro_taken_back', 'a mistake', true],
      ['pro_granted', 'a class', true],
    ]);
  });

  test('removes all passkeys, and signs out everywhere', async () => {
    await addPasskey(app, grace);
    expect((await read()).passkeys).toBe(1);
    const removed = await act('remove-passkeys', { reason: 'stolen' });
    expect([removed.status, removed.body.person.passkeys]).toEqual([200, 0]);
    expect((await app.request('GET', '/api/me', { as: grace })).status).toBe(401);
    const again = await act('remove-passkeys', { reason: 'stolen' });
    expect([again.status, again.body.error.message]).toEqual([409, 'This account has no passkeys.']);
    expect(await acts()).toEqual([['passkeys_removed', 'stolen', true]]);
  });

  test('says what it can’t do, and then writes nothing down', async () => {
    const factor = await act('remove-factor', { reason: 'lost' });
    expect([factor.status, factor.body.error.message]).toEqual([409, 'This account has no second factor.']);
    const own = await act('disable', { reason: 'oops' }, operator);
    expect([own.status, own.body.error.message]).toEqual([409, expect.stringContaining('your own account')]);
    const mail = await act('reset-link', {});
    expect([mail.status, mail.body.error.message]).toEqual([409, expect.stringContaining('npm run admin')]);
    expect(await acts()).toEqual([]);
  });

  test('needs a reason and an account', async () => {
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 'x', more: 1 }]) {
      expect((await act('disable', body)).status).toBe(400);
    }
    for (const what of ACTS) {
      expect((await act(what, { reason: 'x' }, { ...grace, uid: 'nobody' })).status).toBe(404);
    }
    expect(await app.deps.db.$count(authSession, eq(authSession.userId, operator.uid))).toBe(1);
  });

  test('deletes it with all that it has, if the email is written again', async () => {
    const remove = (email: string, who = grace) =>
      app.request('DELETE', `/api/admin/people/${who.uid}`, { as: operator, body: { reason: 'asked for it', email } });
    expect((await remove('other@example.com')).status).toBe(409);
    expect((await remove(operator.email, operator)).status).toBe(409);
    const both = await Promise.all([remove(grace.email.toUpperCase()), remove(grace.email)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    expect(await app.deps.db.$count(user, eq(user.id, grace.uid))).toBe(0);
    expect((await app.request('GET', '/api/me', { as: grace })).status).toBe(401);
    expect(await acts()).toEqual([['account_removed', 'asked for it', true]]);
  });
});

test('a disabled account’s answer under way stops', async () => {
  await app.grantPro(grace.uid);
  const { agent } = await app.call(grace, 'POST', '/api/agents', { name: 'Notes', prompt: 'Keep notes.' });
  const sessionId = await app.startSession(grace, agent.id);
  const sent = { inputText: 'Count slowly.', agentId: agent.id };
  await app.call(grace, 'POST', `/api/sessions/${sessionId}/tasks`, sent);
  await act('disable', { reason: 'spam' });
  await eventually(async () => {
    const running = await app.deps.database.executeSql(
      `select 1 from tasks where status in ('queued', 'running', 'waiting')`,
    );
    expect(running.rows).toEqual([]);
  });
});

describe('accounts that wait', () => {
  const BECAUSE = { reason: 'because' };
  type Listed = { id: string; email: string; waitingFor: string | null };
  const waiting = async (more = ''): Promise<Listed[]> => (await list(`?show=waiting${more}`)).people;
  const due = async () => (await app.call(operator, 'GET', '/api/admin/overview')).due.waiting;
  const reject = (id: string, body: object = BECAUSE) =>
    app.request('POST', `/api/admin/people/${id}/reject`, { as: operator, body });
  const sign = (way: 'sign-up' | 'sign-in', email: string) =>
    app.request('POST', `/api/auth/${way}/email`, { body: { name: 'New', email, password: PASSWORD } });
  beforeEach(async () => {
    await changeSettings(app.deps, { 'sign-up': 'approval' });
    for (const email of ['ada@example.com', 'bob@example.com']) await sign('sign-up', email);
  });

  test('are found, counted, and let in or refused', async () => {
    expect((await waiting()).map(({ email, waitingFor }) => [email, waitingFor])).toEqual([
      ['bob@example.com', 'approval'],
      ['ada@example.com', 'approval'],
    ]);
    expect((await waiting('&search=ada&sort=email')).map(({ email }) => email)).toEqual(['ada@example.com']);
    expect([(await list()).people.length, await due()]).toEqual([4, 2]);
    const [bob, ada] = (await waiting()).map(({ id }) => id) as [string, string];
    expect((await act('approve', {}, { uid: ada })).status).toBe(400);
    const approved = await act('approve', BECAUSE, { uid: ada });
    const signIn = await sign('sign-in', 'ada@example.com');
    expect([approved.status, approved.body.person.waitingFor, signIn.status]).toEqual([200, null, 200]);
    const answers = await Promise.all([reject(bob), reject(bob)]);
    // The other sees that it is gone, or waits no more.
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect([await waiting(), await due()]).toEqual([[], 0]);
    expect(await actsOf(app, operator, ({ what, reason, subject }) => [what, reason, subject?.email])).toEqual([
      ['account_rejected', 'because', null],
      ['account_approved', 'because', 'ada@example.com'],
    ]);
  });

  test('are the only ones to approve or reject', async () => {
    expect((await act('approve', BECAUSE, operator)).status).toBe(409);
    expect([(await reject(operator.uid)).status, (await reject('nobody')).status]).toEqual([409, 404]);
    expect((await reject(operator.uid, {})).status).toBe(400);
  });
});
