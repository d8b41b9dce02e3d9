import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backupsOf } from '../../platform/backup/daily.ts';
import { takeDeletions } from '../../platform/backup/deletions.ts';
import { embeddedPlace } from '../../platform/backup/places.ts';
import { portablePglite } from '../../platform/backup/portable.ts';
import { restoreBackup } from '../../platform/backup/restore-backup.ts';
import { writeBackup } from '../../platform/backup/write-backup.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { silentLog } from '../../platform/log.ts';
import { openEmbeddedTestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { fullAccount } from '../../testing/every-route.ts';
import { sendFile } from '../../testing/files.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/harness.ts';
import { jobsEnd, passUndo } from '../../testing/jobs-end.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { startOwnBucket } from '../../testing/own-bucket.ts';
import { tryParts } from '../operator/parts.ts';
import { applyDeletions } from './apply-deletions.service.ts';

const { folder } = temporaryFolder('deletions');
mkdirSync(join(folder, 'backups'));
const { database, pglite } = await openEmbeddedTestDatabase();
afterAll(() => database.close());
const app = await closing(testApp({ env: { BACKUP_DIR: join(folder, 'backups'), FACTS: 'rules' }, database }));
const { owner: ada, fan: bob } = await fullAccount(app);

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await app.request(method, path, { as: bob, body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** An exchange of Bob's; returns its task. */
async function say(agentId: string, inputText: string, session?: string) {
  const sessionId = session ?? (await app.startSession(bob, agentId));
  const { task } = await ask('POST', `/api/sessions/${sessionId}/tasks`, { agentId, inputText });
  await eventually(async () => {
    const { tasks } = await ask('GET', `/api/sessions/${sessionId}/tasks`);
    expect(tasks.find(({ id }: { id: string }) => id === task.id).status).toBe('done');
  });
  return { sessionId, taskId: task.id as string };
}

/** Every row of every table of the product and the jobs, as a text. */
async function rowsOf({ deps }: TestApp): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await deps.database.executeSql(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss') order by 1`,
  );
  const found: { table: string; row: string }[] = [];
  for (const { name } of tables) {
    const { rows } = await deps.database.executeSql(`select t::text as row from ${String(name)} t`);
    found.push(...rows.map(({ row }) => ({ table: String(name), row: String(row) })));
  }
  return found;
}

const tablesIn = (rows: Awaited<ReturnType<typeof rowsOf>>, word: string) => [
  ...new Set(rows.filter(({ row }) => row.includes(word)).map(({ table }) => table)),
];

/** How many receipts have the memory that is forgotten. */
async function receipts({ deps }: TestApp): Promise<number> {
  const { rows } = await deps.database.executeSql(
    `select count(*)::int as count from tasks where memory_used::text like '%daughter is called Mirabel%'`,
  );
  return Number(rows[0]?.count);
}

/** Each four consecutive words. */
function quadsOf(rows: readonly { row: string }[]): Set<string> {
  const quads = new Set<string>();
  for (const { row } of rows) {
    const words =
      row
        .toLowerCase()
        .replace(/[0-9a-f-]{12,}/gu, ' ')
        .match(/\p{L}+/gu) ?? [];
    for (let at = 0; at + 4 <= words.length; at += 1) quads.add(words.slice(at, at + 4).join(' '));
  }
  return quads;
}

/** Restores a backup elsewhere and starts there, with what is noted beside the backup. */
async function restored(file: string): Promise<{ there: TestApp; close: () => Promise<void> }> {
  const place = join(folder, 'place');
  await restoreBackup(file, embeddedPlace(place), async () => {});
  const log = silentLog;
  const { database: other } = await openDatabase({ config: { ...app.deps.config, DATA_DIR: place }, log });
  const there = await testApp({ env: { DATA_DIR: place, FACTS: 'rules' }, database: other });
  expect(await takeDeletions(backupsOf(app.deps.config), there.deps.config)).toBeGreaterThan(0);
  const close = async () => {
    await there.close();
    await other.close();
  };
  return { there, close };
}

test('what was deleted after a backup was made is deleted again where it is restored', async () => {
  await ask('POST', '/api/agents', { name: 'Nora', prompt: 'p' });
  await ask('POST', '/api/agents', { name: 'Gone', prompt: 'A marmalade prompt.' });
  const kept = await say('nora', 'My daughter is called Mirabel Thornquist.');
  await ask('PUT', '/api/facts/settings', { distil: true });
  const single = await say('nora', 'Where does a pangolin sleep?', kept.sessionId);
  const session = await say('nora', 'The zeppelin leaves at noon.');
  await say('nora', 'What is my daughter called?');
  expect(await receipts(app)).toBeGreaterThan(0);
  const share = await ask('POST', `/api/sessions/${kept.sessionId}/shares`, {});
  const key = await ask('POST', '/api/keys', { name: 'A narwhal' });
  const { prompt } = await ask('POST', '/api/prompts', { name: 'Q', text: 'A quince in a prompt.' });
  expect((await sendFile(app, bob, '/api/agents/nora/files', ['quokka.txt', 'A quokka in a file.'])).status).toBe(201);
  await jobsEnd(app);
  const { memories } = await ask('GET', '/api/memories?q=Mirabel');
  const told = memories.find(({ kind }: { kind: string }) => kind === 'person');
  const { files } = await ask('GET', '/api/agents/nora/files');
  const before = quadsOf((await rowsOf(app)).filter(({ row }) => row.includes(ada.uid)));

  const file = join(folder, 'backups', 'yesterday.atelier');
  const source = { database: portablePglite(pglite), storage: app.deps.storage, secrets: [], sealed: {} };
  await writeBackup(source, file);

  expect((await app.request('DELETE', '/api/me', { as: ada, body: { password: PASSWORD } })).status).toBe(200);
  await ask('DELETE', `/api/memories/${told.id}`);
  await ask('DELETE', `/api/sessions/${kept.sessionId}/tasks/${single.taskId}`);
  await ask('DELETE', `/api/sessions/${session.sessionId}`);
  await ask('DELETE', '/api/agents/gone');
  await ask('DELETE', `/api/agents/nora/files/${files[0].id}`);
  await ask('DELETE', `/api/shares/${share.share.id}`);
  await ask('DELETE', `/api/keys/${key.key.id}`);
  await ask('DELETE', `/api/prompts/${prompt.id}`);
  await passUndo(app);
  await jobsEnd(app);

  const { there, close } = await restored(file);
  const brought = await rowsOf(there);
  for (const word of [ada.uid, 'daughter is called Mirabel'])
    expect(tablesIn(brought, word)).toContain('public.memories');
  await applyDeletions(there.deps);
  // At once, nobody gets any of it.
  const { sessions } = (await there.request('GET', '/api/sessions', { as: bob })).body;
  expect(sessions.map(({ id }: { id: string }) => id)).not.toContain(session.sessionId);
  await passUndo(there);
  await jobsEnd(there);
  const [leftHere, leftThere] = [await rowsOf(app), await rowsOf(there)];
  const left = quadsOf(leftHere);
  expect([...quadsOf(leftThere)].filter((quad) => before.has(quad) && !left.has(quad))).toEqual([]);
  expect(tablesIn(leftThere, ada.uid)).toEqual([]);
  for (const word of ['marmalade', 'pangolin', 'zeppelin', 'quokka', 'narwhal', 'quince', share.share.token]) {
    expect([tablesIn(leftHere, word), tablesIn(leftThere, word)], word).toEqual([[], []]);
  }
  // Its exchange stays, as where it was forgotten.
  const exchanges = tablesIn(leftThere, 'daughter is called Mirabel');
  expect(exchanges).toEqual(tablesIn(leftHere, 'daughter is called Mirabel'));
  expect(exchanges).toContain('public.tasks');
  expect(exchanges.filter((table) => /fact|memories|vector/u.test(table))).toEqual([]);
  const forgotten = await there.deps.database.executeSql('select text from memories where id = $1', [told.id]);
  expect(forgotten.rows).toEqual([{ text: '' }]);
  expect([await receipts(app), await receipts(there)]).toEqual([0, 0]);
  await applyDeletions(there.deps);
  await close();
});

test('a bucket that isn’t there is named with its setting, by the start and among the parts', async () => {
  const bucket = await startOwnBucket(folder);
  const place = 's3://nowhere/daily';
  const { S3_BUCKET: _, ...keys } = bucket.env;
  const elsewhere = await testApp({ env: { ...keys, BACKUP_DIR: place, BACKUP_TIME: '03:30' } });
  const why = 'The specified bucket does not exist. Check BACKUP_DIR, S3_ENDPOINT, S3_REGION and the key.';
  await expect(applyDeletions(elsewhere.deps)).rejects.toThrow(
    `${place}, which also says what people have deleted, can’t be read: ${why}`,
  );
  const part = (await tryParts(elsewhere.deps, { asks: false })).find(({ name }) => name === 'backups');
  expect(part).toMatchObject({
    state: 'broken',
    about: expect.stringContaining('The specified bucket does not exist'),
  });
  await elsewhere.close();
  await bucket.close();
});
