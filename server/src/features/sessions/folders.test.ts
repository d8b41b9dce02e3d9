import { FOLDER_LIMITS, folder } from '@atelier/contract/sessions/folders';
import { beforeEach, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')];
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
});

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  as: TestUser | undefined = ada,
) => app.request(method, path, { as, body });
const make = async (name: string, as = ada) => (await call('POST', '/api/folders', { name }, as)).body.folder;
const open = async () => (await call('POST', '/api/sessions', { agentId: 'field-notes' })).body.session;
const names = async () =>
  (await call('GET', '/api/folders')).body.folders.map((f: { name: string; sessionCount: number }) => [
    f.name,
    f.sessionCount,
  ]);

it('is made, renamed and listed by name, with how many sessions it has', async () => {
  const trips = await call('POST', '/api/folders', { name: '  trips ' });
  expect(trips.status).toBe(201);
  expect(folder.parse(trips.body.folder)).toMatchObject({ name: 'trips', sessionCount: 0 });
  await make('Cooking');
  const { id } = await open();
  await call('PATCH', `/api/sessions/${id}`, { folderId: trips.body.folder.id });
  expect(await names()).toEqual([
    ['Cooking', 0],
    ['trips', 1],
  ]);
  const renamed = await call('PATCH', `/api/folders/${trips.body.folder.id}`, { name: 'Alps' });
  expect(renamed.body.folder).toMatchObject({ name: 'Alps', sessionCount: 1 });
});

it('keeps its sessions when it is deleted', async () => {
  const { id: folderId } = await make('Trips');
  const [one, gone] = [await open(), await open()];
  await call('PATCH', '/api/sessions', { ids: [one.id, gone.id], folderId });
  await call('DELETE', `/api/sessions/${gone.id}`);
  expect((await call('DELETE', `/api/folders/${folderId}`)).status).toBe(204);
  expect((await call('GET', `/api/sessions/${one.id}`)).body.session.folderId).toBeNull();
  expect((await call('POST', `/api/sessions/${gone.id}/restore`)).body.session.folderId).toBeNull();
  expect((await call('DELETE', `/api/folders/${folderId}`)).status).toBe(404);
});

it('has a name of its own, also when asked twice at once', async () => {
  const answers = await Promise.all(['Trips', 'trips', 'TRIPS'].map((name) => call('POST', '/api/folders', { name })));
  expect(answers.map((a) => a.status).toSorted()).toEqual([201, 409, 409]);
  const refused = answers.find((a) => a.status === 409);
  expect(refused?.body.error).toMatchObject({
    message: 'You already have a folder with this name. Choose another name.',
    field: 'name',
  });
  const other = await make('Cooking');
  expect((await call('PATCH', `/api/folders/${other.id}`, { name: 'trips' })).status).toBe(409);
  expect((await call('POST', '/api/folders', { name: 'Trips' }, bob)).status).toBe(201);
});

it('refuses bad names and more folders than the limit', async () => {
  for (const body of [{ name: '   ' }, { name: 'x'.repeat(101) }, {}, { name: 'a', position: 1 }]) {
    expect((await call('POST', '/api/folders', body)).status).toBe(400);
  }
  await app.deps.database.executeSql(
    `insert into session_folders (user_id, id, name)
     select $1, gen_random_uuid(), 'f' || n from generate_series(2, $2::int) n`,
    [ada.uid, FOLDER_LIMITS.folders],
  );
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => call('POST', '/api/folders', { name })));
  expect(answers.map((a) => a.status).toSorted()).toEqual([201, 402, 402]);
});

it('is nobody else’s', async () => {
  const { id } = await make('Trips');
  const mine = await open();
  const theirs = await make('Theirs', bob);
  expect((await call('PATCH', `/api/folders/${id}`, { name: 'x' }, bob)).status).toBe(404);
  expect((await call('DELETE', `/api/folders/${id}`, undefined, bob)).status).toBe(404);
  expect((await call('GET', '/api/folders', undefined, bob)).body.folders).toHaveLength(1);
  const move = await call('PATCH', `/api/sessions/${mine.id}`, { folderId: theirs.id });
  expect([move.status, move.body.error.message]).toEqual([404, 'This folder was not found.']);
  expect((await call('PATCH', '/api/sessions', { ids: [mine.id], folderId: theirs.id })).status).toBe(404);
  expect((await call('GET', `/api/sessions?folderId=${theirs.id}`)).body.sessions).toEqual([]);
  for (const bad of ['not-a-uuid', '00000000-0000-7000-8000-000000000000']) {
    expect((await call('DELETE', `/api/folders/${bad}`)).status).toBe(404);
  }
});

it('never loses a session that is moved into it while it is deleted', async () => {
  const { id } = await open();
  for (let round = 0; round < 5; round += 1) {
    const { id: folderId } = await make(`Round ${round}`);
    const [moved, deleted] = await Promise.all([
      call('PATCH', '/api/sessions', { ids: [id], folderId }),
      call('DELETE', `/api/folders/${folderId}`),
    ]);
    expect(deleted.status).toBe(204);
    expect([200, 404]).toContain(moved.status);
    expect((await call('GET', `/api/sessions/${id}`)).body.session.folderId).toBeNull();
  }
});
