import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLocalTrust } from '../../platform/http/local-trust.ts';
import { silentLog } from '../../platform/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../testing/fake-smtp.ts';
import { emptyApp, ORIGIN, PASSWORD } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { canMailPeople } from './accounts.mail.service.ts';
import { accountMails } from './accounts.mail.table.ts';
import type { AccountMail } from './mail/account-mail.ts';
import { composeMail } from './mail/compose-mail.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const at = '2026-11-23T10:00:00.000Z';
const smtp = await closing(startFakeSmtp());
const app = await emptyApp({
  env: {
    SMTP_URL: smtp.url,
    MAIL_TO: 'desk@example.com',
    PUBLIC_URL: ORIGIN,
    PAYSTACK_SANDBOX: '1',
    OPERATORS: 'Boss@example.com,chief@example.com',
  },
});
beforeEach(() => smtp.reset());

const allSent = () => eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
const about = (email: string, words: string) => mailsTo(smtp, email).filter(({ subject }) => subject.includes(words));

test('a sign-in on a new device is told by mail; a known one, a wrong password and the sign-up are not', async () => {
  const { email, cookie } = await app.signUpByRequest();
  const signIn = (password: string, headers: Record<string, string>) =>
    app.request('POST', '/api/auth/sign-in/email', { body: { email, password }, headers });
  const device = cookie.split('; ').find((part) => part.startsWith('atelier_device=')) ?? '';
  expect((await signIn(PASSWORD, { cookie: device })).status).toBe(200);
  expect((await signIn('wrong password', {})).status).toBe(401);
  await allSent();
  expect(about(email, 'new device')).toHaveLength(0);
  expect((await signIn(PASSWORD, { 'user-agent': FIREFOX })).status).toBe(200);
  await allSent();
  const [mail] = about(email, 'new device');
  expect(mail?.text).toContain('Device: Firefox on Windows\nAddress: 127.0.0.1');
  expect(mail?.text).toContain(`reset your password: ${ORIGIN}/login/forgot`.replace(': ', ' at '));
});

test('a link that would make its account an operator’s says so, at a sign-up and a change of email, and no other does', async () => {
  const body = { name: 'Somebody', email: 'boss@example.com', password: PASSWORD };
  expect((await app.request('POST', '/api/auth/sign-up/email', { body })).status).toBe(200);
  const other = await app.signUpByRequest();
  const change = { newEmail: 'Chief@example.com', currentPassword: PASSWORD };
  expect((await app.request('POST', '/api/auth/change-email', { as: other, body: change })).status).toBe(200);
  await allSent();
  const says = (email: string) =>
    about(email, 'confirm your').map(({ text }) => text.includes('you become an operator'));
  expect([says('boss@example.com'), says('chief@example.com'), says(other.email)]).toEqual([[true], [true], [false]]);
});

test('a payment is receipted by mail, once, however often it is confirmed', async () => {
  const buyer = await app.signUpByRequest();
  const { accessCode, reference } = (await app.request('POST', '/api/billing/checkout', { as: buyer, body: {} })).body;
  const paid = await app.request('POST', `/api/sandbox/checkout/${accessCode}`, {
    as: buyer,
    body: { outcome: 'success' },
  });
  expect(paid.status).toBe(200);
  for (let i = 0; i < 2; i += 1) {
    expect((await app.request('POST', '/api/billing/verify', { as: buyer, body: { reference } })).status).toBe(200);
  }
  await allSent();
  const receipts = about(buyer.email, 'receipt');
  expect(receipts).toHaveLength(1);
  for (const words of ['Amount: ZAR 275.00', `Reference: ${reference}`, 'If it wasn’t you', 'no money moved']) {
    expect(receipts[0]?.text).toContain(words);
  }
});

test('a new API key is told by mail, without its name, which anybody could have chosen', async () => {
  const owner = await app.signUpPro();
  const made = await app.request('POST', '/api/keys', { as: owner, body: { name: 'Win a prize', scopes: ['talk'] } });
  expect(made.status).toBe(201);
  await allSent();
  const mails = about(owner.email, 'a new API key');
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain(
    `Key: ends in ${made.body.key.secret.slice(-4)}\nMay: talk\nReaches: all your agents`,
  );
  expect(mails[0]?.text).toContain(`revoke the key at ${ORIGIN}/account`);
  for (const hidden of ['Win a prize', made.body.key.secret]) expect(JSON.stringify(mails)).not.toContain(hidden);
});

const ALL: AccountMail[] = [
  { kind: 'reset' },
  { kind: 'verify' },
  { kind: 'change_email' },
  { kind: 'email_changed', to: 'new@example.com' },
  { kind: 'password_changed', by: 'person' },
  { kind: 'password_changed', by: 'reset' },
  { kind: 'two_factor', on: true },
  { kind: 'two_factor', on: false },
  { kind: 'new_device', device: 'Firefox on Windows', address: '203.0.113.7', at },
  { kind: 'way_in', way: 'Google', isAdded: true },
  { kind: 'way_in', way: 'a passkey', isAdded: false },
  { kind: 'way_in', way: 'its passkeys', isAdded: false, reason: 'stolen' },
  { kind: 'api_key', hint: 'x4Zq', scopes: ['read', 'talk'], agents: null, at },
  { kind: 'receipt', reference: 'r', amount: 'ZAR 275.00', paidAt: at, isRehearsal: false },
];

test.each(ALL)(
  'the mail $kind says what to do if it wasn’t you, in text and HTML, and breaks on no address',
  (mail) => {
    const pages = { forgot: `${ORIGIN}/login/forgot`, account: `${ORIGIN}/account`, contact: `${ORIGIN}/contact` };
    const link = `${ORIGIN}/login/reset#token`;
    const { subject, text, html } = composeMail(mail, { email: `"<b>x&'"@example.com`, link, pages });
    expect(subject).toMatch(/^Atelier: [^\n]+$/u);
    for (const words of [text, html]) expect(words).toContain('If it wasn’t you');
    expect(html).not.toMatch(/<b>|<script|<img|<link/u);
    const shown = html
      .replaceAll(/<[^>]+>/gu, ' ')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    const wordsOf = (of: string) => of.split(/[\s:]+/u).filter((word) => word.length > 3);
    for (const word of wordsOf(text)) expect(shown).toContain(word);
  },
);

test.each(ALL.filter(({ kind }) => kind !== 'reset'))(
  'without passwords the mail $kind names no way to reset one',
  (mail) => {
    const pages = { forgot: null, account: `${ORIGIN}/account`, contact: `${ORIGIN}/contact` };
    const { text } = composeMail(mail, { email: 'ada@example.com', link: `${ORIGIN}/login/confirm#token`, pages });
    expect(text).toContain('If it wasn’t you');
    expect(text).not.toMatch(/reset your password|null|undefined/u);
  },
);

test('people are mailed by SMTP only, and only from an address that no request chooses', () => {
  const can = (kind: 'smtp' | 'emailjs' | 'off', env: { HOST?: string; PUBLIC_URL?: string } = {}) => {
    const config = readConfig(env);
    return canMailPeople({ mail: { kind }, config, trust: createLocalTrust(config, silentLog) });
  };
  expect([can('smtp'), can('emailjs'), can('off')]).toEqual([true, false, false]);
  expect([can('smtp', { HOST: '0.0.0.0' }), can('smtp', { HOST: '0.0.0.0', PUBLIC_URL: ORIGIN })]).toEqual([
    false,
    true,
  ]);
});
