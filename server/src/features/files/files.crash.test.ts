import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newIncoming } from '../../platform/storage/storage.ts';
import { openTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { attachmentsOf, FILES, filesOf } from '../../testing/files.ts';
import { flakyDatabase } from '../../testing/flaky-database.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { jobsEnd } from '../../testing/jobs-end.ts';
import { closing } from '../../testing/lifetimes.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { readWaiting, resumeFiles, sweep } from './file-jobs.service.ts';
import { addFile, PURGE_FILE_QUEUE } from './files.service.ts';
import { agentFiles, filePassages } from './files.table.ts';
import { UNSTORE_QUEUE } from './uploads.service.ts';

let ada: TestUser;
const flaky = flakyDatabase(await closing(openTestDatabase()));
const app = await emptyApp({ database: flaky.database });
beforeEach(async () => {
  await rm(join(app.deps.config.DATA_DIR, 'files'), { recursive: true, force: true });
  ada = await app.signUpPro('Ada');
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Reader', prompt: 'You read.' } });
});

const files = filesOf(
  () => app,
  () => ada,
);
const { upload, list, passagesOf, onDisk } = files;
/** Uploads and waits until it is read, and no reader looks for another file any more. */
async function add(name: string, data: Buffer | string) {
  const file = await files.add(name, data);
  await jobsEnd(app);
  return file;
}
const inDatabase = (change: string) => app.deps.database.executeSql(`update agent_files set ${change}`);
const row = async () => (await app.deps.db.select().from(agentFiles))[0];
const rowsOfUploads = async () => [
  ...(await app.deps.db.select().from(agentFiles)),
  ...(await app.deps.db.select().from(attachments)),
];
const passages = () => app.deps.db.select().from(filePassages);
/** A line a passage holds at most 40 of: two passages. */
const TEXT = Array.from({ length: 60 }, (_, i) => `Line ${i + 1} of the log.`).join('\n');

/** Leaves the file as a process does that dies while it reads: held, and half of its passages written. */
async function dieWhileReading(id: string) {
  await inDatabase(`state = 'reading', readings = 1, reading_until = now() + interval '40 seconds'`);
  await app.deps.database.executeSql('delete from file_passages where position > 0');
  expect(await passagesOf(id)).toHaveLength(1);
}

it('a file whose reader loses the database waits for no time-out, and no attempt counts', async () => {
  const { get } = app.deps.storage;
  vi.spyOn(app.deps.storage, 'get').mockImplementationOnce(async (key) => {
    const opened = await get(key);
    flaky.away();
    return opened;
  });
  const log = vi.spyOn(app.deps.log, 'error');
  const { body } = await upload('log.txt', TEXT);
  await expect.poll(() => log.mock.calls.map(([event]) => event)).toContain('files.waits');
  flaky.back();
  await expect.poll(async () => (await row())?.state).toBe('ready');
  expect(await row()).toMatchObject({ id: body.file.id, readings: 1, readingUntil: null });
  await jobsEnd(app);
});

describe('a file whose reader died', () => {
  it('is left to a reader that may still live, and taken up once the time is out', async () => {
    const { id } = await add('log.txt', TEXT);
    await dieWhileReading(id);
    await sweep(app.deps);
    await readWaiting(app.deps);
    expect(await list()).toMatchObject([{ state: 'reading' }]);
    await inDatabase(`reading_until = now() - interval '1 second'`);
    await Promise.all([sweep(app.deps), sweep(app.deps), readWaiting(app.deps)]);
    expect(await list()).toMatchObject([{ state: 'ready' }]);
    expect((await passages()).map(({ position }) => position).toSorted()).toEqual([0, 1]);
  });

  it('is read at once when the embedded server starts again', async () => {
    const { id } = await add('log.txt', TEXT);
    await dieWhileReading(id);
    await resumeFiles({ ...app.deps, database: { ...app.deps.database, kind: 'pglite' } });
    await expect.poll(async () => (await list())[0]?.state).toBe('ready');
    expect(await passagesOf(id)).toHaveLength(2);
  });

  it('is read though its job was lost', async () => {
    await add('log.txt', TEXT);
    await inDatabase(
      `state = 'reading', readings = 0, reading_until = null, created_at = now() - interval '3 minutes'`,
    );
    await sweep(app.deps);
    expect(await list()).toMatchObject([{ state: 'ready' }]);
  });

  it('is given up with a sentence when it was the end of three', async () => {
    await add('log.txt', TEXT);
    await inDatabase(`state = 'reading', readings = 3, reading_until = now() - interval '1 second'`);
    await sweep(app.deps);
    expect(await list()).toMatchObject([{ state: 'failed', error: expect.stringContaining('upload it again') }]);
  });

  it('is left alone once it is deleted, and read when it is brought back', async () => {
    const { id } = await add('log.txt', TEXT);
    await inDatabase(`state = 'reading', readings = 1, reading_until = null, deleted_at = now()`);
    await sweep(app.deps);
    await readWaiting(app.deps);
    expect((await row())?.state).toBe('reading');
    await app.request('POST', `${FILES}/${id}/restore`, { as: ada });
    await expect.poll(async () => (await list())[0]?.state).toBe('ready');
  });
});

it('a file that can’t be opened waits for the storage, and is given up after a day', async () => {
  await add('log.txt', TEXT);
  const [stored = ''] = await onDisk();
  await rm(join(app.deps.config.DATA_DIR, 'files', stored));
  await inDatabase(`state = 'reading', readings = 0`);
  await expect(readWaiting(app.deps)).rejects.toThrow();
  expect(await row()).toMatchObject({ state: 'reading', readings: 0, readingUntil: null });
  await inDatabase(`created_at = now() - interval '25 hours'`);
  await sweep(app.deps);
  expect(await list()).toMatchObject([{ state: 'failed', error: expect.stringContaining('upload it again') }]);
});

describe('nothing is half-stored', () => {
  it('when the storage fails under an upload', async () => {
    const root = join(app.deps.config.DATA_DIR, 'files');
    await mkdir(root, { recursive: true });
    await writeFile(join(root, 'userFiles'), 'no folder');
    const answer = await upload('a.txt', 'Marlin is blue.');
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      'The file could not be stored. Please try again.',
    ]);
    expect([await list(), await onDisk()]).toEqual([[], ['userFiles']]);
    // Where not even removing works, a job removes the bytes: a row would take the account's space.
    expect(await row()).toBeUndefined();
    const { rows } = await app.deps.database.executeSql(`select data from pgboss.job where name = $1`, [UNSTORE_QUEUE]);
    expect(rows).toEqual([{ data: { userId: ada.uid, key: expect.stringMatching(/^userFiles\/.+_a\.txt$/u) } }]);
    await rm(join(root, 'userFiles'));
    expect((await add('a.txt', 'Marlin is blue.')).state).toBe('ready');
  });

  it('though its bytes couldn’t be removed in ten tries: a failed job for operators to see, which goes on each hour', async () => {
    const { db, jobs, database } = app.deps;
    const remove = vi.spyOn(app.deps.storage, 'delete').mockRejectedValue(new Error('away'));
    const key = `userFiles/${ada.uid}/lost.txt`;
    await db.transaction((tx) => jobs.send(tx, UNSTORE_QUEUE, { userId: ada.uid, key }));
    const state = async () =>
      (await database.executeSql(`select state from pgboss.job where name = $1`, [UNSTORE_QUEUE])).rows;
    await expect.poll(state).toEqual([{ state: 'retry' }]);
    const failedFor = (hours: number) =>
      database.executeSql(
        `update pgboss.job_common set state = 'failed', retry_count = retry_limit, completed_on = now() - make_interval(hours => $2)
         where name = $1`,
        [UNSTORE_QUEUE, hours],
      );
    await failedFor(0);
    await sweep(app.deps);
    expect(await state()).toEqual([{ state: 'failed' }]);
    for (let hour = 0; hour < 2; hour += 1) {
      const tries = remove.mock.calls.length;
      await failedFor(2);
      await sweep(app.deps);
      await expect.poll(() => remove.mock.calls.length).toBe(tries + 1);
      await expect.poll(state).toEqual([{ state: 'failed' }]);
    }
    remove.mockRestore();
    await failedFor(2);
    await sweep(app.deps);
    await expect.poll(state).toEqual([{ state: 'completed' }]);
  });

  it('when the folder of uploads can’t be written', async () => {
    const root = join(app.deps.config.DATA_DIR, 'files');
    await mkdir(root, { recursive: true });
    await writeFile(join(root, '.incoming'), 'no folder');
    const { status, body } = await upload('a.txt', 'Marlin is blue.');
    expect([status, body.error.message]).toEqual([503, 'The file could not be stored. Please try again.']);
    await rm(join(root, '.incoming'));
  });

  it('when the database goes while a file or an attachment is stored', async () => {
    const body = (await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'reader' } })).body;
    const attach = attachmentsOf(
      () => app,
      () => ada,
      () => body.session.id,
    ).upload;
    const { move } = app.deps.storage;
    for (const send of [upload, attach]) {
      vi.spyOn(app.deps.storage, 'move').mockImplementationOnce(async (...args) => {
        await move(...args);
        flaky.away();
      });
      const { status } = await send('a.txt', 'Marlin is blue.');
      flaky.back();
      expect(status).toBe(503);
      await eventually(async () => expect([await onDisk(), ...(await rowsOfUploads())]).toEqual([[]]));
    }
  });

  it('of an upload that another one with its id was faster than, and nothing of the other is lost', async () => {
    const { id } = await add('a.txt', 'Marlin is blue.');
    const [{ agentId } = { agentId: '' }] = await app.deps.db.select().from(agentFiles);
    const path = await newIncoming(app.deps.config);
    await writeFile(path, 'Marlin is blue.');
    const received = { name: 'a.txt', size: 15, head: Buffer.from('Marlin is blue.'), path };
    await expect(addFile(app.deps, { uid: ada.uid }, { id: agentId }, received, id)).rejects.toThrow();
    await rm(path);
    expect([await list(), await onDisk()]).toMatchObject([[{ id }], [expect.stringContaining('a.txt')]]);
  });

  it('when a process dies before the bytes are there', async () => {
    const incoming = join(app.deps.config.DATA_DIR, 'files', '.incoming', 'left');
    for (const clear of [sweep, resumeFiles]) {
      await add('a.txt', 'x');
      await inDatabase(`state = 'uploading', created_at = now() - interval '61 seconds'`);
      await mkdir(dirname(incoming), { recursive: true });
      await writeFile(incoming, 'half');
      await utimes(incoming, 0, 0);
      await clear({ ...app.deps, database: { ...app.deps.database, kind: 'pglite' } });
      expect([await list(), await onDisk()]).toEqual([[], []]);
    }
  });

  it('though an upload is under way while another process starts on the same database', async () => {
    await add('a.txt', 'x');
    await inDatabase(`state = 'uploading'`);
    await sweep(app.deps);
    await resumeFiles({ ...app.deps, database: { ...app.deps.database, kind: 'postgres' } });
    expect(await row()).toMatchObject({ state: 'uploading' });
    expect(await onDisk()).toHaveLength(1);
  });
});

