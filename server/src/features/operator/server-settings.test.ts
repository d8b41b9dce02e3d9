import { beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, PASSWORD, type TestUser, testApp } from '../../testing/harness.ts';
import { actsOf } from '../../testing/operator-acts.ts';
import { runAdminCommand } from './operator.service.ts';

const BECAUSE = { reason: 'because' };
const ENV = {
  BUDGET_RUN_TOKENS: '1000',
  BUDGET_SERVER_DAY_TOKENS: '5000',
  METRICS_TOKEN: 'hush-hush-hush-hush',
  GITHUB_BASE_URL: 'http://u:hush-hush@127.0.0.1:9/?key=hush-hush',
};

let operator: TestUser;
let grace: TestUser;
const app = await emptyApp({ env: ENV });
beforeEach(async () => {
  operator = await app.signUp('Boss');
  grace = await app.signUp('Grace');
});

const PLACE = '/api/admin/settings';
const read = async () => (await app.request('GET', PLACE, { as: operator })).body;
const change = (changes: object, more: object = BECAUSE) =>
  app.request('PATCH', PLACE, { as: operator, body: { changes, ...more } });
const acts = () =>
  actsOf(app, operator, ({ what, about, reason, change: values, actor }) => [
    what,
    about,
    reason,
    values,
    actor === null ? 'command' : 'page',
  ]);
const admin = (...args: string[]) => runAdminCommand(app.deps, args);
const announced = async () => (await app.request('GET', '/api/announcement')).body.announcement;
const DAY_MS = 86_400_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('settings', () => {
  test('are changed all or none, count at once, and are written down with what was before', async () => {
    const answer = await change({ 'sign-up': 'domain', 'sign-up-domains': ['School.example'] });
    expect([answer.status, answer.body.settings['sign-up-domains']]).toEqual([200, ['school.example']]);
    expect((await app.request('POST', '/api/auth/door', { body: {} })).body.mode).toBe('domain');
    expect((await change({ 'sign-up': 'closed', 'member-invitations': 21 })).status).toBe(400);
    expect((await read()).settings['sign-up']).toBe('domain');
    expect((await admin('setting', 'sign-up', 'open', '--reason', 'holidays')).ok).toBe(true);
    expect(await acts()).toEqual([
      ['setting_changed', 'sign-up', 'holidays', { before: 'domain', after: 'open' }, 'command'],
      ['setting_changed', 'sign-up-domains', 'because', { before: 'none', after: 'school.example' }, 'page'],
      ['setting_changed', 'sign-up', 'because', { before: 'open', after: 'domain' }, 'page'],
    ]);
  });

  test('that stay as they are leave no trace', async () => {
    expect((await change({ 'sign-up': 'open' })).status).toBe(200);
    expect(await acts()).toEqual([]);
  });

  test('changed twice at once follow each other', async () => {
    const modes = ['closed', 'approval', 'invitation'];
    const answers = await Promise.all(modes.map((mode) => change({ 'sign-up': mode })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const values = await actsOf(app, operator, ({ change: one }) => one);
    expect(values.map((one) => one?.before)).toEqual([...values.slice(1).map((one) => one?.after), 'open']);
    expect((await read()).settings['sign-up']).toBe(values[0]?.after);
  });

  test('that somebody has changed meanwhile are refused, all, and saved from there', async () => {
    const own = (domains: string[], before?: object) =>
      change({ 'sign-up-domains': domains }, { ...BECAUSE, ...(before && { before }) });
    const { settings: seen } = await read();
    expect((await own(['a.example'], seen)).status).toBe(200);
    const late = { 'sign-up-domains': ['b.example'], announcement: 'Hello' };
    const refused = await change(late, { ...BECAUSE, before: seen });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      {
        code: 'conflict',
        message: 'This setting has changed in the meantime. Please take another look.',
        field: 'sign-up-domains',
      },
    ]);
    const { settings: now } = await read();
    expect([now['sign-up-domains'], now.announcement]).toEqual([['a.example'], '']);
    // What others changed beside it is no obstacle, nor is a second click.
    expect((await change({ announcement: 'Hi' }, {})).status).toBe(200);
    const both = ['a.example', 'b.example'];
    for (const before of [now, now]) expect((await own(both, before)).status).toBe(200);
    expect((await read()).settings['sign-up-domains']).toEqual(both);
    // A command says what it wants, and so does a call without it.
    expect((await admin('setting', 'sign-up-domains', 'c.example')).ok).toBe(true);
    expect((await own(['d.example'])).status).toBe(200);
  });

  test('changed at once from the same state: one is stored, the others are refused', async () => {
    const { settings: before } = await read();
    const texts = ['One', 'Two', 'Three', 'Four'];
    const answers = await Promise.all(texts.map((announcement) => change({ announcement }, { before })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await read()).settings.announcement).toBe(texts[answers.findIndex(({ status }) => status === 200)]);
    expect(await acts()).toHaveLength(1);
  });

  test('of budgets begin from one of the page, from that of the environment, or from none', async () => {
    const key = 'budget-server-day-tokens';
    const from = async (before: object, most: number | null) =>
      (await change({ [key]: most }, { ...BECAUSE, before })).status;
    expect(await from({ [key]: 5000 }, 6000)).toBe(409);
    expect(await from({}, null)).toBe(200);
    expect(await from({}, 6000)).toBe(409);
    expect(await from({ [key]: null }, 6000)).toBe(200);
    expect(await from({ [key]: 6000 }, 7000)).toBe(200);
  });

  test('need a reason, but for the announcement', async () => {
    const body = (await change({ 'sign-up': 'closed' }, {})).body;
    expect(body.error).toMatchObject({ code: 'invalid_input', message: 'Say why.', field: 'reason' });
    expect((await change({ announcement: 'Hello' }, {})).status).toBe(200);
  });

  test.each([
    [{ unknown: 1 }],
    [{ 'sign-up': 'sometimes' }],
    [{ 'budget-account-day-tokens': 999 }],
    [{ 'budget-account-day-cost': 0 }],
    [{ announcement: 'a'.repeat(201) }],
    [{ announcement: 'https://a.example https://b.example' }],
    [{ 'announcement-until': '2026-02-30' }],
    [{ 'own-networks': ['home'] }],
  ])('refuse %j', async (changes) => {
    expect((await change(changes)).status).toBe(400);
    expect(await acts()).toEqual([]);
  });

  test.each([[{ unknown: 1 }], [{ 'sign-up': 'sometimes' }], ['open'], [null]])(
    'refuse to begin from %j',
    async (before) => {
      expect((await change({ announcement: 'Hello' }, { before })).status).toBe(400);
      expect(await acts()).toEqual([]);
    },
  );
});

