import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { openTalk, type Talk } from '../../testing/branching.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { memories } from '../memory/memory.table.ts';
import { taskEvents } from './runs.table.ts';

const script = scriptedModels();
let ada: TestUser;
let talk: Talk;
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  ada = await app.signUp('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'You help me' } });
  talk = await openTalk({ app, person: ada, agentId: 'field-notes', script });
});

it('gives a statement that a later one superseded with that one, and says so in the prompt and in the receipt', async () => {
  const { exchange } = talk;
  await exchange('I live in Porto, close to the river.', 'How nice.');
  await exchange('We had pasta for dinner.', 'Enjoy.');
  await exchange('I moved to Lisbon last month.', 'Congratulations.');
  const { input, receipt } = await exchange('Where do I live?', 'In Lisbon.');
  const [lisbon, porto] = ['I moved to Lisbon', 'I live in Porto'].map((text) =>
    receipt.findIndex((item) => item.text.startsWith(text)),
  );
  expect(lisbon).toBeGreaterThanOrEqual(0);
  expect(porto).toBeGreaterThan(lisbon ?? 0);
  expect(receipt[porto ?? 0]?.supersededBy).toBe(receipt[lisbon ?? 0]?.id);
  expect(receipt[lisbon ?? 0]?.supersededBy).toBeUndefined();
  // The conversation holds both, in their order.
  expect(input.instructions).not.toContain('Porto');

  await app.grantPro(ada.uid);
  talk = await openTalk({ app, person: ada, agentId: 'field-notes', script });
  const elsewhere = await talk.exchange('Where do I live?', 'In Lisbon.');
  expect(elsewhere.input.instructions).toMatch(
    /"I live in Porto, close to the river\." \(superseded by a later statement\)/,
  );
  expect(elsewhere.input.instructions).toMatch(/"I moved to Lisbon last month\."\n/);
});

it('replays a task that just ended without what was forgotten since, and not from a deleted session', async () => {
  await app.grantPro(ada.uid);
  const { exchange, sessionId } = talk;
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

it('ends without the words of a memory that was forgotten after its recall', async () => {
  await app.grantPro(ada.uid);
  await talk.exchange('My locker code is Hummingbird.', 'Noted.');
  const tasks = `/api/sessions/${talk.sessionId}/tasks`;
  const body = { agentId: 'field-notes', inputText: 'What is my locker code?' };
  const { task } = (await app.request('POST', tasks, { as: ada, body })).body;
  const call = await script.next();
  // As if the memory was forgotten while the receipt was on its way: nothing blanks that later.
  await app.deps.db.update(memories).set({ text: '', forgottenAt: new Date() }).where(eq(memories.userId, ada.uid));
  call.say('It is in your list.').end();
  const read = async () => (await app.request('GET', `${tasks}/${task.id}`, { as: ada })).body.task;
  await eventually(async () => expect((await read()).status).toBe('done'));
  const { memoryUsed } = await read();
  expect(memoryUsed.length).toBeGreaterThan(0);
  for (const item of memoryUsed) expect(item).toMatchObject({ text: '', forgotten: true });
  const events = await app.deps.db.select().from(taskEvents).where(eq(taskEvents.taskId, task.id));
  expect(JSON.stringify(events)).toContain(memoryUsed[0].id);
  expect(JSON.stringify(events)).not.toContain('Hummingbird');
});
