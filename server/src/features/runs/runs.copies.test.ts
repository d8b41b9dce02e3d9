import { eq, like } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { memories } from '../memory/memory.table.ts';
import { purgeSession } from '../removal/delete-session.service.ts';
import { sessions } from '../sessions/sessions.table.ts';

const script = scriptedModels();
let ada: TestUser;
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'You help me' } });
});

const talkIn = (sessionId: string) => branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));

const say = (talk: ReturnType<typeof talkIn>, inputText: string, answer: string) =>
  talk.answeredBy(script, talk.send(inputText), answer);

/** Deletes the session for good. */
async function removeSession(id: string) {
  await app.request('DELETE', `/api/sessions/${id}`, { as: ada });
  await app.deps.db
    .update(sessions)
    .set({ deletedAt: new Date(0) })
    .where(eq(sessions.id, id));
  await purgeSession(app.deps, { userId: ada.uid, sessionId: id });
}

/** What is remembered of things in a place, and in which session. */
const remembered = async () =>
  (await app.deps.db.select().from(memories).where(like(memories.text, 'My %'))).map((row) => [
    row.text,
    row.sessionId,
  ]);

it('what copies show stays in memory until the last session with it is removed', async () => {
  const opened = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'field-notes' } });
  const talk = talkIn(opened.body.session.id);
  const one = await say(talk, 'My kiln stands in Faro.', 'Noted.');
  await say(talk, 'My boat lies in Tavira.', 'Noted too.');
  const copies = [await talk.continueFrom(one.id), await talk.continueFrom(one.id)];
  const [first = '', second = ''] = copies.map(({ body }): string => body.session.id);
  await removeSession(opened.body.session.id);
  expect(await remembered()).toEqual([['My kiln stands in Faro.', first]]);
  const { body } = await app.request('GET', '/api/memories?kind=person', { as: ada });
  expect(body.memories).toMatchObject([{ text: 'My kiln stands in Faro.', sessionId: first }]);
  const again = await say(talkIn(second), 'Where does my kiln stand?', 'In Faro.');
  expect(again.input.instructions).not.toContain('Faro');
  expect(JSON.stringify(again.input.messages)).toContain('My kiln stands in Faro.');

  await removeSession(first);
  expect(await remembered()).toEqual([['My kiln stands in Faro.', second]]);
  const elsewhere = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'field-notes' } });
  const asked = await say(talkIn(elsewhere.body.session.id), 'Where does my kiln stand?', 'In Faro.');
  expect(JSON.stringify(asked.input)).toContain('My kiln stands in Faro.');
  await removeSession(second);
  expect(await remembered()).toEqual([]);
});
