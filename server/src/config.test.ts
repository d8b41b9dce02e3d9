import { expect, test } from 'vitest';
import { findMisspelt, readConfig } from './config.ts';
import { createLocalTrust } from './platform/http/local-trust.ts';
import { silentLog } from './platform/log.ts';
import { createPayments } from './platform/payments/create-payments.ts';
import { LIVE_KEYS, TEST_KEYS } from './testing/fake-paystack.ts';

const keys = ({ secret, open }: { secret: string; open: string }) => ({
  PAYSTACK_SECRET_KEY: secret,
  PAYSTACK_PUBLIC_KEY: open,
});
function paymentsOf(env: Record<string, string>) {
  const config = readConfig(env);
  return createPayments({ config, trust: createLocalTrust(config, silentLog), callSelf: async () => ({ ok: true }) });
}

test.each([
  ['nothing is set', {}, 'sandbox'],
  ['others can reach the server', { HOST: '0.0.0.0' }, 'off'],
  ['a proxy makes it public', { PUBLIC_URL: 'https://atelier.example' }, 'off'],
  ['a proxy is trusted', { TRUSTED_PROXIES: '127.0.0.1' }, 'off'],
  ['its public address is this machine', { PUBLIC_URL: 'http://localhost:3000' }, 'sandbox'],
  ['the operator wants a rehearsal in public', { HOST: '0.0.0.0', PAYSTACK_SANDBOX: '1' }, 'sandbox'],
  ['test keys', keys(TEST_KEYS), 'test'],
  ['live keys', { ...keys(LIVE_KEYS), HOST: '0.0.0.0' }, 'live'],
  ['test keys, and a rehearsal', { ...keys(TEST_KEYS), PAYSTACK_SANDBOX: '1' }, 'sandbox'],
])('payment where %s', (_, env, mode) => {
  expect(paymentsOf(env).current?.mode ?? 'off').toBe(mode);
});

test.each([
  [{ ...keys(LIVE_KEYS), PAYSTACK_SANDBOX: '1' }, /PAYSTACK_SANDBOX: a live Paystack key and the sandbox together/u],
  [{ PAYSTACK_SECRET_KEY: LIVE_KEYS.secret, PAYSTACK_SANDBOX: '1' }, /PAYSTACK_SANDBOX: a live Paystack key/u],
  [{ PAYSTACK_SECRET_KEY: TEST_KEYS.secret }, /PAYSTACK_PUBLIC_KEY: Paystack needs both keys/u],
  [{ PAYSTACK_PUBLIC_KEY: TEST_KEYS.open }, /PAYSTACK_SECRET_KEY: Paystack needs both keys/u],
  [{ ...keys(TEST_KEYS), PAYSTACK_PUBLIC_KEY: LIVE_KEYS.open }, /one of the Paystack keys is for tests/u],
  [{ ...keys(TEST_KEYS), PAYSTACK_BASE_URL: 'http://paystack.example' }, /PAYSTACK_BASE_URL: the secret key would/u],
  [keys({ secret: TEST_KEYS.open, open: TEST_KEYS.secret }), /begins with sk_test_ or sk_live_/u],
])('refuses to start %#, without repeating a key', (env, sentence) => {
  let said = '';
  try {
    readConfig(env);
  } catch (error) {
    said = String(error);
  }
  expect(said).toMatch(sentence);
  for (const { secret } of [TEST_KEYS, LIVE_KEYS]) expect(said).not.toContain(secret);
});

test.each([
  'https://example.org/atelier',
  'https://example.org/?a=1',
  'https://example.org/#a',
  'https://a:b@example.org',
])('refuses to start at %s, because it needs a host name of its own', (PUBLIC_URL) => {
  expect(() => readConfig({ PUBLIC_URL })).toThrow(/ {2}PUBLIC_URL: Atelier needs a host name of its own, such as/u);
});

