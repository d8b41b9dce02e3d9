import { type Fact, factsAnswer } from '@atelier/contract/facts';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { distilExchange } from './distil.service.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp({ env: { FACTS: 'model' } });
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'You help me' } });
});

const startSession = () => app.startSession(ada, 'field-notes');

/** Says something, and waits until its facts are distilled. */
async function say(inputText: string, sessionId?: string) {
  const session = sessionId ?? (await startSession());
  const body = { sessionId: session, agentId: 'field-notes', inputText };
  const { task } = (await app.request('POST', '/api/runAgentTask', { as: ada, body })).body;
  await distilExchange(app.deps, { userId: ada.uid, taskId: task.id });
  return task;
}
const list = async (query = '', as = ada): Promise<Fact[]> =>
  (await app.request('GET', `/api/facts${query}`, { as })).body.facts;
const texts = async (query = '') => (await list(query)).map(({ text }) => text);
const only = async (): Promise<Fact> => {
  const [fact] = await list();
  if (fact === undefined) throw new Error('there is no fact');
  return fact;
};
const patch = (id: string, body: unknown, as: TestUser | undefined = ada) =>
  app.request('PATCH', `/api/facts/${id}`, { as, body });
const forget = (id: string, as: TestUser | undefined = ada) => app.request('DELETE', `/api/facts/${id}`, { as });
const memories = async (query = '?kind=person') =>
  (await app.request('GET', `/api/memories${query}`, { as: ada })).body.memories;

const NORA = 'My sister Nora is allergic to peanuts';
const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('the list of facts', () => {
  it('has what the person said, where and about whom, and nothing else', async () => {
    await say(`Good morning! ${NORA}. What shall I cook tonight?`);
    const answer = await app.request('GET', '/api/facts', { as: ada });
    expect(factsAnswer.parse(answer.body).facts).toHaveLength(1);
    const [source] = await memories();
    expect(await only()).toMatchObject({
      agentId: 'field-notes',
      agentName: 'Field Notes',
      text: NORA,
      about: 'Nora',
      source: { memoryId: source.id, sessionId: source.sessionId, timestamp: source.timestamp },
      pinned: false,
      corrected: false,
    });
  });

  it('comes by itself a moment after the answer, and reaches open pages', async () => {
    const sessionId = await startSession();
    const body = { sessionId, agentId: 'field-notes', inputText: 'I live in Porto.' };
    await app.request('POST', '/api/runAgentTask', { as: ada, body });
    await eventually(async () => expect(await texts()).toEqual(['I live in Porto']));
  });

  it('is searched by words and agent', async () => {
    await say(`${NORA}. I live in Porto.`);
    expect(await texts('?q=peanut%20nora')).toEqual([NORA]);
    expect(await texts('?q=100%25')).toEqual([]);
    expect(await texts('?agentId=field-notes')).toHaveLength(2);
    expect(await texts('?agentId=other')).toEqual([]);
    expect((await app.request('GET', `/api/facts?q=${'x'.repeat(501)}`, { as: ada })).status).toBe(400);
  });

  it('is exported', async () => {
    await say(NORA);
    const { body, headers } = await app.request('GET', '/api/facts/export', { as: ada });
    expect(body.facts[0].text).toBe(NORA);
    expect(headers.get('content-disposition')).toContain('facts.json');
  });

  it('is for Pro, and for its owner alone', async () => {
    await say(NORA);
    const free = await app.signUp('Free');
    expect((await app.request('GET', '/api/facts', { as: free })).body.error.code).toBe('pro_required');
    expect(await list('', bob)).toEqual([]);
  });
});

