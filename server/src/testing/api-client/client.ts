// A program of somebody who has only the API description. The test copies it beside the types that it generates, so it is not part of
// this repository's own types. It prints the answer that it got.
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const [baseUrl = '', email = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });

const account = { name: 'Ada', email, password: 'correct horse' };
const signedUp = await client.POST('/api/auth/sign-up/email', { body: account });
if (signedUp.data === undefined) throw new Error(JSON.stringify(signedUp.error));
const name: string = signedUp.data.user.name;
const cookie = signedUp.response.headers
  .getSetCookie()
  .map((line) => line.split(';')[0])
  .join('; ');
client.use({
  onRequest({ request }) {
    request.headers.set('cookie', cookie);
    request.headers.set('origin', baseUrl);
  },
});

const refused = await client.POST('/api/agents', { body: { name: '', prompt: 'You keep notes.' } });
const code: 'invalid_input' | 'conflict' | string | undefined = refused.error?.error.code;
if (refused.response.status !== 400 || code !== 'invalid_input') throw new Error(`an empty name: ${code}`);

const created = await client.POST('/api/agents', { body: { name: 'Field Notes', prompt: 'You keep notes.' } });
if (created.error) throw new Error(created.error.error.message);
const opened = await client.POST('/api/sessions', { body: { agentId: created.data.agent.id } });
if (opened.error) throw new Error(opened.error.error.message);
const sessionId = opened.data.session.id;
const asked = await client.POST('/api/runAgentTask', {
  params: { header: { 'Idempotency-Key': 'one' } },
  body: { sessionId, agentId: created.data.agent.id, inputText: 'The kiln stands in Faro.' },
});
if (asked.error) throw new Error(asked.error.error.message);
const status: 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'interrupted' = asked.data.task.status;

const listed = await client.GET('/api/sessions/{sessionId}/tasks', {
  params: { path: { sessionId }, query: { limit: 1 } },
});
const messages = listed.data?.tasks.map((task) => task.message) ?? [];
const forPro = await client.GET('/api/search', { params: { query: { q: 'kiln' } } });
const removed = await client.DELETE('/api/sessions/{sessionId}', { params: { path: { sessionId } } });
// @ts-expect-error an address that the description does not have
await client.GET('/api/nothing');

console.log(
  JSON.stringify({ name, status, messages, forPro: forPro.error?.error.code, removed: removed.response.status }),
);
