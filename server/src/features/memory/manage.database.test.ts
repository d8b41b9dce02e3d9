import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type TestApp, testApp } from '../../testing/harness.ts';
import { managedMemories, PEANUTS, QUESTION } from '../../testing/managed-memories.ts';
import { noteRowsAtOnce } from '../../testing/rows-at-once.ts';
import { taskEvents } from '../runs/runs.table.ts';
import { memories } from './memory.table.ts';

/** Adds exchanges in which the agent was given what the person said in this one, and repeated it. */
const repeatOften = ({ deps }: TestApp, taskId: string, times: number) =>
  deps.database.executeSql(
    `with more as (
       insert into tasks (user_id, id, session_id, agent_id, agent_name, input_text, status, model, memory_used)
       select t.user_id, gen_random_uuid(), t.session_id, t.agent_id, t.agent_name, 'x', 'done', 'offline', jsonb_build_array(jsonb_build_object(
         'id', m.id, 'text', m.text, 'kind', 'person', 'sessionId', t.session_id, 'timestamp', now(), 'score', 1))
       from tasks t join memories m on m.task_id = t.id and m.kind = 'person', generate_series(1, $2::int) where t.id = $1 returning *),
     logged as (
       insert into task_events (user_id, task_id, seq, type, data)
       select user_id, id, 1, 'memory', jsonb_build_object('items', memory_used) from more)
     insert into memories (user_id, id, agent_id, session_id, task_id, kind, text, version)
     select more.user_id, gen_random_uuid(), more.agent_id, more.session_id, more.id, 'agent', m.text, 1
     from more, memories m where m.task_id = $1 and m.kind = 'person'`,
    [taskId, times],
  );

const at = await managedMemories();
const { ask, list, said, patch, forget, startSession } = at;

describe('forgetting', () => {
  it('takes the words from the row, the index, the search and every receipt', async () => {
    await ask(PEANUTS);
    const other = await startSession();
    expect((await ask(QUESTION, other)).memoryUsed.map((m: { text: string }) => m.text)).toContain(PEANUTS);
    const { id } = await said();
    expect((await forget(id)).status).toBe(204);
    expect((await forget(id)).status).toBe(404);
    expect((await list()).map((m) => m.id)).not.toContain(id);
    const { body } = await at.app.request('GET', `/api/sessions/${other}/tasks`, { as: at.ada });
    const item = body.tasks[0].memoryUsed.find((m: { id: string }) => m.id === id);
    expect(item).toMatchObject({ text: '', forgotten: true });
    const events = JSON.stringify(await at.app.deps.db.select().from(taskEvents));
    expect(events).toContain(id);
    expect(events).not.toContain(`"text":"${PEANUTS}"`);
    const rows = await at.app.deps.db.select().from(memories);
    expect(rows.find((row) => row.id === id)).toMatchObject({ text: '', speaker: null });
    const again = await ask(QUESTION, await startSession());
    expect(again.memoryUsed.map((m: { id: string }) => m.id)).not.toContain(id);
  });

  it('takes along what the agent remembers of repeating it, and nothing else that it said', async () => {
    await ask(PEANUTS);
    await ask('The railway leaves at seven from platform nine');
    const other = await startSession();
    expect((await ask(QUESTION, other)).message).toContain('peanuts');
    expect((await list('?kind=agent')).filter((m) => m.text.includes('peanuts'))).not.toEqual([]);
    const railways = async () => (await list('?kind=agent')).filter((m) => m.text.includes('railway'));
    const trains = await railways();
    const told = (await list('?kind=person')).find((m) => m.text === PEANUTS);
    await forget(told?.id ?? expect.fail('it is not remembered'));
    expect((await list('?kind=agent')).filter((m) => m.text.includes('peanuts'))).toEqual([]);
    expect(trains).not.toEqual([]);
    expect(await railways()).toEqual(trains);
  });

  it('of what very many answers repeat takes them along, a few rows in each statement', async () => {
    const { id } = await ask(PEANUTS);
    await repeatOften(at.app, id, 120);
    const rows = await noteRowsAtOnce(at.app, ['memories', 'tasks', 'task_events']);
    try {
      expect((await forget((await said()).id)).status).toBe(204);
      expect(await rows.most()).toMatchObject([
        { name: 'memories', n: 50 },
        { name: 'task_events', n: 10 },
        { name: 'tasks', n: 10 },
      ]);
    } finally {
      await rows.stop();
    }
    const words = (table: string) => at.app.deps.database.executeSql(`select t::text from ${table} t`, []);
    const left = (await Promise.all(['memories', 'tasks', 'task_events'].map(words))).flatMap((found) => found.rows);
    const ofOthers = left.map((row) => JSON.stringify(row)).filter((row) => !row.includes(id));
    expect(ofOthers.filter((row) => row.includes('peanuts'))).toEqual([]);
  });

  it('reaches another process on the same database before its next answer', async () => {
    const other = await testApp({ database: at.app.deps.database });
    const elsewhere = async (inputText: string) => {
      const body = { sessionId: await startSession(), agentId: 'field-notes', inputText };
      return (await other.request('POST', '/api/runAgentTask', { as: at.ada, body })).body.task.memoryUsed;
    };
    await ask(PEANUTS);
    const [item] = (await elsewhere(QUESTION)).filter((m: { text: string }) => m.text === PEANUTS);
    expect(item).toBeDefined();
    await forget(item.id);
    expect((await elsewhere(QUESTION)).map((m: { id: string }) => m.id)).not.toContain(item.id);
    await other.close();
  });

  it('goes for many at once, and for the same twice at once', async () => {
    for (const text of [PEANUTS, 'I like trains', 'My budget is small']) await ask(text);
    const ids = (await list()).map((m) => m.id);
    const answers = await Promise.all(
      [1, 2].map(() => at.app.request('DELETE', '/api/memories', { as: at.ada, body: { ids } })),
    );
    expect(answers.map((a) => a.status)).toEqual([200, 200]);
    expect(answers.reduce((sum, a) => sum + a.body.forgotten, 0)).toBe(ids.length);
    expect(await list()).toEqual([]);
    for (const body of [{}, { ids: [] }, { ids: ['x'] }, { ids: [ids[0]], all: true }]) {
      expect((await at.app.request('DELETE', '/api/memories', { as: at.ada, body })).status).toBe(400);
    }
  });

  it('happens with a deleted agent too', async () => {
    await ask(PEANUTS);
    await ask(QUESTION);
    await at.app.request('DELETE', '/api/agents/field-notes', { as: at.ada });
    await eventually(async () => {
      const { body } = await at.app.request('GET', `/api/sessions/${at.sessionId}/tasks`, { as: at.ada });
      expect(JSON.stringify(body.tasks.map((t: { memoryUsed: unknown }) => t.memoryUsed))).not.toContain('peanuts');
    });
  });
});