describe('budgets', () => {
  const budgets = async () => (await app.call(grace, 'GET', '/api/usage/budgets')).budgets;

  test('of the page count before those of the environment, in another process too, and can be none', async () => {
    const other = await testApp({ env: ENV, database: { ...app.deps.database, close: async () => {} } });
    expect((await read()).budgets).toEqual({ 'budget-server-day-tokens': 5000 });
    await change({ 'budget-account-month-tokens': 90_000, 'budget-server-day-tokens': null });
    const monthly = expect.objectContaining({ scope: 'account', period: 'month', unit: 'tokens', most: 90_000 });
    for (const process of [app, other])
      await eventually(async () =>
        expect((await process.request('GET', '/api/usage/budgets', { as: grace })).body.budgets).toEqual([monthly]),
      );
    expect((await acts()).map(([, about, , values]) => [about, values])).toEqual([
      ['budget-server-day-tokens', { before: 'as BUDGET_SERVER_DAY_TOKENS', after: 'none' }],
      ['budget-account-month-tokens', { before: 'as BUDGET_ACCOUNT_MONTH_TOKENS', after: '90000' }],
    ]);
    await other.close();
  });

  test('stop the next answer, and let it begin again', async () => {
    const { agent } = await app.call(grace, 'POST', '/api/agents', { name: 'Notes', prompt: 'p' });
    const sessionId = await app.startSession(grace, agent.id);
    const ask = () =>
      app.request('POST', '/api/runAgentTask', {
        as: grace,
        body: { sessionId, agentId: agent.id, inputText: 'Hello' },
      });
    expect((await ask()).status).toBe(200);
    await app.deps.db.execute('update token_ledger set input_tokens = 6000');
    expect(await admin('setting', 'budget-account-day-tokens', '1000')).toEqual({
      ok: true,
      message: 'budget-account-day-tokens = 1000',
    });
    await eventually(async () => expect((await ask()).status).toBe(429));
    await admin('setting', 'budget-account-day-tokens', 'none');
    await admin('setting', 'budget-server-day-tokens', 'none');
    await eventually(async () => expect(await budgets()).toEqual([]));
    expect((await ask()).status).toBe(200);
  });
});

