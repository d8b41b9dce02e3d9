import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupsIn } from './platform/backup/backup-folder.ts';
import { readDaily, writeDaily } from './platform/backup/daily.ts';
import { bundleServer } from './testing/bundle.ts';
import { fillDataFolder } from './testing/database.ts';
import { effort, isNightly } from './testing/effort.ts';
import { eventually } from './testing/eventually.ts';
import { PASSWORD } from './testing/harness.ts';
import { startOwnPostgres } from './testing/own-postgres.ts';
import { type ServerProcess, signUpAt, startProcess } from './testing/server-process.ts';

/** Some sixty runs of the commands. */
const HANGS_MS = 1_800_000;

let folder: string;
let data: string;
let server: ServerProcess;
let ada: Awaited<ReturnType<typeof signUpAt>>;
let names = 0;
const fresh = (name: string) => join(folder, `${name}-${(names += 1)}`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-backup-'));
  data = join(folder, 'data');
  mkdirSync(data);
  fillDataFolder(data);
  if (isNightly) writeDaily(join(data, 'backups'), { since: new Date(0) });
  server = await startProcess({ DATA_DIR: data, OFFLINE_PAUSE_MS: '0' });
  ada = await signUpAt(server);
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program of the bundle, which is killed after so long if it runs longer. */
async function run(program: string, args: string[], settings: Record<string, string>, killedAfterMs?: number) {
  const file = join(dirname(bundleServer()), `${program}.js`);
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const killing = killedAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  clearTimeout(killing);
  return { code, out, err };
}

/** Whether Ada can sign in at a server that starts with these settings. */
async function knowsAda(settings: Record<string, string>): Promise<void> {
  const restored = await startProcess(settings);
  const answer = await fetch(`${restored.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: restored.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada.email, password: PASSWORD }),
  });
  restored.child.kill('SIGTERM');
  await restored.exited;
  expect(answer.status).toBe(200);
}

test.runIf(isNightly)('a server makes the backup that is due by itself, says where, and has it proven', async () => {
  const backups = join(data, 'backups');
  expect(server.said()).toContain(`each day at 03:30 in ${backups}, the last 14, not encrypted`);
  await eventually(() => expect(readDaily(backups)?.madeAt).toBeDefined());
  expect(backupsIn(backups)).toHaveLength(1);
  expect(existsSync(join(backups, 'proving'))).toBe(false);
});

test('the commands back up a running server and restore it elsewhere, where it serves', async () => {
  const file = fresh('backup');
  const made = await run('backup', [file, '--plain', ...effort([], ['--rehearse'])], { DATA_DIR: data });
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining('has everything') });
  const refused = await run('restore', [file], { DATA_DIR: data });
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is in use by process') });
  const without = await run('backup', [fresh('backup')], { DATA_DIR: data });
  expect(without).toMatchObject({
    code: 1,
    err: expect.stringContaining('encrypted with a passphrase: set BACKUP_PASSPHRASE'),
  });
  const place = { DATA_DIR: fresh('place') };
  const restored = await run('restore', [file], place);
  expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Restored as it was at') });
  await knowsAda(place);
});

test.runIf(isNightly)(
  'killed at any moment, backups and restores leave their source whole and can be run again',
  async () => {
    const postgres = await startOwnPostgres();
    const kills = 20;
    const from = performance.now();
    const whole = fresh('backup');
    expect(await run('backup', [whole, '--plain'], { DATA_DIR: data })).toMatchObject({ code: 0 });
    const takes = performance.now() - from;
    for (let at = 0; at < kills; at += 1) {
      const file = fresh('killed');
      await run('backup', [file, '--plain'], { DATA_DIR: data }, (takes * (at + 1)) / kills);
      if (existsSync(file)) expect(await run('backup', ['--verify', file], {})).toMatchObject({ code: 0 });
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await run('backup', [fresh('backup'), '--plain'], { DATA_DIR: data })).toMatchObject({ code: 0 });
    await postgres.ask('create database restored');
    const there = { DATABASE_URL: postgres.url.replace(/\/postgres$/u, '/restored'), AUTH_SECRET: 's'.repeat(32) };
    for (const place of [{ DATA_DIR: fresh('place') }, { ...there, DATA_DIR: fresh('place') }]) {
      let done: Awaited<ReturnType<typeof run>> | undefined;
      for (let at = 0; at < kills; at += 1) {
        done = await run('restore', [whole], place, (takes * (at + 1)) / kills);
        if (done.code === 0) break;
        expect(done.err).toBe('');
        const left = `select from pg_stat_activity where datname = 'restored'`;
        await eventually(async () => expect(await postgres.ask(left)).toEqual([]));
      }
      if (done?.code !== 0) expect(await run('restore', [whole], place)).toMatchObject({ code: 0 });
      await knowsAda(place);
    }
    await postgres.stop();
  },
  HANGS_MS,
);
