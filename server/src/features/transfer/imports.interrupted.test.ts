import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TestUser, testApp } from '../../testing/harness.ts';
import { countsOf, moving } from '../../testing/moving.ts';
import { isImport } from './imports.service.ts';
import { accountImports } from './imports.table.ts';
import { runImport } from './run-import.service.ts';

let there: TestUser;
let here: TestUser;
const app = await testApp({ env: { FACTS: 'rules' } });
afterAll(() => app.close());
beforeEach(async () => {
  await app.reset();
  [there, here] = [await app.signUp('Ada there'), await app.signUp('Ada here')];
  for (const { uid } of [there, here]) await app.grantPro(uid);
});
afterEach(() => vi.restoreAllMocks());
const { call, fill, archiveOf, upload, ended, view } = moving(() => app);

it('says what came over, and goes on from there', async () => {
  await fill(there);
  const { body } = await upload(here, await archiveOf(there));
  const put = vi.spyOn(app.deps.storage, 'move').mockRejectedValue(new Error('the bucket is away'));
  await call(here, 'POST', `/api/imports/${body.import.id}/start`);
  const broken = await ended(here);
  expect(broken).toMatchObject({ state: 'failed', error: 'The file could not be stored. Please try again.' });
  expect(countsOf(broken)).toMatchObject({ agents: [1, 1, 0, 0], sessions: [2, 2, 0, 0], files: [1, 0, 0, 0] });
  put.mockRestore();
  await call(here, 'POST', `/api/imports/${body.import.id}/start`);
  const report = await ended(here);
  expect(report.state).toBe('done');
  expect(countsOf(report)).toMatchObject({ agents: [1, 1, 0, 0], files: [1, 1, 0, 0] });
  expect(await view(here)).toEqual(await view(there));
});

it('goes on after its process died, and doubles nothing when two jobs carry it on at once', async () => {
  await fill(there, 2);
  const { body } = await upload(here, await archiveOf(there));
  const key = { userId: here.uid, importId: String(body.import.id) };
  const set = (change: object) => app.deps.db.update(accountImports).set(change).where(isImport(key));
  // As the process leaves it when it ends after the agents: running, and nobody at work.
  await set({ state: 'running' });
  const step = vi.spyOn(app.deps.storage, 'has').mockRejectedValueOnce(Object.assign(new Error(), { code: '57P01' }));
  await expect(runImport(app.deps, key)).rejects.toThrow();
  step.mockRestore();
  await Promise.all([runImport(app.deps, key), runImport(app.deps, key)]);
  const report = await ended(here);
  expect([report.state, report.error]).toEqual(['done', undefined]);
  for (const { kind, found, imported, present, left } of report.counts) {
    expect([kind, imported + present, left]).toEqual([kind, found, 0]);
  }
  expect(await view(here)).toEqual(await view(there));
});

it('can be stopped, and its archive thrown away', async () => {
  await fill(there);
  const archive = await archiveOf(there);
  const { body } = await upload(here, archive);
  const path = `/api/imports/${body.import.id}`;
  const gate = Promise.withResolvers<void>();
  const get = app.deps.storage.get;
  vi.spyOn(app.deps.storage, 'get').mockImplementation(async (key) => {
    await gate.promise;
    return get(key);
  });
  const starts = await Promise.all([1, 2].map(() => app.request('POST', `${path}/start`, { as: here })));
  expect(starts.map(({ status, body: { import: one } }) => [status, one.state])).toEqual([
    [202, 'running'],
    [202, 'running'],
  ]);
  expect((await app.request('DELETE', path, { as: here })).body.error.code).toBe('conflict');
  expect((await upload(here, archive)).status).toBe(409);
  expect((await call(here, 'POST', `${path}/stop`)).import.state).toBe('stopped');
  gate.resolve();
  await call(here, 'DELETE', path);
  expect((await app.request('POST', `${path}/start`, { as: here })).status).toBe(404);
});
