import { expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { startFakeOpenAI } from '../../testing/fake-openai.ts';
import { startFakePaystack, TEST_KEYS } from '../../testing/fake-paystack.ts';
import { startFakeSmtp } from '../../testing/fake-smtp.ts';
import { testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { runAdminCommand } from './operator.service.ts';
import { tryParts, watchParts } from './parts.ts';

const KEY = 'sk-0123456789abcdef';
const lines: { event: string; part?: string; about?: string }[] = [];
const [provider, smtp, paystack] = await Promise.all([
  closing(startFakeOpenAI()),
  closing(startFakeSmtp()),
  closing(startFakePaystack()),
]);
const app = await closing(
  testApp({
    log: createLog((line) => void lines.push(JSON.parse(line))),
    env: {
      OPENAI_BASE_URL: provider.url,
      OPENAI_API_KEY: KEY,
      EMBEDDING_MODEL: 'embed',
      SMTP_URL: smtp.url,
      MAIL_TO: 'desk@example.com',
      PAYSTACK_SECRET_KEY: TEST_KEYS.secret,
      PAYSTACK_PUBLIC_KEY: TEST_KEYS.open,
      PAYSTACK_BASE_URL: paystack.url,
      PAYSTACK_SECERT: 'x',
    },
  }),
);

/** The parts of these names, each as “state: about”. */
async function states(asks: boolean, ...names: string[]): Promise<string[]> {
  const found = await tryParts(app.deps, { asks });
  return found.filter(({ name }) => names.includes(name)).map(({ state, about }) => `${state}: ${about}`);
}

test('every part that works says so, and one that is not set says how to set it', async () => {
  const found = await states(true, 'database', 'files', 'mail', 'models', 'embeddings', 'payment');
  expect(found).toEqual([
    'ok: answers',
    'ok: takes and deletes a file',
    'ok: answers, and takes the password',
    'ok: 2 models; gpt-4 answers',
    'ok: answers',
    expect.stringMatching(/^ok: Paystack with test keys/u),
  ]);
});

test.each([
  [401, `Incorrect API key provided: ${KEY}`, 'The provider refused the API key (401): Incorrect'],
  [400, 'No such engine', 'The provider refused the request (400): No such engine'],
])(
  'a check asks a model, and shows the answer %i to its own words, without the key',
  async (status, errorMessage, said) => {
    provider.behave({ mode: 'error', status, errorMessage });
    const [models] = await states(true, 'models');
    expect(models).toContain(`broken: gpt-4: ${said}`);
    expect(models).not.toContain(KEY);
    expect(await states(false, 'models'), 'a start asks for the list alone').toEqual(['ok: 2 models']);
    provider.reset();
  },
);

test('the table has a row for each part, and fails where one is broken', async () => {
  const { ok, message } = await runAdminCommand(app.deps, ['check']);
  expect(ok).toBe(false);
  expect(message.split('\n').find((row) => row.includes('settings'))).toMatch(
    /^broken +settings +PAYSTACK_SECERT isn’t known; did you mean PAYSTACK_SECRET_KEY\?/u,
  );
});

test('what breaks and what works again is logged once, and its name stands at /readyz', async () => {
  const parts = watchParts(app.deps);
  const of = (part: string) => lines.filter((line) => line.part === part).map(({ event }) => event);
  const { probe } = app.deps.storage;
  app.deps.storage.probe = async () => {
    throw new Error('Cannot write file at location "probe"', {
      cause: Object.assign(new Error('no such bucket'), { name: 'NoSuchBucket' }),
    });
  };
  await parts.round();
  await parts.round();
  expect(of('files')).toEqual(['part.broken']);
  expect(lines.find(({ part }) => part === 'files')?.about).toContain('no such bucket (NoSuchBucket). ');
  expect(of('settings')).toEqual(['part.broken']);
  expect(parts.degraded()).toContain('files');
  expect(parts.degraded(), 'a misspelt variable is no part').not.toContain('settings');
  app.deps.storage.probe = probe;
  await parts.round();
  expect(of('files')).toEqual(['part.broken', 'part.works']);
  expect(parts.degraded()).not.toContain('files');
  const { status, body } = await app.request('GET', '/readyz');
  expect([status, body.degraded]).toEqual([200, expect.any(Array)]);
});

test('a failed answer is logged with provider, model, account and the provider’s code, and without its words', async () => {
  const ada = await app.signUp();
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Nora', prompt: 'p' } });
  const sessionId = await app.startSession(ada, 'nora');
  provider.behave({ mode: 'error', status: 400, errorMessage: 'About peanuts' });
  const body = { sessionId, agentId: 'nora', inputText: 'peanuts' };
  const answer = await app.request('POST', '/api/runAgentTask', { as: ada, body });
  expect(answer.body.task?.error ?? answer.body.error.message).toContain('About peanuts');
  const line = lines.find(({ event }) => event === 'runs.failed');
  const host = new URL(provider.url).host;
  expect(line).toMatchObject({
    account: ada.uid,
    error: expect.stringContaining(`ProviderError provider=${host} model=gpt-4 status=400 type=fake`),
  });
  expect(JSON.stringify(lines)).not.toContain('peanuts');
});
