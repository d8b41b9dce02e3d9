import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { beforeEach } from 'vitest';
import { startFakeOpenAI } from './fake-openai.ts';
import { emptyApp, type TestApp, type TestUser } from './harness.ts';
import { closing } from './lifetimes.ts';
import { listen } from './listen.ts';

/** The app behind a real socket, before a real provider's protocol: what programs connect to. Empty before each test. */
export async function startForPrograms(env: Record<string, string> = {}) {
  const provider = await closing(startFakeOpenAI());
  const app = await emptyApp({ env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: provider.url, ...env } });
  // After the app, whose last jobs ask it too.
  beforeEach(() => provider.reset());
  const server = await closing(listen(createServer(getRequestListener(app.app.fetch))));
  return { app, provider, url: server.origin };
}

/** A Pro user with an agent called Nora, and a key. */
export async function proWithKey(app: TestApp, agent: object = {}) {
  const user: TestUser = await app.signUpPro();
  const settings = { name: 'Nora', prompt: 'You keep notes.', ...agent };
  await app.request('POST', '/api/agents', { as: user, body: settings });
  const made = await app.request('POST', '/api/keys', { as: user, body: { name: 'Program' } });
  return { user, apiKey: String(made.body.key.secret), keyId: String(made.body.key.id) };
}
