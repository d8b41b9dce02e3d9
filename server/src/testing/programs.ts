import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type FakeOpenAI, startFakeOpenAI } from './fake-openai.ts';
import { type TestApp, type TestUser, testApp } from './harness.ts';
import { listen } from './listen.ts';

/** The app behind a real socket, before a real provider's protocol: what programs connect to. */
export async function startForPrograms(env: Record<string, string> = {}) {
  const provider: FakeOpenAI = await startFakeOpenAI();
  const app: TestApp = await testApp({ env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: provider.url, ...env } });
  const server = await listen(createServer(getRequestListener(app.app.fetch)));
  return {
    app,
    provider,
    url: server.origin,
    async close() {
      await server.close();
      await app.close();
      await provider.close();
    },
  };
}

/** A Pro user with an agent called Nora, and a key. */
export async function proWithKey(app: TestApp, agent: object = {}) {
  const user: TestUser = await app.signUpPro();
  const settings = { name: 'Nora', prompt: 'You keep notes.', ...agent };
  await app.request('POST', '/api/agents', { as: user, body: settings });
  const made = await app.request('POST', '/api/keys', { as: user, body: { name: 'Program' } });
  return { user, apiKey: String(made.body.key.secret), keyId: String(made.body.key.id) };
}
