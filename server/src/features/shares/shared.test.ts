import { sharedAnswer } from '@atelier/contract/shares';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, PASSWORD, type TestUser, testApp } from '../../testing/harness.ts';
import { user } from '../accounts/accounts.table.ts';
import { memories } from '../memory/memory.table.ts';
import { purgeSession } from '../removal/delete-session.service.ts';
import { tasks } from '../runs/runs.table.ts';
import { shares } from './shares.table.ts';

let ada: TestUser;
let bob: TestUser;
let sessionId: string;
let taskId: string;

const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada Lovelace'), await app.signUp('Bob')];
  const settings = { name: 'Field Notes', prompt: 'Keep notes.', isPublic: true };
  await app.request('POST', '/api/agents', { as: ada, body: settings });
  sessionId = await app.startSession(ada, 'field-notes');
  taskId = await say('The kiln stands in Faro.');
});

const say = async (inputText: string) => {
  const body = { sessionId, agentId: 'field-notes', inputText };
  return (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body.task.id;
};
const link = async (body: object = {}): Promise<string> =>
  (await app.request('POST', `/api/sessions/${sessionId}/shares`, { as: ada, body })).body.share.token;
const look = (token: string, as?: TestUser) => app.request('GET', `/api/shared/${token}`, { as });
const copy = (token: string, as: TestUser) => app.request('POST', `/api/shared/${token}/copy`, { as });

/** A receipt as runs leave it: a memory, a passage of a file, and a call with a key in it. */
const withReceipt = () =>
  app.deps.db
    .update(tasks)
    .set({
      memoryUsed: [
        {
          id: taskId,
          kind: 'person',
          text: 'I fire at 1240 degrees',
          sessionId,
          timestamp: new Date().toISOString(),
          score: 1,
        },
        {
          id: taskId,
          kind: 'file',
          text: 'SECRET PAGE',
          fileName: 'salary.pdf',
          timestamp: new Date().toISOString(),
          score: 1,
        },
      ],
      toolCalls: [
        {
          id: 'c1',
          name: 's0123abcd__look',
          state: 'done',
          input: { url: 'https://a.example/?token=abc123def' },
          output: 'PRIVATE',
        },
      ],
      thoughts: 'HIDDEN THOUGHT',
    })
    .where(eq(tasks.id, taskId));

it('is open to anyone, and holds words, agent and times alone: no account, no ids, no receipt', async () => {
  await withReceipt();
  const answer = await look(await link());
  expect(answer.status).toBe(200);
  const { shared } = sharedAnswer.parse(answer.body);
  expect(shared).toMatchObject({ agentName: 'Field Notes', mayCopy: true, hasEarlier: false, follows: false });
  expect(shared.exchanges).toMatchObject([{ inputText: 'The kiln stands in Faro.', memories: [], calls: [] }]);
  const text = JSON.stringify(answer.body);
  for (const secret of ['Ada Lovelace', ada.email, ada.uid, sessionId, taskId, '1240', 'SECRET', 'HIDDEN', 'PRIVATE']) {
    expect(text).not.toContain(secret);
  }
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
});

it('shows with receipts what was remembered and asked of tools: no file, no key, no answer of a tool', async () => {
  await withReceipt();
  const answer = await look(await link({ withReceipts: true }));
  const [exchange] = sharedAnswer.parse(answer.body).shared.exchanges;
  expect(exchange?.memories).toMatchObject([
    { kind: 'person', text: 'I fire at 1240 degrees' },
    { kind: 'file', text: '' },
  ]);
  expect(exchange?.calls).toEqual([
    { name: 'look', input: { url: 'https://a.example/?token=[redacted]' }, failed: false },
  ]);
  expect(JSON.stringify(answer.body)).not.toMatch(/SECRET|salary|PRIVATE|HIDDEN|abc123/u);
});

it('blanks fields of calls that are named like secrets, however they are spelled, and no others', async () => {
  const named =
    'password new-Password apiKey API_KEY authToken client_secret keys pw pass dbpass session_id sessionId Cookie X-CSRF-Token jwt otp githubtoken ' +
    'webhooksecret cookiejar Proxy-Authorization Passwort Benutzerkennwort contraseña mot_de_passe palavraPasse пароль 密码 パスワード 비밀번호 كلمة_المرور ' +
    'mfaCode two_factor_code 2fa smsCode cvv2 creds psk security_answer magic_link SAMLResponse mnemonic cardNumber haslo 验证码 合言葉 الرمز_السري';
  const secrets = {
    ...Object.fromEntries(named.split(' ').map((name) => [name, 'hunter2'])),
    client_secret: { deep: 'hunter2' },
    PIN: 1234,
    inner: [{ Authorization: 'hunter2' }],
    pairs: [
      { name: 'password', value: 'hunter2' },
      { key: 'Authorization', value: ['hunter2'] },
      ['mot de passe', 'hunter2'],
      { selector: '#password', fill: 'hunter2' },
      { field: 'password', entry: 'hunter2' },
    ],
    filled: { element: 'Password field', ref: 'e5', text: 'hunter2' },
    args: ['--password', 'hunter2', '--pw=hunter2', '-u', 'ada'],
    json: JSON.stringify({ a: JSON.stringify([{ passwort: 'hunter2' }]) }),
    broken: "{'password': 'hunter2', 'x",
    queries: [
      'https://a.example/?a=1&pw=hunter2#x',
      'contrase%C3%B1a=hunter2&b=2',
      'mot+de+passe=hunter2',
      'sid = hunter2',
      "my 'token' => 'hunter2'",
    ],
    headers: 'Accept: text/html\nCookie: a=hunter2; b=hunter2\nAuthorization: Token hunter2\nHost: a.example',
    texts: [
      'Mot de passe : hunter2',
      'Bearer hunter2',
      '<pin type="x">hunter2</pin>',
      'export DB_PASSWORD="hunter2 x hunter2"',
    ],
  };
  const plain = {
    words: {
      keyboard: 'qwerty',
      monkey: 'ape',
      compass: 'north',
      author: 'Ada',
      spin: 3,
      tokyo: 'city',
      passage: 'Rome',
    },
    more: {
      passenger: 'Bob',
      tokens: 5,
      max_tokens: 512,
      secretary: 'Eve',
      session: 'morning',
      bypass: 'A1',
      oath: 'x',
    },
    pairs: [{ name: 'Key West', text: 'It is warm.' }, { name: 'author', value: 'Ada' }, ['author', 'Ada']],
    texts: ['Author: Ada. Compass: north. a=b&passage=c', '{"keyboard":"qwerty","tokens":5}'],
  };
  const deep = `${'['.repeat(50_000)}1${']'.repeat(50_000)}`;
  const call = { id: 'c1', name: 'look', state: 'done' as const, input: { ...secrets, plain, deep } };
  await app.deps.db
    .update(tasks)
    .set({ toolCalls: [call] })
    .where(eq(tasks.id, taskId));
  const [exchange] = sharedAnswer.parse((await look(await link({ withReceipts: true }))).body).shared.exchanges;
  const shown = Object.entries(exchange?.calls[0]?.input ?? {});
  expect(shown.filter(([, value]) => /hunter2|1234/u.test(JSON.stringify(value)))).toEqual([]);
  expect(Object.fromEntries(shown)).toMatchObject({
    plain,
    queries: [
      expect.stringContaining('a=1&pw=[redacted]'),
      expect.stringContaining('&b=2'),
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ],
    headers: expect.stringContaining('text/html'),
  });
});

it('forgets what its owner forgets', async () => {
  await say('Where does the kiln stand?');
  const token = await link({ withReceipts: true });
  const seen = async () => JSON.stringify((await look(token)).body.shared.exchanges.at(-1)?.memories);
  expect(await seen()).toContain('Faro');
  const all = await app.deps.db.select().from(memories).where(eq(memories.userId, ada.uid));
  await app.request('DELETE', '/api/memories', { as: ada, body: { ids: all.map(({ id }) => id) } });
  expect(await seen()).not.toContain('Faro');
});

it('answers the same 404 for all that is no link, is not any more, or was cut short', async () => {
  const token = await link();
  const wrong = [token.slice(1), `${token}x`, 'x'.repeat(43), 'x'.repeat(10_000), '__proto__', '%00', "';--"];
  const answers = await Promise.all(wrong.map((one) => look(one)));
  expect(answers.map(({ status }) => status).filter((status) => status !== 404 && status !== 400)).toEqual([]);
  const bodies = new Set([0, 1, 2].map((i) => JSON.stringify(answers[i]?.body)));
  expect([...bodies]).toHaveLength(1);
});

it('ends with its session, and comes back with it', async () => {
  const token = await link();
  await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada });
  expect((await look(token)).status).toBe(404);
  expect((await app.request('GET', '/api/shares', { as: ada })).body.shares).toEqual([]);
  await app.request('POST', `/api/sessions/${sessionId}/restore`, { as: ada });
  expect((await look(token)).status).toBe(200);
  await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada });
  await app.deps.database.executeSql(`update chat_sessions set deleted_at = now() - interval '1 minute'`, []);
  await purgeSession(app.deps, { userId: ada.uid, sessionId });
  expect(await app.deps.db.select().from(shares)).toEqual([]);
});

