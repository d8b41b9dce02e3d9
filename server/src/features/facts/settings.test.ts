import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { distilExchange } from './distil.service.ts';

let ada: TestUser;
const app = await emptyApp({ env: { FACTS: 'model' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});

const settings = (body: unknown, as: TestUser | undefined = ada) =>
  app.request('PUT', '/api/facts/settings', { as, body });

it('keeps no new facts for an account that wants none', async () => {
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'You help me' } });
  const { session } = (await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'field-notes' } })).body;
  const say = async (inputText: string) => {
    const body = { sessionId: session.id, agentId: 'field-notes', inputText };
    const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body;
    await distilExchange(app.deps, { userId: ada.uid, taskId: task.id });
  };
  const read = async (as: TestUser) => (await app.request('GET', '/api/facts/settings', { as })).body;
  const bob = await app.signUpPro('Bob');
  expect(await read(ada)).toEqual({ distil: true, installation: 'rules' });
  await say('My sister Nora is allergic to peanuts');
  expect((await settings({ distil: false })).body.distil).toBe(false);
  await say('I live in Porto.');
  const { facts } = (await app.request('GET', '/api/facts', { as: ada })).body;
  expect(facts.map(({ text }: { text: string }) => text)).toEqual(['My sister Nora is allergic to peanuts']);
  expect((await read(bob)).distil).toBe(true);
});

it('is refused to free accounts and for nonsense', async () => {
  expect((await settings({ distil: false }, await app.signUp('Free'))).status).toBe(403);
  expect((await settings({ distil: 'no' })).status).toBe(400);
  expect((await settings({})).status).toBe(400);
});
