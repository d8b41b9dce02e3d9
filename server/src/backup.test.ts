import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderAt } from './platform/backup/backup-files.ts';
import { backupsIn } from './platform/backup/backup-folder.ts';
import { readDaily, writeDaily } from './platform/backup/daily.ts';
import { fillDataFolder } from './testing/database.ts';
import { effort, isNightly } from './testing/effort.ts';
import { eventually } from './testing/eventually.ts';
import { temporaryFolder } from './testing/lifetimes.ts';
import { endProcess } from './testing/listen.ts';
import { startOwnBucket } from './testing/own-bucket.ts';
import { startOwnPostgres } from './testing/own-postgres.ts';
import { knows, runProgram, type ServerProcess, signUpAt, startProcess } from './testing/server-process.ts';

const { folder, fresh } = temporaryFolder('backup');
const data = fresh('data');
let server: ServerProcess;
let ada: Awaited<ReturnType<typeof signUpAt>>;

beforeAll(async () => {
  mkdirSync(data);
  fillDataFolder(data);
  if (isNightly) await writeDaily(folderAt(join(data, 'backups')), { since: new Date(0) });
  server = await startProcess({ DATA_DIR: data, OFFLINE_PAUSE_MS: '0' });
  ada = await signUpAt(server);
});
afterAll(() => endProcess(server.child, 'SIGTERM'));

test.runIf(isNightly)('a server makes the backup that is due by itself, says where, and has it proven', async () => {
  const backups = join(data, 'backups');
  expect(server.said()).toContain(`each day at 03:30 in ${backups}, the last 14, not encrypted`);
  await eventually(async () => expect((await readDaily(folderAt(backups)))?.madeAt).toBeDefined());
  expect(await backupsIn(folderAt(backups))).toHaveLength(1);
  expect(existsSync(join(backups, 'proving'))).toBe(false);
});

test('the commands back up a running server and restore it elsewhere, where it serves', async () => {
  const file = fresh('backup');
  const made = await runProgram('backup', [file, '--plain', ...effort([], ['--rehearse'])], { DATA_DIR: data });
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining('has everything') });
  const refused = await runProgram('restore', [file], { DATA_DIR: data });
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is in use by process') });
  const without = await runProgram('backup', [fresh('backup')], { DATA_DIR: data });
  expect(without).toMatchObject({
    code: 1,
    err: expect.stringContaining('encrypted with a passphrase: set BACKUP_PASSPHRASE'),
  });
  // By day into the database that takes less time.
  const postgres = isNightly ? undefined : await startOwnPostgres();
  const elsewhere = postgres && { DATABASE_URL: postgres.url, AUTH_SECRET: 's'.repeat(32) };
  const place = { DATA_DIR: fresh('place'), ...elsewhere };
  const restored = await runProgram('restore', [file], place);
  expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Restored as it was at') });
  await knows(ada.email, place);
  await postgres?.stop();
});

test('one of the day by hand ends what failed before, in the figures of the server too', async () => {
  const figures = async () => (await fetch(`${server.url}/metrics`)).text();
  const failed = { at: new Date(), because: 'The disk was away.' };
  await writeDaily(folderAt(join(data, 'backups')), { since: new Date(), failed });
  expect(await figures()).toContain('\nbackup_failed 1\n');
  const begun = Date.now() / 1000;
  // Also at a terminal, nobody is asked for a passphrase.
  const NODE_OPTIONS = '--import=data:text/javascript,process.stdin.isTTY=process.stderr.isTTY=true';
  const made = await runProgram('backup', ['--daily'], { DATA_DIR: data, NODE_OPTIONS });
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('It is not encrypted') });
  const after = await figures();
  expect(after).toContain('\nbackup_failed 0\n');
  const [, madeAt] = /\nbackup_last_made_timestamp_seconds (?<seconds>[\d.]+)\n/u.exec(after) ?? [];
  expect(Number(madeAt)).toBeGreaterThanOrEqual(begun);
});

test.runIf(isNightly)(
  'the daily backup goes into a bucket, is proven and restored from there, and leaves nothing here',
  { timeout: 1_800_000 },
  async () => {
    const bucket = await startOwnBucket(folder, 'kept');
    const { S3_BUCKET: _, ...keys } = bucket.env;
    const there = { ...keys, BACKUP_DIR: 's3://kept/atelier' };
    const daily = { ...there, BACKUP_PASSPHRASE: 'four words for the test' };
    for (let day = 0; day < 2; day += 1) {
      const made = await runProgram('backup', ['--daily'], { ...daily, DATA_DIR: data });
      expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining('s3://kept/atelier/2') });
    }
    expect(existsSync(join(data, 'backups', 'scratch', 'proving'))).toBe(false);
    expect(await runProgram('backup', ['--verify', 's3://kept/atelier'], daily)).toMatchObject({ code: 0, err: '' });
    const place = { ...keys, BACKUP_PASSPHRASE: daily.BACKUP_PASSPHRASE, DATA_DIR: fresh('place') };
    expect(await runProgram('restore', ['s3://kept/atelier'], place)).toMatchObject({ code: 0, err: '' });
    await knows(ada.email, place);
    await bucket.close();
    const failed = await runProgram('backup', ['--daily'], { ...daily, DATA_DIR: data });
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') });
  },
);