it('a deleted file is removed by a sweep, however long the storage was away', async () => {
  const [first, second] = [await add('a.txt', 'Marlin is blue.'), await add('b.txt', 'Otter is brown.')];
  await inDatabase(`deleted_at = now() - interval '1 minute' where id = '${first.id}'`);
  await inDatabase(`deleted_at = now() where id = '${second.id}'`);
  // The job that should have removed it has failed for the last time.
  await app.deps.database.executeSql(`delete from pgboss.job where name = '${PURGE_FILE_QUEUE}'`);
  const restore = async () => (await app.request('POST', `${FILES}/${first.id}/restore`, { as: ada })).status;
  const restored: number[] = [];
  vi.spyOn(app.deps.storage, 'delete').mockImplementationOnce(async () => {
    restored.push(await restore());
    throw new Error('The bucket is away.');
  });
  await sweep(app.deps);
  // Its bytes may be gone: neither while it is removed nor when that broke off does it come back.
  expect([...restored, await restore()]).toEqual([404, 404]);
  expect([await onDisk(), await passages()]).toMatchObject([{ length: 2 }, { length: 2 }]);
  await sweep(app.deps);
  // The other one can still be brought back.
  expect([await onDisk(), await passages()]).toMatchObject([
    [expect.stringContaining('b.txt')],
    [{ fileId: second.id }],
  ]);
  expect((await app.deps.db.select().from(agentFiles)).map(({ id }) => id)).toEqual([second.id]);
});

it('the list of files says what is read at present', async () => {
  const { body } = await upload('log.txt', TEXT);
  expect(body.file).toMatchObject({ state: 'reading', name: 'log.txt' });
  expect(body.file.url.startsWith(FILES)).toBe(true);
});
