import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type FakeOpenAI, startFakeOpenAI } from './fake-openai.ts';
import { type TestApp, type TestUser, testApp } from './harness.ts';

/** The app behind a real socket, before a real provider's protocol: what programs connect to. */
export async function startForPrograms(env: Record<string, string> = {}) {
  const provider: FakeOpenAI = await startFakeOpenAI();
  const app: TestApp = await testApp({ env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: provider.url, ...env } });
  const server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    app,
    provider,
    url,
    async close() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
      await provider.close();
    },
  };
}

/** A Pro user with an agent called Nora, and a key. */
export async function proWithKey(app: TestApp, agent: object = {}, key: object = {}) {
  const user: TestUser = await app.signUpPro();
  const settings = { name: 'Nora', prompt: 'You keep notes.', ...agent };
  await app.request('POST', '/api/agents', { as: user, body: settings });
  const made = await app.request('POST', '/api/keys', { as: user, body: { name: 'Program', ...key } });
  return { user, apiKey: String(made.body.key.secret), keyId: String(made.body.key.id) };
}
