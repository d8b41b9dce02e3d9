import { task as taskSchema } from '@atelier/contract/runs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';

const script = scriptedModels();
let app: TestApp;
let ada: TestUser;
let sessionId: string;
beforeAll(async () => {
  app = await testApp({ models: script.models });
});
afterAll(async () => {
  await app.deps.memoryIndex.stop();
  await app.close();
});
beforeEach(async () => {
  await app.reset();
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'You help me' } });
  const answer = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'field-notes' } });
  sessionId = answer.body.session.id;
});

/** Sends a message, answers it, and gives its address, what the model was told and the receipt. */
async function exchange(inputText: string, answer: string) {
  const body = { agentId: 'field-notes', inputText };
  const sent = await app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body });
  const call = await script.next();
  call.say(answer).end();
  const path = `/api/sessions/${sessionId}/tasks/${sent.body.task.id}`;
  const read = async () => taskSchema.parse((await app.request('GET', path, { as: ada })).body.task);
  await eventually(async () => expect((await read()).status).toBe('done'));
  return { path, instructions: call.input.instructions, receipt: (await read()).memoryUsed };
}

it('gives a statement that a later one superseded with that one, and says so in the prompt and in the receipt', async () => {
  await exchange('I live in Porto, close to the river.', 'How nice.');
  await exchange('We had pasta for dinner.', 'Enjoy.');
  await exchange('I moved to Lisbon last month.', 'Congratulations.');
  const { instructions, receipt } = await exchange('Where do I live?', 'In Lisbon.');
  const [lisbon, porto] = ['I moved to Lisbon', 'I live in Porto'].map((text) =>
    receipt.findIndex((item) => item.text.startsWith(text)),
  );
  expect(lisbon).toBeGreaterThanOrEqual(0);
  expect(porto).toBeGreaterThan(lisbon ?? 0);
  expect(receipt[porto ?? 0]?.supersededBy).toBe(receipt[lisbon ?? 0]?.id);
  expect(receipt[lisbon ?? 0]?.supersededBy).toBeUndefined();
  // The conversation holds both, in their order.
  expect(instructions).not.toContain('Porto');

  await app.grantPro(ada.uid);
  const answer = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'field-notes' } });
  sessionId = answer.body.session.id;
  const elsewhere = await exchange('Where do I live?', 'In Lisbon.');
  expect(elsewhere.instructions).toMatch(/"I live in Porto, close to the river\." \(superseded by a later statement\)/);
  expect(elsewhere.instructions).toMatch(/"I moved to Lisbon last month\."\n/);
});

it('replays a task that just ended without what was forgotten since, and not from a deleted session', async () => {
  await app.grantPro(ada.uid);
  await exchange('My locker code is Hummingbird.', 'Noted.');
  const { path, receipt } = await exchange('What is my locker code?', 'It is in your list.');
  const replay = () => app.request('GET', `${path}/events`, { as: ada });
  expect((await replay()).body).toContain('Hummingbird');
  const told = receipt.find(({ text }) => text.includes('Hummingbird'));
  expect((await app.request('DELETE', `/api/memories/${told?.id}`, { as: ada })).status).toBeLessThan(300);
  await eventually(async () => expect((await replay()).body).not.toContain('Hummingbird'));
  expect((await replay()).body).toContain('"status":"done"');
  await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada });
  await eventually(async () => expect((await replay()).status).toBe(404));
});
