import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { branching } from '../../testing/branching.ts';
import { shareOf } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { memories } from '../memory/memory.table.ts';
import { purgeExchange } from '../removal/delete-session.service.ts';
import { summaries } from './runs.table.ts';

const script = scriptedModels();
let ada: TestUser;
let bob: TestUser;
let sessionId: string;
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'You help me' } });
  sessionId = await openSession();
});
const talk = branching(() => ({ app, person: ada, sessionId, agentId: 'field-notes' }));
const openSession = () => app.startSession(ada, 'field-notes');
const me = async () => (await app.request('GET', '/api/me', { as: ada })).body;

/** Has the accepted message answered; returns its id and what the model was given. */
const answer = (accepted: ReturnType<typeof talk.send>, words: string) => talk.answeredBy(script, accepted, words);
const words = async () => (await talk.path()).map(({ inputText, message }) => `${inputText} ${message}`);
const purge = async (taskId: string) => {
  await app.deps.database.executeSql(
    `update task_places set deleted_at = now() - interval '1 minute' where task_id = $1`,
    [taskId],
  );
  await purgeExchange(app.deps, { userId: ada.uid, sessionId, taskId });
};

describe('an edited message', () => {
  it('becomes a sibling, and the path and the prompt follow it', async () => {
    const one = await answer(talk.send('One'), 'first');
    const two = await answer(talk.send('Two'), 'second');
    await answer(talk.send('Three'), 'third');
    const other = await answer(talk.edit(two.id, 'Zwei'), 'zweite');
    expect(await words()).toEqual(['One first', 'Zwei zweite']);
    expect(other.input.messages.map(({ text }) => text)).toEqual(['One', 'first', 'Zwei']);
    const [first, second] = await talk.path();
    expect([first?.parentId, first?.siblings]).toEqual([null, [one.id]]);
    expect([second?.parentId, second?.siblings]).toEqual([one.id, [two.id, other.id]]);
    expect((await me()).usage).toMatchObject({ messageCount: 4, taskCount: 4 });
    expect((await talk.choose(two.id)).body.task.id).toBe(two.id);
    expect(await words()).toEqual(['One first', 'Two second', 'Three third']);
  });

  it('comes back to where each branch was left', async () => {
    const a = await answer(talk.send('A'), '1');
    const a2 = await answer(talk.send('A2'), '2');
    const a3 = await answer(talk.edit(a2.id, 'A3'), '3');
    const b = await answer(talk.edit(a.id, 'B'), '4');
    await talk.choose(a.id);
    expect(await words()).toEqual(['A 1', 'A3 3']);
    await talk.choose(a2.id);
    await talk.choose(b.id);
    await talk.choose(a.id);
    expect(await words()).toEqual(['A 1', 'A2 2']);
    expect((await talk.read(a3.id)).siblings).toEqual([a2.id, a3.id]);
  });

  it('is refused while the session answers, for what is another’s, and without words; nothing changes', async () => {
    const one = await answer(talk.send('One'), 'first');
    const running = await talk.send('Two');
    await script.next();
    expect((await talk.edit(one.id, 'Eins')).status).toBe(409);
    expect((await talk.regenerate(one.id)).status).toBe(409);
    expect((await talk.remove(one.id)).status).toBe(409);
    expect((await talk.continueFrom(running.body.task.id)).status).toBe(409);
    await talk.stop(running.body.task.id);
    await eventually(async () => expect((await talk.read(running.body.task.id)).status).toBe('cancelled'));
    expect((await talk.edit(one.id, '   ')).status).toBe(400);
    expect((await talk.edit(one.id, 'x'.repeat(32_001))).status).toBe(400);
    const foreign = branching(() => ({ app, person: bob, sessionId, agentId: 'field-notes' }));
    for (const call of [
      foreign.edit(one.id, 'x'),
      foreign.regenerate(one.id),
      foreign.choose(one.id),
      foreign.remove(one.id),
    ]) {
      expect((await call).status).toBe(404);
    }
    expect((await foreign.continueFrom(one.id)).status).toBe(404);
    const another = await openSession();
    const elsewhere = branching(() => ({ app, person: ada, sessionId: another, agentId: 'field-notes' }));
    expect((await elsewhere.edit(one.id, 'x')).status).toBe(404);
    expect((await elsewhere.choose(one.id)).status).toBe(404);
    expect(await words()).toEqual(['One first', 'Two ']);
  });

  it('of two at once one is answered, and nothing is lost', async () => {
    const one = await answer(talk.send('One'), 'first');
    const both = await Promise.all([talk.edit(one.id, 'Left'), talk.edit(one.id, 'Right')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    const accepted = both.find(({ status }) => status === 202);
    (await script.next()).say('done').end();
    const { siblings } = await talk.answered(accepted ?? both[0]);
    expect(siblings).toHaveLength(2);
  });

  it('counts against the limits like any message', async () => {
    const one = await answer(talk.send('One'), 'first');
    await app.deps.database.executeSql('update usage set message_count = 10 where user_id = $1', [ada.uid]);
    expect((await talk.edit(one.id, 'Two')).status).toBe(402);
    expect(await words()).toEqual(['One first']);
  });
});

describe('an answer', () => {
  it('is written again, by another model if one is named', async () => {
    const one = await answer(talk.send('One'), 'first');
    const again = await answer(talk.regenerate(one.id), 'again');
    const other = await answer(talk.regenerate(one.id, 'gpt-3.5-turbo'), 'otherwise');
    expect([again.input.model, other.input.model]).toEqual(['gpt-4', 'gpt-3.5-turbo']);
    expect(await words()).toEqual(['One otherwise']);
    expect((await talk.read(other.id)).siblings).toEqual([one.id, again.id, other.id]);
    const gone = await talk.regenerate(one.id, 'gpt-9');
    expect([gone.status, gone.body.error.message]).toEqual([
      400,
      'This model is not offered here any more. Choose another one.',
    ]);
  });

  it('that failed and is retried is a sibling too', async () => {
    const sent = await talk.send('One');
    (await script.next()).fail('No.');
    const failed = await talk.answered(sent);
    const retried = app.request('POST', `/api/sessions/${sessionId}/tasks/${failed.id}/retry`, { as: ada });
    const next = await answer(retried, 'first');
    expect(await words()).toEqual(['One first']);
    expect(await talk.read(next.id)).toMatchObject({ retryOf: failed.id, siblings: [failed.id, next.id] });
  });
});

describe('memory', () => {
  it('follows the path, in recall, in the list and in search', async () => {
    await app.grantPro(ada.uid);
    const one = await answer(talk.send('My kiln stands in Faro.'), 'Noted.');
    const other = await answer(talk.edit(one.id, 'My loom stands in Porto.'), 'Noted.');
    const another = await openSession();
    const elsewhere = branching(() => ({ app, person: ada, sessionId: another, agentId: 'field-notes' }));
    const ask = async (question: string) => {
      const sent = await elsewhere.send(question);
      const call = await script.next();
      call.say('I see.').end();
      await elsewhere.answered(sent);
      return call.input.instructions;
    };
    const list = async () =>
      (await app.request('GET', '/api/memories?kind=person', { as: ada })).body.memories.map(
        (m: { text: string }) => m.text,
      );
    const found = async (q: string) =>
      (await app.request('GET', `/api/search?q=${q}`, { as: ada })).body.tasks.map((t: { id: string }) => t.id);
    expect(await ask('Where does my kiln stand?')).not.toContain('Faro');
    expect(await ask('Where does my loom stand?')).toContain('Porto');
    expect(await list()).not.toContain('My kiln stands in Faro.');
    expect(await found('Faro')).toEqual([]);
    await talk.choose(one.id);
    expect(await ask('Where does my kiln stand today?')).toContain('Faro');
    expect(await ask('Where does my loom stand today?')).not.toContain('My loom stands in Porto.');
    expect(await list()).toContain('My kiln stands in Faro.');
    expect(await found('Faro')).toEqual([one.id]);
    expect((await talk.read(other.id)).status).toBe('done');
  });

  it('loses the summary of a path that was left', async () => {
    const one = await answer(talk.send('One'), 'first');
    await answer(talk.send('Two'), 'second');
    const until = new Date(Date.now() + 1_000);
    const row = {
      userId: ada.uid,
      sessionId,
      text: 'About one and two.',
      kind: 'extractive',
      until,
      exchanges: 2,
    } as const;
    await app.deps.db.insert(summaries).values(row);
    await answer(talk.edit(one.id, 'Eins'), 'erste');
    expect(await app.deps.db.select().from(summaries)).toEqual([]);
  });
});

/** All orders in which each of these can be deleted, and brought back some time later: each is named two times. */
const ordersOf = (living: string[], gone: string[] = []): string[][] => {
  const without = (ids: string[], id: string) => ids.filter((one) => one !== id);
  const first = (id: string, then: string[][]) => then.map((order) => [id, ...order]);
  if (living.length + gone.length === 0) return [[]];
  return [
    ...living.flatMap((id) => first(id, ordersOf(without(living, id), [...gone, id]))),
    ...gone.flatMap((id) => first(id, ordersOf(living, without(gone, id)))),
  ];
};

describe('a deleted exchange', () => {
  it('comes back to where it stood, in whatever order its neighbours are deleted and brought back', async () => {
    const said: string[] = [];
    for (const text of ['1', '2', '3', '4', '5']) said.push((await answer(talk.send(text), 'Yes')).id);
    const [one = '', two = '', three = '', four = '', five = ''] = said;
    const beside = (await answer(talk.regenerate(three), 'No')).id;
    await talk.choose(three);
    const whole = await talk.path();
    expect(whole.map(({ siblings }) => siblings)).toEqual([[one], [two], [three, beside], [four], [five]]);
    const some = shareOf(30);
    const ofTwo = [
      [two, three],
      [four, five],
    ].flatMap((pair) => ordersOf(pair));
    const ofThree = [
      [two, three, four],
      [three, four, five],
    ].flatMap((trio) => some(ordersOf(trio)));
    for (const order of [...ofTwo, ...ofThree]) {
      const gone = new Set<string>();
      for (const id of order) {
        const isBack = gone.delete(id);
        if (!isBack) gone.add(id);
        expect((await (isBack ? talk.restore(id) : talk.remove(id))).status).toBe(isBack ? 200 : 204);
        // However slow this is, nothing is removed for good meanwhile.
        await app.deps.database.executeSql(`update task_places set deleted_at = deleted_at + interval '1 hour'`, []);
        const isHere = (one: string) => !gone.has(one);
        const end = said.slice(2).filter(isHere);
        const path = [...said.slice(0, 2).filter(isHere), ...(end.length > 0 ? end : [beside])];
        expect(
          (await talk.path()).map((task) => task.id),
          `${order.map((id) => said.indexOf(id) + 1)}`,
        ).toEqual(path);
      }
      expect(await talk.path()).toEqual(whole);
    }
  });

  it('vanishes, what followed stays, and undo brings it back', async () => {
    await answer(talk.send('One'), 'first');
    const two = await answer(talk.send('Two'), 'second');
    await answer(talk.send('Three'), 'third');
    expect((await talk.remove(two.id)).status).toBe(204);
    expect((await talk.remove(two.id)).status).toBe(404);
    expect(await words()).toEqual(['One first', 'Three third']);
    expect((await talk.restore(two.id)).status).toBe(200);
    expect((await talk.restore(two.id)).status).toBe(404);
    expect(await words()).toEqual(['One first', 'Two second', 'Three third']);
    expect((await talk.path()).map(({ siblings }) => siblings.length)).toEqual([1, 1, 1]);
  });

  it('gives way to the branch beside it, and comes back to the path', async () => {
    const one = await answer(talk.send('One'), 'first');
    const other = await answer(talk.regenerate(one.id), 'again');
    await talk.remove(other.id);
    expect(await words()).toEqual(['One first']);
    await talk.restore(other.id);
    expect(await words()).toEqual(['One again']);
  });

  it('is gone for good later, with its memories', async () => {
    const one = await answer(talk.send('My kiln stands in Faro.'), 'Noted.');
    await answer(talk.send('Two'), 'second');
    await talk.remove(one.id);
    await purge(one.id);
    expect((await talk.restore(one.id)).status).toBe(404);
    expect(await app.deps.db.select().from(memories).where(eq(memories.taskId, one.id))).toEqual([]);
    expect(await words()).toEqual(['Two second']);
  });
});

describe('a new session from an answer', () => {
  it('begins with copies that are not remembered twice', async () => {
    await answer(talk.send('My kiln stands in Faro.'), 'Noted.');
    const two = await answer(talk.send('Two'), 'second');
    await answer(talk.send('Three'), 'third');
    const before = await app.deps.db.select({ id: memories.id }).from(memories);
    const continued = await talk.continueFrom(two.id);
    expect(continued.status).toBe(201);
    const { session } = continued.body;
    expect(session.name).toMatch(/ \(continued\)$/u);
    const copy = branching(() => ({ app, person: ada, sessionId: session.id, agentId: 'field-notes' }));
    const path = await copy.path();
    expect(path.map(({ inputText }) => inputText)).toEqual(['My kiln stands in Faro.', 'Two']);
    expect(path.map(({ parentId }) => parentId)).toEqual([null, path[0]?.id]);
    expect(await app.deps.db.select({ id: memories.id }).from(memories)).toHaveLength(before.length);
    expect((await me()).usage).toMatchObject({ messageCount: 3, sessionCount: 2 });
    const sent = await copy.send('Four');
    const call = await script.next();
    expect(call.input.messages.map(({ text }) => text).slice(0, 2)).toEqual(['My kiln stands in Faro.', 'Noted.']);
    call.say('fourth').end();
    await copy.answered(sent);
    await openSession();
    expect((await talk.continueFrom(two.id)).status).toBe(402);
  });
});
