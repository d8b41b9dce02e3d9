import { getRequestListener } from '@hono/node-server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailOutcome } from '../../platform/mail/mail.ts';
import { eventually } from '../../testing/eventually.ts';
import { type FakeOpenAI, startFakeWire } from '../../testing/fake-openai.ts';
import { type FakeSmtp, startFakeSmtp, startSilence } from '../../testing/fake-smtp.ts';
import { flakyDatabase } from '../../testing/flaky-database.ts';
import { type TestApp, testApp } from '../../testing/harness.ts';
import { runAdminCommand } from '../operator/operator.service.ts';
import { deliverDue, makeUnsentDue, pauseSeconds } from './contact.delivery.service.ts';
import { contactMessages } from './contact.table.ts';

// As in a server that listens: there `Response` is the listener's own, of which what `fetch` answers is no instance.
getRequestListener(() => new Response());

const post = (app: TestApp, message: string) =>
  app.request('POST', '/api/contact', { body: { message, email: 'ada@example.com' } });
const rows = (app: TestApp) => app.deps.db.select().from(contactMessages);
const inbox = async (app: TestApp) => (await runAdminCommand(app.deps, ['inbox'])).message;
const makeDue = (app: TestApp) =>
  app.deps.db.update(contactMessages).set({ nextAttemptAt: sql`now()` }).where(sql`next_attempt_at is not null`);
/** The message comes to this, whether by this attempt or by the job that has it already. */
const settles = async (app: TestApp, state: Record<string, unknown>) => {
  await deliverDue(app.deps);
  await eventually(async () => expect(await rows(app)).toMatchObject([state]));
};

/** Where nothing is answered: on a busy machine any answer may take longer, so what is answered is waited for. */
const HASTY = { MAIL_TIMEOUT_MS: '1500' };

