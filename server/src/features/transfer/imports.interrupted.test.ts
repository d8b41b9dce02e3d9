import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JOB_CHANNEL } from '../../platform/jobs/job-statements.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { jobsEnd, passUndo } from '../../testing/jobs-end.ts';
import { countsOf, moving } from '../../testing/moving.ts';
import { UNSTORE_QUEUE } from '../files/uploads.service.ts';
import { DISCARD_QUEUE, isImport } from './imports.service.ts';
import { accountImports } from './imports.table.ts';
import { runImport } from './run-import.service.ts';

let there: TestUser;
let here: TestUser;
const app = await emptyApp({ env: { FACTS: 'rules' } });
beforeEach(async () => {
  [there, here] = [await app.signUpPro('Ada there'), await app.signUpPro('Ada here')];
});
afterEach(() => vi.restoreAllMocks());
const { call, fill, archiveOf, upload, ended, importInto, view } = moving(() => app);

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

describe('the bytes of an archive', () => {
  const deleteAccount = () => app.request('DELETE', '/api/me', { as: here, body: { password: PASSWORD } });
  let archive: Uint8Array;
  beforeEach(async () => {
    archive = await archiveOf(there);
  });
  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of app.deps.storage.list(`userFiles/${here.uid}`)) keys.push(key);
    return keys;
  };
  const gone = () => eventually(async () => expect(await stored()).toEqual([]));
  /** What happens while the bytes of the next upload are stored. */
  const whileStored = (happens: (move: () => Promise<void>) => Promise<void>) => {
    const { move } = app.deps.storage;
    vi.spyOn(app.deps.storage, 'move').mockImplementationOnce((...file) => happens(() => move(...file)));
  };

  it('go with the account, while they wait too', async () => {
    const { body } = await upload(here, archive);
    expect(await stored()).toEqual([`userFiles/${here.uid}/imports/${body.import.id}.zip`]);
    await deleteAccount();
    await gone();
  });

  it('go when the account is deleted while they are stored', async () => {
    whileStored(async (move) => {
      await deleteAccount();
      await jobsEnd(app);
      await move();
    });
    expect((await upload(here, archive)).status).toBe(401);
    expect(await stored()).toEqual([]);
  });

  it('go after a day: of an import that nobody began, and when the server ended before there was one', async () => {
    const waiting: unknown[] = [];
    whileStored(async (move) => {
      const jobs = `select data from pgboss.job where name = $1 and data ->> 'userId' = $2`;
      waiting.push(...(await app.deps.database.executeSql(jobs, [DISCARD_QUEUE, here.uid])).rows);
      await move();
    });
    const { body } = await upload(here, archive);
    expect(waiting, 'known before they are stored').toEqual([{ data: { userId: here.uid, importId: body.import.id } }]);
    // As if it had ended there.
    await app.deps.db.delete(accountImports);
    await upload(here, archive);
    expect(await stored()).toHaveLength(2);
    await passUndo(app);
    await gone();
    expect(await app.deps.db.select().from(accountImports)).toEqual([]);
  });

  it('go though the storage is away when their import is replaced, is done, or is discarded', async () => {
    const away = vi.spyOn(app.deps.storage, 'delete').mockRejectedValue(new Error('The bucket is away.'));
    await upload(here, archive);
    expect((await importInto(here, archive)).state).toBe('done');
    const { body } = await upload(here, archive);
    expect((await app.request('DELETE', `/api/imports/${body.import.id}`, { as: here })).status).toBe(204);
    const tries = `select from pgboss.job where name = $1 and state = 'retry'`;
    const { database } = app.deps;
    await eventually(async () => expect((await database.executeSql(tries, [UNSTORE_QUEUE])).rows).toHaveLength(4));
    expect(await stored()).toHaveLength(3);
    away.mockRestore();
    await database.executeSql(`update pgboss.job set start_after = now() where name = $1`, [UNSTORE_QUEUE]);
    await database.executeSql('select pg_notify($1, $2)', [JOB_CHANNEL, UNSTORE_QUEUE]);
    await gone();
  });
});
