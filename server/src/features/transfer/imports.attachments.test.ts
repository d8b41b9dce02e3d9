import type { Task } from '@atelier/contract/runs';
import type { AccountImport, ImportCount } from '@atelier/contract/transfer/imports';
import { sql } from 'drizzle-orm';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { attachmentsOf, sendFile } from '../../testing/files.ts';
import { emptyApp, ORIGIN, type TestUser } from '../../testing/harness.ts';
import { pictureOf } from '../../testing/pictures.ts';
import { sweepAttachments } from '../attachments/attachments.service.ts';
import { attachments } from '../attachments/attachments.table.ts';

let there: TestUser;
let here: TestUser;
let sessionId: string;
const { add, get } = attachmentsOf(
  () => app,
  () => there,
  () => sessionId,
);
const app = await emptyApp();
beforeEach(async () => {
  [there, here] = [await app.signUpPro('Ada there'), await app.signUp('Ada here')];
  await call(there, 'POST', '/api/agents', { name: 'Looker', prompt: 'You look.' });
  sessionId = (await call(there, 'POST', '/api/sessions', { agentId: 'looker' })).session.id;
});

async function call(as: TestUser, method: string, path: string, body?: unknown) {
  const answer = await app.request(method, path, { as, body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const tasksOf = async (as: TestUser, id: string): Promise<Task[]> =>
  (await call(as, 'GET', `/api/sessions/${id}/tasks`)).tasks;

async function send(attachmentIds: string[], inputText = 'What is this?') {
  await call(there, 'POST', `/api/sessions/${sessionId}/tasks`, { agentId: 'looker', inputText, attachmentIds });
  await eventually(async () => expect((await tasksOf(there, sessionId)).at(-1)?.status).toBe('done'));
}

async function archived(): Promise<Uint8Array<ArrayBuffer>> {
  const response = await app.app.request(`${ORIGIN}/api/export`, { headers: { cookie: there.cookie } });
  return new Uint8Array(await response.arrayBuffer());
}

async function importHere(data: Uint8Array<ArrayBuffer>): Promise<AccountImport> {
  const { status, body } = await sendFile(app, here, '/api/imports', ['archive.zip', data]);
  expect(status).toBe(201);
  const { import: uploaded } = body;
  await call(here, 'POST', `/api/imports/${uploaded.id}/start`);
  const latest = async () => (await call(here, 'GET', '/api/imports')).import;
  await eventually(async () => expect((await latest()).state).toBe('done'));
  return latest();
}

const countOf = ({ counts }: AccountImport): ImportCount | undefined =>
  counts.find(({ kind }) => kind === 'attachments');

async function arrived(): Promise<Task[]> {
  const { sessions } = await call(here, 'GET', '/api/sessions');
  return tasksOf(here, sessions[0].id);
}

it('brings the pictures and files of messages, once, and they stay', async () => {
  await app.grantPro(here.uid);
  const picture = pictureOf('png', 40, 30);
  const [kiln, notes] = [await add('kiln.png', picture), await add('notes.txt', 'The glaze is celadon.')];
  await send([kiln.id, notes.id]);
  await send([kiln.id], 'And once more?');
  const report = await importHere(await archived());
  expect(countOf(report)).toMatchObject({ found: 2, imported: 2, present: 0, left: 0 });
  const [first, second] = await arrived();
  expect(first?.attachments).toMatchObject([
    { name: 'kiln.png', kind: 'picture', width: 40, height: 30 },
    { name: 'notes.txt', kind: 'file' },
  ]);
  expect(second?.attachments).toEqual([first?.attachments?.[0]]);
  const bytes = await get(first?.attachments?.[0]?.url ?? '', here);
  expect(Buffer.from(await bytes.arrayBuffer()).equals(picture)).toBe(true);
  expect((await get(first?.attachments?.[0]?.url ?? '', there)).status).toBe(404);

  expect(countOf(await importHere(await archived()))).toMatchObject({ imported: 0, present: 2, left: 0 });
  await app.deps.db.update(attachments).set({ createdAt: sql`now() - interval '25 hours'` });
  await sweepAttachments(app.deps);
  expect((await get(first?.attachments?.[1]?.url ?? '', here)).status).toBe(200);
});

it('leaves them out of a free account with the reason, and adds them once it is Pro', async () => {
  await send([(await add('kiln.png', pictureOf('png'))).id]);
  const archive = await archived();
  const report = await importHere(archive);
  expect(countOf(report)).toMatchObject({ imported: 0, left: 1 });
  expect(report.notes.join()).toContain('Attachments are for Pro accounts');
  expect((await arrived())[0]).not.toHaveProperty('attachments');
  await app.grantPro(here.uid);
  expect(countOf(await importHere(archive))).toMatchObject({ imported: 1, left: 0 });
  expect((await arrived())[0]?.attachments).toMatchObject([{ name: 'kiln.png' }]);
});

it('refuses what is no picture, and the message comes without it', async () => {
  await app.grantPro(here.uid);
  await send([(await add('kiln.png', pictureOf('png'))).id, (await add('notes.txt', 'Cone 6.')).id]);
  const parts = unzipSync(await archived());
  const name = Object.keys(parts).find((path) => path.startsWith('attachments/') && path.endsWith('kiln.png')) ?? '';
  const report = await importHere(zipSync({ ...parts, [name]: strToU8('<html><script>alert(1)</script></html>') }));
  expect(countOf(report)).toMatchObject({ imported: 1, left: 1 });
  expect(report.notes.join()).toContain('kiln.png: This is not a picture that can be shown.');
  expect((await arrived())[0]?.attachments).toMatchObject([{ name: 'notes.txt' }]);
});