describe('by EmailJS', () => {
  const KEYS = {
    EMAILJS_SERVICE_ID: 'service_atelier',
    EMAILJS_TEMPLATE_ID: 'template_contact',
    EMAILJS_PUBLIC_KEY: 'pUbLicKeyOfEmailJs',
    EMAILJS_PRIVATE_KEY: 'pRiVaTeKeyOfEmailJs',
  };
  const SEND = '/api/v1.0/email/send';
  let emailjs: FakeOpenAI;
  let env: Record<string, string>;
  let app: TestApp;
  /** What the service answers from now on, a text. */
  const answers = (status: number, body: string, headers: Record<string, string> = {}) =>
    emailjs.on(SEND, { status, body, headers: { 'content-type': 'text/plain', ...headers } });
  beforeAll(async () => {
    emailjs = await startFakeWire();
    env = { ...KEYS, EMAILJS_BASE_URL: emailjs.origin };
    app = await testApp({ env });
  });
  beforeEach(async () => {
    emailjs.reset();
    answers(200, 'OK');
    await app.reset();
  });
  afterAll(async () => {
    await app.close();
    await emailjs.close();
  });

  test('200: sent once, with the fields of its API', async () => {
    await post(app, 'Hello');
    // Nobody asks for it here: the job alone does it.
    const sent = { state: 'sent', attempts: 1, status: 200, perhapsTwice: false, nextAttemptAt: null };
    await eventually(async () => expect(await rows(app)).toMatchObject([sent]));
    const [row] = await rows(app);
    expect(emailjs.requests.map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: SEND,
        body: {
          lib_version: expect.any(String),
          user_id: KEYS.EMAILJS_PUBLIC_KEY,
          service_id: KEYS.EMAILJS_SERVICE_ID,
          template_id: KEYS.EMAILJS_TEMPLATE_ID,
          accessToken: KEYS.EMAILJS_PRIVATE_KEY,
          template_params: {
            message: 'Hello',
            subject: 'Atelier: message from ada@example.com',
            reply_to: 'ada@example.com',
            message_id: `<${row?.id}@atelier.localhost>`,
          },
        },
      },
    ]);
    expect(await inbox(app)).toContain('sent by emailjs');
  });

  test.each([
    [403, 'Forbidden'],
    [451, 'Unavailable For Headless Browser'],
    [400, ''],
  ])('%i: recorded as refused, not repeated until the next start, then sent', async (status, name) => {
    answers(status, `no, key ${KEYS.EMAILJS_PRIVATE_KEY}`);
    await post(app, 'Hello');
    await settles(app, { state: 'refused', attempts: 1, status, nextAttemptAt: null });
    await deliverDue(app.deps);
    expect(emailjs.requests).toHaveLength(1);
    const text = await inbox(app);
    expect(text).toContain(`refused by the mail service by emailjs`);
    expect(text).toContain(`${status} ${name}`);
    expect(text).not.toContain(KEYS.EMAILJS_PRIVATE_KEY);

    answers(200, 'OK');
    await makeUnsentDue(app.deps);
    await settles(app, { state: 'sent', attempts: 2, perhapsTwice: false });
  });

  test('429: waits as long as it is told, then sends', async () => {
    answers(429, 'slow down', { 'retry-after': '600' });
    await post(app, 'Hello');
    await settles(app, { state: 'waiting', attempts: 1, status: 429, note: 'Too Many Requests: slow down' });
    const [row] = await rows(app);
    const wait = (row?.nextAttemptAt?.getTime() ?? 0) - (row?.attemptedAt?.getTime() ?? 0);
    expect(wait).toBeGreaterThanOrEqual(600_000);
    emailjs.reset();
    answers(200, 'OK');
    await deliverDue(app.deps);
    expect(emailjs.requests).toEqual([]);
    await makeDue(app);
    await settles(app, { state: 'sent', attempts: 2, perhapsTwice: false });
  });

  test('500: tried again later, and later still', async () => {
    answers(500, 'oh no');
    await post(app, 'Hello');
    await settles(app, { state: 'waiting', attempts: 1, status: 500, perhapsTwice: false });
    await makeDue(app);
    await settles(app, { state: 'waiting', attempts: 2, status: 500, perhapsTwice: false });
    expect(await inbox(app)).toContain('not sent yet by emailjs');
    expect([1, 2, 3, 20].map((attempts) => pauseSeconds(attempts))).toEqual([60, 120, 240, 3600]);
  });

  test.each(['silence', 'cut'] as const)('%s: nobody knows, so it is sent again and marked', async (answer) => {
    const hasty = await testApp({ env: { ...env, ...HASTY } });
    emailjs.on(SEND, answer);
    await post(hasty, 'Hello');
    await settles(hasty, { state: 'waiting', attempts: 1, status: null, unsure: true, perhapsTwice: false });
    answers(200, 'OK');
    await makeDue(hasty);
    await deliverDue({ ...hasty.deps, mail: app.deps.mail });
    expect(await rows(hasty)).toMatchObject([{ state: 'sent', attempts: 2, perhapsTwice: true }]);
    expect(await inbox(hasty)).toContain('may have been sent twice');
    await hasty.close();
  });

  test('one that is refused doesn’t hold up the others; two processes at once send each once', async () => {
    const other = await testApp({ env, database: app.deps.database });
    try {
      const ofOne = ({ body }: { body: { template_params: { message: string } } }) =>
        body.template_params.message === 'message 0' ? { status: 403, body: 'no' } : { body: 'OK' };
      emailjs.on(SEND, ofOne);
      for (let i = 0; i < 5; i += 1) await post(app, `message ${i}`);
      await Promise.all([deliverDue(app.deps), deliverDue(other.deps)]);
      await eventually(async () => {
        const states = (await rows(app)).map(({ message, state }) => `${message} ${state}`);
        const others = [1, 2, 3, 4].map((i) => `message ${i} sent`);
        expect(states.toSorted()).toEqual(['message 0 refused', ...others]);
      });
      const sent = emailjs.to(SEND).map(({ body }) => body.template_params.message);
      expect(sent.toSorted()).toEqual(Array.from({ length: 5 }, (_, i) => `message ${i}`));
    } finally {
      await other.close();
    }
  });
});

