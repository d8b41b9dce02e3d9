import { memoriesAnswer, memoryAnswer } from '@atelier/contract/memory';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TestUser } from '../../testing/harness.ts';
import { beforeTransaction } from '../../testing/in-between.ts';
import { managedMemories, PEANUTS, QUESTION } from '../../testing/managed-memories.ts';

const at = await managedMemories();
const { ask, list, said, patch, forget, startSession } = at;
afterEach(() => void vi.restoreAllMocks());

describe('the memories of an agent', () => {
  it('are listed with where they came from, and narrowed down', async () => {
    const task = await ask(PEANUTS);
    await ask('The train to Bergen leaves at seven', await startSession());
    const answer = await at.app.request('GET', '/api/memories?agentId=field-notes', { as: at.ada });
    const all = memoriesAnswer.parse(answer.body).memories;
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(all.find((m) => m.text === PEANUTS)).toMatchObject({
      agentId: 'field-notes',
      agentName: 'Field Notes',
      kind: 'person',
      sessionId: at.sessionId,
      taskId: task.id,
      pinned: false,
      edited: false,
    });
    expect((await list(`?sessionId=${at.sessionId}&kind=person`)).map((m) => m.text)).toEqual([PEANUTS]);
    expect((await list('?q=allergy&kind=person')).map((m) => [m.text, m.why?.by])).toEqual([[PEANUTS, 'related']]);
    expect(await list('?q=shipwreck&kind=person')).toEqual([]);
    expect((await list('?q=allergic%20PEAN&kind=person')).map((m) => m.text)).toEqual([PEANUTS]);
    expect(await list('?agentId=other')).toEqual([]);
    const first = (await at.app.request('GET', '/api/memories?limit=1', { as: at.ada })).body;
    const second = (await at.app.request('GET', `/api/memories?limit=200&cursor=${first.nextCursor}`, { as: at.ada }))
      .body;
    expect(second.memories).toHaveLength(all.length - 1);
  });

  it('are nobody else’s: not to be listed, changed or forgotten', async () => {
    await ask(PEANUTS);
    const { id } = await said();
    expect(await list('', at.bob)).toEqual([]);
    expect((await at.app.request('GET', `/api/memories/${id}`, { as: at.bob })).status).toBe(404);
    expect((await patch(id, { pinned: true }, at.bob)).status).toBe(404);
    expect((await forget(id, at.bob)).status).toBe(404);
    const bulk = await at.app.request('DELETE', '/api/memories', { as: at.bob, body: { ids: [id] } });
    expect([bulk.status, bulk.body.forgotten]).toEqual([200, 0]);
    expect((await said()).text).toBe(PEANUTS);
  });

  it('are read whole, one at a time', async () => {
    await ask(PEANUTS);
    const memory = await said();
    const { body } = await at.app.request('GET', `/api/memories/${memory.id}`, { as: at.ada });
    expect(memoryAnswer.parse(body).memory).toEqual(memory);
    expect((await at.app.request('GET', '/api/memories/nonsense', { as: at.ada })).status).toBe(404);
    const eve = await at.app.signUp('Eve');
    expect((await at.app.request('GET', `/api/memories/${memory.id}`, { as: eve })).status).toBe(403);
  });

  it('are exported as one file', async () => {
    for (const text of [PEANUTS, 'I like trains', 'My budget is small']) await ask(text);
    const { body, headers } = await at.app.request('GET', '/api/memories/export?agentId=field-notes&limit=1', {
      as: at.ada,
    });
    expect(headers.get('content-disposition')).toContain('attachment');
    expect(memoriesAnswer.parse({ ...body, nextCursor: null, meaning: 'none' }).memories).toEqual(await list());
    expect((await at.app.request('GET', '/api/memories/export', { as: at.bob })).body).toEqual({ memories: [] });
  });

  it('are for Pro', async () => {
    const eve = await at.app.signUp('Eve');
    const answer = await at.app.request('GET', '/api/memories', { as: eve });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'pro_required']);
  });

  it.each([['?cursor=x'], ['?kind=dream'], ['?sessionId=x'], [`?q=${'q'.repeat(501)}`]])(
    'answer 400 to %s',
    async (query) => {
      expect((await at.app.request('GET', `/api/memories${query}`, { as: at.ada })).status).toBe(400);
    },
  );
});