describe('what is said later', () => {
  it('joins a fact that says the same', async () => {
    await say(NORA);
    await say('As you know, Nora is allergic to peanuts.');
    expect(await texts()).toEqual([NORA]);
  });

  it('replaces what it makes untrue, visibly', async () => {
    await say('I live in Lisbon.');
    await say('I moved to Porto.');
    const [porto, lisbon] = await list();
    expect(porto).toMatchObject({ text: 'I moved to Porto', supersedes: lisbon?.id });
    expect(lisbon).toMatchObject({ text: 'I live in Lisbon', replacedBy: porto?.id });
    const { memoryUsed } = await say('Where do I live?');
    const facts = memoryUsed.filter(({ kind }: { kind: string }) => kind === 'fact');
    expect(facts.map(({ text }: { text: string }) => text)).toEqual(['I moved to Porto']);
  });

  it('counts again when the later fact is forgotten', async () => {
    await say('I live in Lisbon.');
    await say('I moved to Porto.');
    await forget((await only()).id);
    expect(await only()).toMatchObject({ text: 'I live in Lisbon' });
    expect(await only()).not.toHaveProperty('replacedBy');
  });

  it('is found once, however often its job runs', async () => {
    const { id } = await say(NORA);
    await Promise.all([1, 2, 3].map(() => distilExchange(app.deps, { userId: ada.uid, taskId: id })));
    expect(await texts()).toEqual([NORA]);
  });
});

describe('a fact and its source', () => {
  it('goes with the memory, from receipts too, and from what the agent remembers of repeating it', async () => {
    await say(NORA);
    const asked = await say('What is my sister allergic to?');
    expect(asked.memoryUsed[0]).toMatchObject({ kind: 'fact', text: NORA, about: 'Nora' });
    expect((await memories('?kind=agent')).filter((m: { text: string }) => m.text.includes('peanuts'))).not.toEqual([]);
    const { source } = await only();
    await app.request('DELETE', `/api/memories/${source.memoryId}`, { as: ada });
    expect((await memories('?kind=agent')).filter((m: { text: string }) => m.text.includes('peanuts'))).toEqual([]);
    expect(await list()).toEqual([]);
    const path = `/api/sessions/${asked.sessionId}/tasks/${asked.id}`;
    const { task } = (await app.request('GET', path, { as: ada })).body;
    expect(JSON.stringify(task.memoryUsed)).not.toContain('peanuts');
  });

  it('goes with the session and with the agent', async () => {
    const session = await startSession();
    await say(NORA, session);
    await app.request('DELETE', `/api/sessions/${session}`, { as: ada });
    expect(await list()).toEqual([]);
    await say('I live in Porto.');
    await app.request('DELETE', '/api/agents/field-notes', { as: ada });
    expect(await list()).toEqual([]);
  });

  it('is distilled again when the memory is edited', async () => {
    await say(NORA);
    const { source } = await only();
    const edited = { text: 'My sister Nora is allergic to walnuts' };
    await app.request('PATCH', `/api/memories/${source.memoryId}`, { as: ada, body: edited });
    await eventually(async () => expect(await texts()).toEqual(['My sister Nora is allergic to walnuts']));
  });

  it('keeps the person’s correction when the memory is edited', async () => {
    const { id } = await say(`${NORA}. I live in Porto.`);
    const [nora] = await list('?q=nora');
    await patch(nora?.id ?? '', { text: 'Nora is allergic to all nuts' });
    const [{ id: memoryId }] = await memories();
    const text = `${NORA}. I live in Faro.`;
    await app.request('PATCH', `/api/memories/${memoryId}`, { as: ada, body: { text } });
    await distilExchange(app.deps, { userId: ada.uid, taskId: id });
    expect((await texts()).toSorted()).toEqual(['I live in Faro', 'Nora is allergic to all nuts']);
  });
});