describe('by SMTP', () => {
  let smtp: FakeSmtp;
  let app: TestApp;
  const env = () => ({ SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com', PUBLIC_URL: 'http://localhost' });
  beforeAll(async () => {
    smtp = await startFakeSmtp();
    app = await testApp({ env: env() });
  });
  beforeEach(async () => {
    smtp.reset();
    await app.reset();
  });
  afterAll(async () => {
    await app.close();
    await smtp.close();
  });

  test('sent once, to the operator, answerable to the writer, with an id of its own', async () => {
    await post(app, 'Zażółć\n.\nQUIT');
    await settles(app, { state: 'sent', attempts: 1, status: 250, perhapsTwice: false });
    const [row] = await rows(app);
    expect(smtp.mails).toHaveLength(1);
    const [mail] = smtp.mails;
    expect(mail?.header('to')).toBe('desk@example.com');
    expect(mail?.header('from')).toBe('desk@example.com');
    expect(mail?.header('reply-to')).toBe('ada@example.com');
    expect(mail?.header('message-id')).toBe(`<${row?.id}@localhost>`);
    expect(mail?.header('subject')).toBe('Atelier: message from ada@example.com');
    expect(mail?.raw).toContain('QUIT');
  });

  test('not now (451), and never (550): both recorded; the same id at each attempt', async () => {
    smtp.behave('later');
    await post(app, 'Hello');
    await settles(app, { state: 'waiting', attempts: 1, status: 451, unsure: false });
    smtp.behave('refuse');
    await makeDue(app);
    await settles(app, { state: 'refused', attempts: 2, status: 550, perhapsTwice: false });
    smtp.behave('accept');
    await makeUnsentDue(app.deps);
    await settles(app, { state: 'sent', attempts: 3, perhapsTwice: false });
    const [row] = await rows(app);
    expect(smtp.mails.map((mail) => mail.header('message-id'))).toEqual([`<${row?.id}@localhost>`]);
  });

  test('taken, and the answer lost: sent again under the same id, and marked', async () => {
    const hasty = await testApp({ env: { ...env(), ...HASTY } });
    smtp.behave('hold');
    await post(hasty, 'Hello');
    await settles(hasty, { state: 'waiting', attempts: 1, unsure: true });
    smtp.behave('accept');
    await makeDue(hasty);
    await deliverDue({ ...hasty.deps, mail: app.deps.mail });
    expect(await rows(hasty)).toMatchObject([{ state: 'sent', attempts: 2, perhapsTwice: true }]);
    await hasty.close();
    const [first, second] = smtp.mails.map((mail) => mail.header('message-id'));
    expect(first).toBe(second);
  });

  test('gone: never handed over, so not marked when it comes back', async () => {
    await smtp.close();
    await post(app, 'Hello');
    await settles(app, { state: 'waiting', attempts: 1, unsure: false });
    smtp = await startFakeSmtp(undefined, smtp.port);
    await makeDue(app);
    await settles(app, { state: 'sent', attempts: 2, perhapsTwice: false });
  });
});

test.each([
  ['a wrong password', (url: string) => url.replace('atelier:', 'stranger:'), { state: 'refused', attempts: 1 }],
  ['a server that never greets', null, { state: 'waiting', attempts: 1, unsure: false }],
  // The same machine by a name that could be another.
  ['a password and a server without TLS', (url: string) => url.replace('@127.0.0.1', '@127.1'), { state: 'refused' }],
  [
    'the same where the operator allows it',
    (url: string) => `${url.replace('@127.0.0.1', '@127.1')}?requireTLS=false`,
    { state: 'sent' },
  ],
])('SMTP with %s', async (_, change, state) => {
  const smtp = await startFakeSmtp();
  const silence = await startSilence();
  // A busy machine may take its time to greet; one that never does is not waited for long.
  const patience = change === null ? '300' : '20000';
  const url = change === null ? `smtp://127.0.0.1:${silence.port}` : change(smtp.url);
  const app = await testApp({ env: { SMTP_URL: url, MAIL_TO: 'desk@example.com', MAIL_TIMEOUT_MS: patience } });
  try {
    await post(app, 'Hello');
    await settles(app, state);
    expect(await inbox(app)).not.toContain('p@ss');
  } finally {
    await app.close();
    await smtp.close();
    await silence.close();
  }
});

test('a message that was sent while the database went away is recorded once it is back, and not sent again', async () => {
  const app = await testApp();
  await post(app, 'Hello');
  const flaky = flakyDatabase(app.deps.database);
  let sent = 0;
  const send = async (): Promise<MailOutcome> => {
    sent += 1;
    flaky.away();
    return { result: 'sent', status: 200, note: '' };
  };
  const mail = { kind: 'emailjs' as const, label: '', send, probe: async () => '', close: () => {} };
  const delivered = deliverDue({ ...app.deps, db: flaky.database.db, mail });
  await eventually(() => expect(flaky.failures()).toBeGreaterThan(2));
  flaky.back();
  await delivered;
  expect(await rows(app)).toMatchObject([{ state: 'sent', attempts: 1, perhapsTwice: false }]);
  expect(sent).toBe(1);
  await app.close();
});
