import OpenAI from 'openai';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { proWithKey, startForPrograms } from '../../testing/programs.ts';

let who: Awaited<ReturnType<typeof proWithKey>>;

const at = await startForPrograms();
beforeEach(async () => {
  who = await proWithKey(at.app, { tools: ['web_fetch'] });
  at.provider.behave({
    toolCalls: [{ name: 'web_fetch', arguments: '{"url":"https://kilns.example/faro"}' }],
    text: 'I could not look it up.',
  });
});

const client = () => new OpenAI({ apiKey: who.apiKey, baseURL: `${at.url}/v1`, maxRetries: 0 });
const asked = {
  model: 'nora',
  messages: [{ role: 'user' as const, content: 'My kiln stands in Faro. Look up a kiln.' }],
};
const tasks = async () => {
  const { sessions } = (await at.app.request('GET', '/api/sessions', { as: who.user })).body;
  if (sessions[0] === undefined) return [];
  return (await at.app.request('GET', `/api/sessions/${sessions[0].id}/tasks`, { as: who.user })).body.tasks;
};
/** Answers the question once it stands in the browser. */
async function decide(decision: string) {
  await eventually(async () => expect((await tasks())[0]?.status).toBe('waiting'));
  const [task] = await tasks();
  const path = `/api/sessions/${task.sessionId}/tasks/${task.id}/approve`;
  const body = { callId: task.toolCalls[0].id, decision };
  const byKey = await at.app.app.request(`http://localhost${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, decision: 'once' }),
  });
  expect(byKey.status, 'a key decides nothing').toBe(403);
  expect((await at.app.request('POST', path, { as: who.user, body })).status).toBe(202);
}

it('a stream says that the agent waits for its person, and goes on once they have decided', async () => {
  const stream = await client().chat.completions.create({ ...asked, stream: true });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  const reading = (async () => {
    for await (const chunk of stream) chunks.push(chunk);
  })();
  await decide('deny');
  await reading;
  const waiting = chunks.filter((chunk) => JSON.stringify(chunk).includes('"waiting":true'));
  expect(waiting).toHaveLength(1);
  expect(waiting[0]).toMatchObject({
    atelier: { waiting: true, session_id: expect.any(String) },
    choices: [{ delta: {} }],
  });
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('I could not look it up.');
  expect(chunks.at(-1)).toMatchObject({
    choices: [{ finish_reason: 'stop' }],
    atelier: { tool_calls: [{ state: 'failed' }] },
  });
});

it('a whole answer waits as long; the agent answers without what was refused', async () => {
  const answering = client().chat.completions.create(asked);
  await decide('deny');
  const answer = await answering;
  expect(answer).toMatchObject({
    choices: [{ finish_reason: 'stop', message: { content: 'I could not look it up.' } }],
    atelier: { tool_calls: [{ name: 'web_fetch', state: 'failed' }] },
  });
});