it('ends while its account is disabled, and with it', async () => {
  const token = await link();
  const setBanned = (banned: boolean) => app.deps.db.update(user).set({ banned }).where(eq(user.id, ada.uid));
  await setBanned(true);
  expect((await look(token)).status).toBe(404);
  expect((await copy(token, bob)).status).toBe(404);
  await setBanned(false);
  expect((await look(token)).status).toBe(200);
  expect((await app.request('DELETE', '/api/me', { as: ada, body: { password: PASSWORD } })).status).toBe(200);
  expect((await look(token)).status).toBe(404);
  await eventually(async () => expect(await app.deps.db.select().from(shares)).toEqual([]));
});

it('lets a person who signs in go on with a copy, which knows nothing of what was said', async () => {
  const token = await link();
  const made = await copy(token, bob);
  expect(made.status).toBe(201);
  expect(made.body.agent).toMatchObject({ name: 'Field Notes', prompt: 'Keep notes.', isPublic: false });
  const remembered = await app.deps.db.select().from(memories).where(eq(memories.userId, bob.uid));
  expect(remembered).toEqual([]);
  await app.request('PUT', '/api/agents/field-notes', { as: ada, body: { isPublic: false } });
  expect((await look(token)).body.shared.mayCopy).toBe(false);
  expect((await copy(token, bob)).status).toBe(404);
  expect((await copy('x'.repeat(43), bob)).status).toBe(404);
  await app.request('DELETE', '/api/agents/field-notes', { as: ada });
  expect((await look(token)).body.shared).toMatchObject({ agentName: 'Field Notes', mayCopy: false });
});

it('makes those who guess wait', async () => {
  const strict = await testApp({ env: { ACCOUNT_BOUNDS: '1' }, database: app.deps.database });
  const guess = () => strict.request('GET', `/api/shared/${'x'.repeat(43)}`);
  const statuses = (await Promise.all(Array.from({ length: 300 }, guess))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
  expect(statuses.filter((status) => status === 404).length).toBeLessThan(200);
  await strict.close();
});

it('shows a deleted exchange no more, and again after undo', async () => {
  // Otherwise a title made of these words may come at any moment.
  await app.request('PATCH', `/api/sessions/${sessionId}`, { as: ada, body: { name: 'Kiln' } });
  await say('It fires at night.');
  for (const token of [await link(), await link({ taskId })]) {
    const deleted = await app.request('DELETE', `/api/sessions/${sessionId}/tasks/${taskId}`, { as: ada });
    expect(deleted.status).toBe(204);
    expect(JSON.stringify((await look(token)).body)).not.toContain('Faro');
    await app.request('POST', `/api/sessions/${sessionId}/tasks/${taskId}/restore`, { as: ada });
    expect(JSON.stringify((await look(token)).body)).toContain('Faro');
  }
});