describe('an edited memory', () => {
  it('is recalled by its new words, no longer by the old ones, and forgetting it forgets both', async () => {
    await ask(PEANUTS);
    const old = (await ask(QUESTION)).memoryUsed.find((m: { text: string }) => m.text === PEANUTS);
    const answer = await patch(old.id, { text: ' My cousin is allergic to shellfish ' });
    expect(answer.body.memory).toMatchObject({
      text: 'My cousin is allergic to shellfish',
      edited: true,
      kind: 'person',
    });
    const fresh = await startSession();
    const task = await ask('Who is allergic to shellfish?', fresh);
    expect(task.memoryUsed.map((m: { text: string }) => m.text)).toContain('My cousin is allergic to shellfish');
    expect(task.memoryUsed.map((m: { text: string }) => m.text)).not.toContain(PEANUTS);
    expect((await patch(old.id, { text: 'too late' })).status).toBe(404);
    await forget(answer.body.memory.id);
    const { body } = await at.app.request('GET', `/api/sessions/${at.sessionId}/tasks`, { as: at.ada });
    const receipt = body.tasks.at(-1).memoryUsed.find((m: { id: string }) => m.id === old.id);
    expect(receipt).toMatchObject({ text: '', forgotten: true });
  });

  it('changes once when two edit it at the same time', async () => {
    await ask(PEANUTS);
    const { id } = await said();
    const answers = await Promise.all([patch(id, { text: 'one' }), patch(id, { text: 'two' })]);
    // The slower one finds it changed under its hands, or gone already.
    const [first, second] = answers.map((a) => a.status).toSorted();
    expect(first).toBe(200);
    expect([404, 409]).toContain(second);
    expect((await list('?kind=person')).filter((m) => ['one', 'two'].includes(m.text))).toHaveLength(1);
  });
});
