import { queueAnswer } from '@atelier/contract/runs/queue';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { attachmentsOf } from '../../testing/files.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { pictureOf } from '../../testing/pictures.ts';
import { noteRowsAtOnce } from '../../testing/rows-at-once.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { sweepAttachments } from '../attachments/attachments.service.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { purgeSession } from '../removal/delete-session.service.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { purgeRemoved } from './queue.service.ts';
import { queuedMessages } from './queue.table.ts';

const script = scriptedModels();
let ada: TestUser;
let eve: TestUser;
let sessionId: string;
const { add, onDisk } = attachmentsOf(
  () => app,
  () => ada,
  () => sessionId,
);
const app = await emptyApp({ models: script.models });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  eve = await app.signUp('Eve');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Looker', prompt: 'You look.' } });
  const opened = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'looker' } });
  sessionId = opened.body.session.id;
});

const path = (more: string) => `/api/sessions/${sessionId}/${more}`;
const send = (inputText: string, attachmentIds: string[] = []) =>
  app.request('POST', path('tasks'), { as: ada, body: { agentId: 'looker', inputText, attachmentIds } });
const queue = (inputText: string, attachmentIds: string[], key?: string, as = ada) =>
  app.request('POST', path('queue'), {
    as,
    body: { inputText, attachmentIds },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const listed = async () => queueAnswer.parse((await app.request('GET', path('queue'), { as: ada })).body).queue;
const tasks = async () => (await app.request('GET', path('tasks'), { as: ada })).body.tasks;
const done = () => eventually(async () => expect((await tasks()).at(-1)).toMatchObject({ status: 'done' }));
const sweep = async () => {
  await app.deps.db.update(attachments).set({ createdAt: sql`now() - interval '25 hours'` });
  await sweepAttachments(app.deps);
};

describe('a waiting message with attachments', () => {
  it('keeps them while it waits, and is sent with them', async () => {
    await send('one');
    const first = await script.next();
    const [kiln, notes] = [await add('kiln.png', pictureOf('png')), await add('notes.txt', 'Cone 6.')];
    const answer = await queue('What are these?', [kiln.id, notes.id], 'k');
    expect(answer.status).toBe(201);
    expect(answer.body.queued.attachments).toMatchObject([{ name: 'kiln.png' }, { name: 'notes.txt', url: notes.url }]);
    // The same once more is the same message; with other attachments it is another one.
    expect((await queue('What are these?', [kiln.id, notes.id], 'k')).body.queued.id).toBe(answer.body.queued.id);
    expect((await queue('What are these?', [kiln.id], 'k')).status).toBe(409);
    await sweep();
    expect(await onDisk()).toHaveLength(2);
    first.say('1').end();
    (await script.next()).say('A kiln.').end();
    await done();
    expect((await tasks()).at(-1)).toMatchObject({ attachments: [{ id: kiln.id }, { id: notes.id }] });
    expect(await listed()).toEqual([]);
    const repeated = await queue('What are these?', [kiln.id, notes.id], 'k');
    expect(repeated.body.queued).toMatchObject({ state: 'sent', attachments: [{ id: kiln.id }, { id: notes.id }] });
  });

  it('without words names what is attached; with neither, 400', async () => {
    await send('one');
    const first = await script.next();
    const kiln = await add('kiln.png', pictureOf('png'));
    expect((await queue(' ', [kiln.id])).body.queued.inputText).toBe('Look at kiln.png.');
    expect((await queue(' ', [])).body.error).toMatchObject({ code: 'invalid_input' });
    first.say('1').end();
    (await script.next()).say('A kiln.').end();
    await done();
    expect((await send('', [kiln.id])).body.task.inputText).toBe('Look at kiln.png.');
    (await script.next()).say('The same kiln.').end();
    await done();
    expect((await send('', [])).status).toBe(400);
  });

  it('is for Pro, and takes only what is there', async () => {
    await send('one');
    await script.next();
    const kiln = await add('kiln.png', pictureOf('png'));
    expect((await queue('two', ['00000000-0000-4000-8000-000000000000'])).status).toBe(400);
    expect((await queue('two', [kiln.id], undefined, eve)).status).toBe(403);
    await app.request('POST', '/api/agents', { as: eve, body: { name: 'Looker', prompt: 'p' } });
    await app.grantPro(eve.uid);
    expect((await queue('two', [kiln.id], undefined, eve)).status).toBe(404);
    expect(await listed()).toEqual([]);
  });

  it('takes its attachments along when it is removed for good, and when its session is', async () => {
    await send('one');
    await script.next();
    const { id } = await add('kiln.png', pictureOf('png'));
    const { body } = await queue('two', [id]);
    await app.request('DELETE', path(`queue/${body.queued.id}`), { as: ada });
    await purgeRemoved(app.deps);
    expect(await onDisk()).toHaveLength(1);
    const removedAt = sql`now() - interval '1 minute'`;
    await app.deps.db.update(queuedMessages).set({ removedAt });
    const more = Array.from({ length: 25 }, () => crypto.randomUUID());
    await app.deps.db
      .insert(queuedMessages)
      .values(more.map((next) => ({ userId: ada.uid, id: next, sessionId, inputText: 'many', removedAt })));
    const rows = await noteRowsAtOnce(app, ['queued_messages']);
    await purgeRemoved(app.deps);
    await eventually(async () => expect(await onDisk()).toEqual([]));
    expect(await rows.most().finally(rows.stop)).toMatchObject([{ n: 10, total: 26 }]);

    await queue('three', [(await add('glaze.png', pictureOf('png'))).id]);
    await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada });
    await app.deps.db.update(sessions).set({ deletedAt: sql`now() - interval '1 minute'` });
    await purgeSession(app.deps, { userId: ada.uid, sessionId });
    await eventually(async () => expect(await onDisk()).toEqual([]));
  });
});

it('what waits in a session that comes back is sent at once', async () => {
  // As a process leaves it that dies between the two.
  await app.deps.db
    .insert(queuedMessages)
    .values({ userId: ada.uid, id: crypto.randomUUID(), sessionId, inputText: 'still here' });
  await app.request('DELETE', `/api/sessions/${sessionId}`, { as: ada });
  expect((await app.request('POST', `/api/sessions/${sessionId}/restore`, { as: ada })).status).toBe(200);
  (await script.next()).say('Yes.').end();
  await done();
  expect((await tasks())[0]).toMatchObject({ inputText: 'still here', message: 'Yes.' });
});