describe('the announcement', () => {
  test('is a line of text with one link, until its last day', async () => {
    expect(await announced()).toBeNull();
    const text = 'Back <b>soon</b> & well: https://status.example/?a="b". Thanks';
    await change({ announcement: text, 'announcement-until': dayFromNow(0) }, {});
    await eventually(async () => expect(await announced()).not.toBeNull());
    const { id, html } = await announced();
    expect(html).toContain(
      'Back &lt;b&gt;soon&lt;/b&gt; &amp; well: <a href="https://status.example/?a=&quot;b&quot;"',
    );
    expect(html).toContain('</a>. Thanks</p>');
    expect(html).toContain(`data-announcement="${id}"`);
    await change({ 'announcement-until': dayFromNow(1) }, {});
    await eventually(async () => expect((await announced()).id).not.toBe(id));
    await change({ 'announcement-until': dayFromNow(-1) }, {});
    await eventually(async () => expect(await announced()).toBeNull());
    expect(await admin('setting', 'announcement-until', 'none')).toMatchObject({ ok: true });
    expect((await admin('setting', 'announcement', 'Hello')).message).toContain('Nobody sees it until');
  });
});

describe('invitations', () => {
  const invite = (body: object) => app.request('POST', `${PLACE}/invitations`, { as: operator, body });
  const list = async () => (await app.request('GET', `${PLACE}/invitations`, { as: operator })).body.invitations;
  const end = (id: string, body: object = BECAUSE) =>
    app.request('DELETE', `${PLACE}/invitations/${id}`, { as: operator, body });

  test('are made, listed with those of members but not their links, and ended', async () => {
    const { status, body } = await invite({ people: 30, days: 2, plan: 'pro', ...BECAUSE });
    expect([status, body.invitation]).toMatchObject([201, { by: null, plan: 'pro', uses: 0, maxUses: 30 }]);
    await change({ 'member-invitations': 1, 'sign-up': 'invitation' });
    const { invitation } = await app.call(grace, 'POST', '/api/invitations', {});
    expect((await list()).map(({ id, by, token }: Record<string, unknown>) => [id, by, token])).toEqual([
      [body.invitation.id, null, body.invitation.token],
      [invitation.id, { id: grace.uid, email: grace.email }, null],
    ]);
    const joins = { name: 'Ada', email: 'ada@example.com', password: PASSWORD, invitation: body.invitation.token };
    expect((await app.request('POST', '/api/auth/sign-up/email', { body: joins })).status).toBe(200);
    const ends = await Promise.all([end(invitation.id), end(invitation.id)]);
    expect(ends.map((one) => one.status).toSorted()).toEqual([204, 404]);
    expect((await list()).map(({ uses }: { uses: number }) => uses)).toEqual([1]);
    expect((await acts()).map(([what, , reason]) => [what, reason])).toEqual([
      ['invitation_ended', 'because'],
      ['setting_changed', 'because'],
      ['setting_changed', 'because'],
      ['invitation_made', 'because'],
    ]);
  });

  test.each([[{}], [{ people: 0, ...BECAUSE }], [{ people: 10_001, ...BECAUSE }], [{ plan: 'gold', ...BECAUSE }]])(
    'are refused for %j',
    async (body) => {
      expect((await invite(body)).status).toBe(400);
    },
  );

  test('that aren’t there can’t be ended, and need a reason', async () => {
    expect([(await end('x')).status, (await end(crypto.randomUUID())).status]).toEqual([404, 404]);
    expect((await end(crypto.randomUUID(), {})).status).toBe(400);
  });
});

describe('the environment', () => {
  test('is shown with where each variable is set, and without a secret', async () => {
    const page = await read();
    expect(JSON.stringify(page)).not.toContain('hush');
    const of = (name: string) => page.variables.find((one: { name: string }) => one.name === name);
    expect(of('METRICS_TOKEN')).toEqual({
      name: 'METRICS_TOKEN',
      group: 'Operation',
      value: null,
      from: 'environment',
      isSecret: true,
    });
    expect(of('GITHUB_BASE_URL')).toMatchObject({ value: null, isSecret: true });
    expect(of('BUDGET_RUN_TOKENS')).toMatchObject({ value: '1000', from: 'environment', isSecret: false });
    expect(of('PORT')).toMatchObject({ value: '3000', from: 'default' });
    expect(of('AUTH_SECRET')).toMatchObject({ value: 'generated', from: 'default', isSecret: true });
  });
});