test('the public address is an origin, with or without a slash at its end', () => {
  const addresses = ['https://Atelier.example/', 'http://localhost:3000', 'http://192.168.1.5:3000/'];
  expect(addresses.map((PUBLIC_URL) => readConfig({ PUBLIC_URL }).PUBLIC_URL)).toEqual([
    'https://atelier.example',
    'http://localhost:3000',
    'http://192.168.1.5:3000',
  ]);
  for (const PUBLIC_URL of ['atelier.example', 'ftp://atelier.example', 'localhost:3000']) {
    expect(() => readConfig({ PUBLIC_URL })).toThrow('PUBLIC_URL: PUBLIC_URL begins with https:// or http://');
  }
});

test.each([
  [{ SMTP_URL: 'smtp://mail.example' }, /MAIL_TO: SMTP needs to know to whom/u],
  [{ SMTP_URL: 'https://mail.example', MAIL_TO: 'a@example.com' }, /SMTP_URL begins with smtp/u],
  [{ EMAILJS_SERVICE_ID: 's', EMAILJS_TEMPLATE_ID: 't' }, /EMAILJS_PUBLIC_KEY: EmailJS needs/u],
  [
    {
      SMTP_URL: 'smtp://mail.example',
      MAIL_TO: 'a@example.com',
      EMAILJS_SERVICE_ID: 's',
      EMAILJS_TEMPLATE_ID: 't',
      EMAILJS_PUBLIC_KEY: 'k',
    },
    /SMTP_URL: mail goes one way only/u,
  ],
])('refuses half a way for mail, and two (%#)', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});

test('earlier secrets are listed with commas, and may contain some; one that is too short is refused', () => {
  const [plain, spoken] = ['p'.repeat(32), 'a horse, a battery, and a staple of 32'];
  expect(readConfig({ AUTH_SECRET_OLD: plain }).AUTH_SECRET_OLD).toEqual([plain]);
  expect(readConfig({ AUTH_SECRET_OLD: spoken }).AUTH_SECRET_OLD).toEqual([spoken]);
  expect(readConfig({ AUTH_SECRET_OLD: `${plain}, ${spoken}` }).AUTH_SECRET_OLD).toEqual(
    expect.arrayContaining([plain, spoken]),
  );
  expect(readConfig({}).AUTH_SECRET_OLD).toEqual([]);
  expect(() => readConfig({ AUTH_SECRET_OLD: 'short' })).toThrow(
    /AUTH_SECRET_OLD: each secret in AUTH_SECRET_OLD has/u,
  );
});

test.each(['TRUSTED_PROXIES', 'FETCH_ALLOWED'])(
  '%s takes addresses and blocks; anything else stops the start',
  (name) => {
    expect(() => readConfig({ [name]: '10.0.0.1, 10.0.0.0/8, ::1, fd00::/8' })).not.toThrow();
    for (const entry of ['localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10/8', '::1/129', '10.0.0.1/x']) {
      expect(() => readConfig({ [name]: `10.0.0.1,${entry}` }), entry).toThrow(
        `${name}: “${entry}” is neither an IP address`,
      );
    }
  },
);

test('a variable that is nearly one of ours is named, and no other', () => {
  const ours = { PAYSTACK_SECERT: 'sk', SMTP_HOST: 'mail', OPENAI_MODEL: 'gpt-4', DATABSE_URL: 'x', FETCH_ALOWED: 'x' };
  const others = [
    'PATH',
    'HOSTNAME',
    'GITHUB_TOKEN',
    'GOOGLE_API_KEY',
    'OPENAI_API_KEY_2',
    'PASSWORD_STORE_DIR',
    'NODE_ENV',
  ];
  expect(findMisspelt({ ...ours, ...Object.fromEntries(others.map((name) => [name, 'x'])), PUBLIC_URL: 'x' })).toEqual([
    'PAYSTACK_SECERT isn’t known; did you mean PAYSTACK_SECRET_KEY?',
    'SMTP_HOST isn’t known; did you mean SMTP_URL?',
    'OPENAI_MODEL isn’t known; did you mean OPENAI_MODELS?',
    'DATABSE_URL isn’t known; did you mean DATABASE_URL?',
    'FETCH_ALOWED isn’t known; did you mean FETCH_ALLOWED?',
  ]);
});