describe('correcting a fact', () => {
  it('has the last word over what was said', async () => {
    const session = await startSession();
    const { id: taskId } = await say(NORA, session);
    const { id } = await only();
    const corrected = await patch(id, { text: ' My sister Nora is allergic to walnuts ' });
    expect(corrected.body.fact).toMatchObject({ text: 'My sister Nora is allergic to walnuts', corrected: true });
    await distilExchange(app.deps, { userId: ada.uid, taskId });
    expect(await texts()).toEqual(['My sister Nora is allergic to walnuts']);
    for (const place of [session, undefined]) {
      const { message, memoryUsed } = await say('What is my sister allergic to?', place);
      expect(message).toContain('walnuts');
      expect(message).not.toContain('peanuts');
      expect(JSON.stringify(memoryUsed)).not.toContain('peanuts');
    }
  });

  it('refuses other people and nonsense', async () => {
    await say(NORA);
    const { id } = await only();
    const free = await app.signUp('Free');
    expect((await patch(id, { text: 'x' }, free)).body.error.code).toBe('pro_required');
    expect((await patch(id, { text: 'x' }, bob)).status).toBe(404);
    expect((await patch(NOBODY, { text: 'x' })).status).toBe(404);
    expect((await patch('nonsense', { text: 'x' })).status).toBe(404);
    for (const body of [{}, { text: ' ' }, { text: 'x'.repeat(301) }, { text: 1 }, { pinned: 'yes' }, { about: 'x' }]) {
      expect((await patch(id, body)).status).toBe(400);
    }
    expect(await texts()).toEqual([NORA]);
  });

  it('has one of two corrections made at the same time', async () => {
    await say(NORA);
    const { id } = await only();
    const answers = await Promise.all([patch(id, { text: 'one' }), patch(id, { text: 'two' })]);
    // The slower one finds it changed under its hands, or reads what the faster one has written.
    const [first, second] = answers.map(({ status }) => status).toSorted();
    expect(first).toBe(200);
    expect([200, 409]).toContain(second);
    expect(['one', 'two']).toContain((await only()).text);
  });
});

describe('a pinned fact', () => {
  it('is given first whatever is asked', async () => {
    await say(NORA);
    await say('I live in Porto.');
    const [nora] = await list('?q=nora');
    expect((await patch(nora?.id ?? '', { pinned: true })).body.fact.pinned).toBe(true);
    const { memoryUsed } = await say('Good evening');
    expect(memoryUsed[0]).toMatchObject({ id: nora?.id, kind: 'fact', pinned: true });
  });
});

describe('forgetting a fact', () => {
  it('keeps it and its sentence out of the next answers, and it does not come back', async () => {
    const { id: taskId } = await say(`${NORA}. I live in Porto.`);
    const [nora] = await list('?q=nora');
    expect((await forget(nora?.id ?? '')).status).toBe(204);
    await distilExchange(app.deps, { userId: ada.uid, taskId });
    expect(await texts()).toEqual(['I live in Porto']);
    const { message, memoryUsed } = await say('What is my sister Nora allergic to?');
    expect(message).not.toContain('peanuts');
    expect(JSON.stringify(memoryUsed)).not.toContain('peanuts');
    expect((await say('Where do I live?')).message).toContain('Porto');
  });

  it('can be undone', async () => {
    await say(NORA);
    const { id } = await only();
    await forget(id);
    const restored = await app.request('POST', `/api/facts/${id}/restore`, { as: ada });
    expect(restored.body.fact.text).toBe(NORA);
    expect((await app.request('POST', `/api/facts/${id}/restore`, { as: ada })).status).toBe(404);
    expect((await app.request('POST', '/api/facts/nonsense/restore', { as: ada })).status).toBe(404);
  });

  it('is for the owner, once', async () => {
    await say(NORA);
    const { id } = await only();
    expect((await forget(id, await app.signUp('Free'))).body.error.code).toBe('pro_required');
    expect((await forget(id, bob)).status).toBe(404);
    expect((await forget('nonsense')).status).toBe(404);
    const answers = await Promise.all([forget(id), forget(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    const restore = (as: TestUser) => app.request('POST', `/api/facts/${id}/restore`, { as });
    expect([(await restore(bob)).status, await texts()]).toEqual([404, []]);
    expect([(await restore(ada)).status, await texts()]).toEqual([200, [NORA]]);
  });
});

describe('asking again', () => {
  it('without a fact leaves out what states it, too', async () => {
    await say(NORA);
    const asked = await say('What is my sister allergic to?');
    const { id } = await only();
    expect(asked.memoryUsed[0].id).toBe(id);
    const without = [id];
    const path = `/api/sessions/${asked.sessionId}/tasks`;
    const { task } = (await app.request('POST', `${path}/${asked.id}/ask-again`, { as: ada, body: { without } })).body;
    await app.request('GET', `${path}/${task.id}/events`, { as: ada });
    const again = (await app.request('GET', `${path}/${task.id}`, { as: ada })).body.task;
    expect(again.message).not.toContain('peanuts');
  });
});
