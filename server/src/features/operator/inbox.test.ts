import { CONTACT_LIMITS } from '@atelier/contract/contact';
import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../testing/fake-smtp.ts';
import { emptyApp, type TestApp, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { actsOf } from '../../testing/operator-acts.ts';

let app: TestApp;
let operator: TestUser;
const smtp = await closing(startFakeSmtp());
const mailing = await emptyApp({ env: { SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' } });
const silent = await emptyApp();
const begin = async (one: TestApp) => {
  app = one;
  smtp.reset();
  operator = await app.signUp('Boss');
};
beforeEach(() => begin(mailing));

const write = (message: string, more: object = {}) =>
  app.request('POST', '/api/contact', { body: { message, email: 'ada@example.com', ...more } });
const list = async (query = '') => (await app.request('GET', `/api/admin/inbox${query}`, { as: operator })).body;
const messages = async (query = '') => (await list(query)).messages.map(({ message }: { message: string }) => message);
const reply = (id: string, text: unknown) =>
  app.request('POST', `/api/admin/inbox/${id}/reply`, { as: operator, body: { text } });
const close = (id: string, body: object = {}) =>
  app.request('POST', `/api/admin/inbox/${id}/answered`, { as: operator, body });
const firstId = async (): Promise<string> => (await list()).messages[0].id;
const acts = () => actsOf(app, operator, ({ what, about, reason }) => [what, about, reason]);

test('has open, answered and held messages, newest first and in pages', async () => {
  for (const text of ['one', 'two', 'three']) await write(text);
  await write('spam', { website: 'x' });
  expect(await messages()).toEqual(['three', 'two', 'one']);
  expect(await messages('?box=held')).toEqual(['spam']);
  const first = await list('?limit=2');
  expect(await messages(`?limit=2&cursor=${first.nextCursor}`)).toEqual(['one']);
  await close(await firstId(), { reason: 'by telephone' });
  expect([await messages(), await messages('?box=answered')]).toEqual([['two', 'one'], ['three']]);
  for (const query of ['?box=all', '?cursor=x', '?limit=0'])
    expect((await app.request('GET', `/api/admin/inbox${query}`, { as: operator })).status).toBe(400);
});

test('a reply is mailed to the person who wrote, also without an account, with their message below it', async () => {
  await write('Where is\nmy <kiln>?');
  const id = await firstId();
  expect((await reply(id, ' In Faro.\n\nReally. ')).status).toBe(204);
  const mail = await eventually(() => {
    const [found] = mailsTo(smtp, 'ada@example.com');
    if (found === undefined) throw new Error('no mail yet');
    return found;
  });
  expect(mail.subject).toBe('Atelier: reply to your message');
  expect(mail.text).toMatch(
    /Hello,\n\nIn Faro\.\n\nReally\.\n\n.*contact\n\nYou wrote on .* UTC:\n\nWhere is\nmy <kiln>\?/su,
  );
  expect(mail.html).toContain('In Faro.<br><br>Really.');
  expect(mail.html).toContain('Where is<br>my &lt;kiln&gt;?');
  expect((await list('?box=answered')).messages).toMatchObject([
    { id, answer: 'In Faro.\n\nReally.', answeredAt: expect.any(String), box: 'answered' },
  ]);
  expect(await acts()).toEqual([['message_answered', id, '']]);
});

test('is answered once, also twice at once', async () => {
  await write('Hello');
  const id = await firstId();
  const answers = await Promise.all([reply(id, 'One.'), reply(id, 'Two.'), close(id)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409, 409]);
  expect(await acts()).toHaveLength(1);
});

test('without mail it says so, and a message is marked answered', async () => {
  await begin(silent);
  await write('Hello');
  const { mail } = await list();
  const id = await firstId();
  const refused = await reply(id, 'Hi.');
  expect([mail, refused.status, refused.body.error.message]).toEqual([
    false,
    409,
    expect.stringContaining('mails nobody'),
  ]);
  expect((await close(id, { reason: 'from my mailbox' })).status).toBe(204);
  expect(await acts()).toEqual([['message_answered', id, 'from my mailbox']]);
});

test('needs a text and a message', async () => {
  await write('Hello');
  const id = await firstId();
  for (const text of [undefined, '', ' ', 5, 'x'.repeat(CONTACT_LIMITS.message + 1)])
    expect((await reply(id, text)).status).toBe(400);
  expect((await close(id, { more: 1 })).status).toBe(400);
  for (const other of ['nothing', crypto.randomUUID()])
    expect([(await reply(other, 'x')).status, (await close(other)).status]).toEqual([404, 404]);
  expect([await messages(), await acts()]).toEqual([['Hello'], []]);
});
