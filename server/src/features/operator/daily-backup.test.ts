import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { backupsOf, isDue, isLate, readDaily, writeDaily } from '../../platform/backup/daily.ts';
import { createLog } from '../../platform/log.ts';
import { effort } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { startFakeSmtp } from '../../testing/fake-smtp.ts';
import { type TestApp, testApp } from '../../testing/harness.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { startOwnBucket } from '../../testing/own-bucket.ts';
import { tryParts } from './parts.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
const lines: { event: string; because?: string }[] = [];

const { folder } = temporaryFolder('daily');
const bucket = await closing(startOwnBucket(folder));
const smtp = await closing(startFakeSmtp());
afterEach(() => {
  vi.unstubAllEnvs();
  lines.length = 0;
  smtp.reset();
});

const files = () => backupsOf(app.deps.config);
const backups = async () => (await tryParts(app.deps, { asks: false })).find(({ name }) => name === 'backups');

test.each(effort(['bucket'], ['bucket', 'folder']))(
  'one that fails is said in the log, by mail, among the parts and in the figures, in a %s',
  async (kind) => {
    const BACKUP_DIR = kind === 'bucket' ? 's3://atelier/kept' : folder;
    const place = { BACKUP_DIR, DATA_DIR: join(folder, 'nothing'), ...bucket.env };
    const { S3_BUCKET: _, ...own } = place;
    app = await testApp({
      log: createLog((line) => void lines.push(JSON.parse(line))),
      env: { ...own, BACKUP_TIME: '03:30', SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' },
    });
    expect(await backups()).toMatchObject({ of: BACKUP_DIR, state: 'ok' });
    // The child reads its own settings.
    for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value);
    await writeDaily(files(), { since: new Date(Date.now() - 2 * DAY_MS) });
    await app.deps.db.transaction((tx) => app.deps.jobs.send(tx, 'backups.daily', {}));
    await eventually(async () => expect((await readDaily(files()))?.failed).toBeDefined());
    const because = expect.stringContaining(`There is no database in ${join(folder, 'nothing')}`);
    expect(lines.filter(({ event }) => event === 'backup.failed')).toEqual([expect.objectContaining({ because })]);
    const mails = smtp.mails.map(({ header }) => [header('to'), header('subject')]);
    expect(mails).toEqual([['desk@example.com', expect.stringContaining('the daily backup failed')]]);
    expect(await backups()).toMatchObject({ state: 'broken', about: because });
    expect((await app.request('GET', '/metrics')).body).toContain('\nbackup_failed 1\n');
    await writeDaily(files(), { since: new Date(0), madeAt: new Date() });
    expect(await backups()).toMatchObject({ state: 'ok', about: expect.stringContaining('the last was made at') });
    expect((await app.request('GET', '/metrics')).body).toContain('\nbackup_failed 0\n');
    await app.close();
  },
);

/** A server whose backups go into a folder of this machine, and how it looks once more. */
async function serverWith(BACKUP_DIR: string) {
  const own = { BACKUP_DIR, DATA_DIR: join(folder, 'nothing') };
  app = await testApp({
    log: createLog((line) => void lines.push(JSON.parse(line))),
    env: { ...own, BACKUP_TIME: '03:30', SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' },
  });
  for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value);
  const looks = vi.spyOn(files(), 'has');
  const send = () => app.deps.db.transaction((tx) => app.deps.jobs.send(tx, 'backups.daily', {}));
  // A job that comes while one is made does nothing.
  return async () => {
    const before = looks.mock.calls.length;
    await eventually(async () => {
      await send();
      expect(looks.mock.calls.length).toBeGreaterThan(before);
    });
  };
}

test('a folder that can’t be written is broken from the first look, and mailed once', async () => {
  writeFileSync(join(folder, 'file'), '');
  const look = await serverWith(join(folder, 'file', 'backups'));
  expect(await backups()).toMatchObject({ state: 'broken', about: expect.stringContaining('ENOTDIR') });
  expect((await app.request('GET', '/metrics')).body).toContain('\nbackup_failed 1\n');
  for (let looks = 0; looks < 3; looks += 1) await look();
  await eventually(() => expect(smtp.mails.map(({ text }) => text)).toEqual([expect.stringContaining('ENOTDIR')]));
  await app.close();
});

test('a failure that can’t be noted is mailed once, and tried again after an hour all the same', async () => {
  const full = join(folder, 'full');
  const look = await serverWith(full);
  await writeDaily(files(), { since: new Date(Date.now() - 2 * DAY_MS) });
  mkdirSync(join(full, 'daily.json.new'));
  const tries = () => lines.filter(({ event, because }) => event === 'backup.failed' && because !== undefined);
  await look();
  await eventually(() => expect([tries().length, smtp.mails.length]).toEqual([1, 1]));
  for (let looks = 0; looks < 3; looks += 1) await look();
  expect([tries().length, smtp.mails.length]).toEqual([1, 1]);
  expect((await readDaily(files()))?.failed).toBeUndefined();
  await app.close();
});

test('one is due at its time, once a day, and again an hour after it failed; two hours later it is missing', () => {
  const at = (text: string) => new Date(text);
  const made = { since: at('2026-03-01T12:00'), madeAt: at('2026-03-02T03:31') };
  const due = (daily: Parameters<typeof isDue>[0], text: string) => isDue(daily, '03:30', at(text).getTime());
  const late = (daily: Parameters<typeof isDue>[0], text: string) => isLate(daily, '03:30', at(text).getTime());
  expect(['2026-03-02T23:00', '2026-03-03T03:29', '2026-03-03T03:30'].map((text) => due(made, text))).toEqual([
    false,
    false,
    true,
  ]);
  const fresh = { since: at('2026-03-01T12:00') };
  expect([due(fresh, '2026-03-01T13:00'), due(fresh, '2026-03-02T03:30')]).toEqual([false, true]);
  const failed = { ...made, failed: { at: at('2026-03-03T03:40'), because: 'x' } };
  expect([due(failed, '2026-03-03T04:00'), due(failed, '2026-03-03T04:40')]).toEqual([false, true]);
  expect([late(made, '2026-03-03T05:29'), late(made, '2026-03-03T05:31')]).toEqual([false, true]);
});