describe('an edited memory', () => {
  it('is refused blank, huge, malformed or with fields that are not a person’s to set', async () => {
    await ask(PEANUTS);
    const { id } = await said();
    for (const body of [
      {},
      { text: ' ' },
      { text: 'x'.repeat(2_001) },
      { text: 'a\0b' },
      { pinned: 'yes' },
      { kind: 'file' },
    ]) {
      expect((await patch(id, body)).status).toBe(400);
    }
    expect((await patch('nonsense', { pinned: true })).status).toBe(404);
  });

  it.each([true, false])('keeps a pin that is %s since another tab changed it', async (pinned) => {
    await ask(PEANUTS);
    const { id } = await said();
    await patch(id, { pinned: !pinned });
    beforeTransaction(at.app, () => patch(id, { pinned }));
    const edited = await patch(id, { text: 'My cousin is allergic to shellfish' });
    expect(edited.body.memory).toMatchObject({ text: 'My cousin is allergic to shellfish', pinned, edited: true });
  });
});

describe('a pinned memory', () => {
  it('is given first whatever is asked, until the pin is taken away', async () => {
    await ask(PEANUTS);
    const { id } = await said();
    expect((await patch(id, { pinned: true })).body.memory.pinned).toBe(true);
    const other = await startSession();
    expect((await ask('Good morning', other)).memoryUsed[0]).toMatchObject({ id, pinned: true, text: PEANUTS });
    expect((await list('?pinned=1')).map((m) => m.id)).toEqual([id]);
    await patch(id, { pinned: false });
    expect((await ask('Good evening', await startSession())).memoryUsed.map((m: { id: string }) => m.id)).not.toContain(
      id,
    );
  });
});

describe('asking again without a memory', () => {
  const askAgain = (taskId: string, without: string[], as: TestUser | undefined = at.ada) =>
    at.app.request('POST', `/api/sessions/${at.sessionId}/tasks/${taskId}/ask-again`, { as, body: { without } });

  it('asks the same as a new message, without it and without the exchanges that hold it', async () => {
    await ask(PEANUTS);
    const task = await ask(QUESTION);
    const { id } = task.memoryUsed.find((m: { text: string }) => m.text === PEANUTS);
    const again = await askAgain(task.id, [id]);
    expect(again.status).toBe(202);
    await at.app.request('GET', `/api/sessions/${at.sessionId}/tasks/${again.body.task.id}/events`, { as: at.ada });
    const { body } = await at.app.request('GET', `/api/sessions/${at.sessionId}/tasks/${again.body.task.id}`, {
      as: at.ada,
    });
    expect(body.task).toMatchObject({ inputText: QUESTION, status: 'done', without: 1 });
    expect(body.task.message).not.toMatch(/peanuts/iu);
    const old = await at.app.request('GET', `/api/sessions/${at.sessionId}/tasks/${task.id}`, { as: at.ada });
    expect(old.body.task.memoryUsed).toEqual(task.memoryUsed);
  });

  it('is refused for what was not part of the answer, and to others', async () => {
    const task = await ask(PEANUTS);
    const stranger = '00000000-0000-7000-8000-000000000000';
    expect((await askAgain(task.id, [stranger])).status).toBe(400);
    expect((await askAgain(task.id, [])).status).toBe(400);
    expect((await askAgain(task.id, ['x'])).status).toBe(400);
    expect((await askAgain(task.id, [stranger], at.bob)).status).toBe(404);
  });
});
