import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupsIn } from './platform/backup/backup-folder.ts';
import { readDaily, writeDaily } from './platform/backup/daily.ts';
import { connectPostgres } from './platform/backup/postgres-source.ts';
import { openDurablePglite } from './platform/database/durable-node-fs.ts';
import { bundleServer } from './testing/bundle.ts';
import { fillDataFolder } from './testing/database.ts';
import { effort, isNightly } from './testing/effort.ts';
import { eventually } from './testing/eventually.ts';
import { PASSWORD } from './testing/harness.ts';
import { type OwnPostgres, startOwnPostgres } from './testing/own-postgres.ts';
import { type ServerProcess, signUpAt, startProcess } from './testing/server-process.ts';

/** Some hundred runs of the commands. */
const HANGS_MS = 7_200_000;

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

/** Expects that Ada can sign in at a server that starts with these settings; returns what it has printed. */
async function knowsAda(settings: Record<string, string>): Promise<string> {
  const restored = await startProcess(settings);
  const answer = await fetch(`${restored.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: restored.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: ada.email, password: PASSWORD }),
  });
  restored.child.kill('SIGTERM');
  await restored.exited;
  expect(answer.status).toBe(200);
  return restored.said();
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

/** How often each command is killed, at moments that are spread over the time it takes. */
const KILLS = 20;

interface Scene {
  /** A copy of the installation that serves with Ada in it, some migrations ago or not. */
  copy(isOlder: boolean): Promise<Record<string, string>>;
  /** Another place, empty. */
  empty(): Promise<string>;
  ask(place: Record<string, string>, text: string): Promise<Record<string, unknown>[]>;
}

/** What the last migration made. */
const OLDER = `drop index agents_newest; delete from drizzle.__drizzle_migrations where created_at =
  (select max(created_at) from drizzle.__drizzle_migrations)`;

async function embeddedScene(template: string): Promise<Scene> {
  const ask: Scene['ask'] = async ({ DATA_DIR = '' }, text) => {
    const pglite = await openDurablePglite(join(DATA_DIR, 'db'));
    const results = await pglite.exec(text);
    await pglite.close();
    return results.flatMap(({ rows }) => rows as Record<string, unknown>[]);
  };
  const older = fresh('older');
  cpSync(template, older, { recursive: true });
  await ask({ DATA_DIR: older }, OLDER);
  return {
    ask,
    copy: async (isOlder) => {
      const DATA_DIR = fresh('place');
      cpSync(isOlder ? older : template, DATA_DIR, { recursive: true });
      return { DATA_DIR };
    },
    empty: async () => 'embedded',
  };
}

async function postgresScene(postgres: OwnPostgres, template: string): Promise<Scene> {
  const at = (name: string) => postgres.url.replace(/\/postgres$/u, `/${name}`);
  const ask: Scene['ask'] = async ({ DATABASE_URL = '' }, text) => {
    const client = await connectPostgres(DATABASE_URL);
    const results = [await client.query(text)].flat();
    await client.end();
    return results.flatMap(({ rows }) => rows);
  };
  const base = { AUTH_SECRET: 's'.repeat(32), DATA_DIR: fresh('place') };
  await postgres.ask('create database whole');
  expect(await run('restore', [template], { ...base, DATABASE_URL: at('whole') })).toMatchObject({ code: 0 });
  await postgres.ask('create database older template whole');
  await ask({ DATABASE_URL: at('older') }, OLDER);
  let made = 0;
  const create = async (from: string) => {
    const name = `made${(made += 1)}`;
    await postgres.ask(`create database ${name} template ${from}`);
    return at(name);
  };
  return {
    ask,
    copy: async (isOlder) => ({
      ...base,
      DATA_DIR: fresh('place'),
      DATABASE_URL: await create(isOlder ? 'older' : 'whole'),
    }),
    empty: () => create('template0'),
  };
}

const LAST = 'select max(created_at)::text as last from drizzle.__drizzle_migrations';
const STRANGERS = `select email from "user" where email like '%@atelier.invalid'`;

/** Runs a command until it has done its work, after it was killed; PostgreSQL notices a little later that it is gone. */
async function again(program: string, args: string[], place: Record<string, string>) {
  let done = await run(program, args, place);
  await eventually(async () => {
    if (done.err.includes('Stop every server') || done.err.includes('is at work'))
      done = await run(program, args, place);
    expect(done.err).not.toContain('Stop every server');
  });
  return done;
}

test.runIf(isNightly).each(['embedded', 'postgres'] as const)(
  'killed at any moment, upgrades, ways back and moves lose nothing and end well the next time, %s',
  async (kind) => {
    const postgres = await startOwnPostgres();
    const file = fresh('backup');
    expect(await run('backup', [file, '--plain'], { DATA_DIR: data })).toMatchObject({ code: 0 });
    const template = fresh('template');
    expect(await run('restore', [file], { DATA_DIR: template })).toMatchObject({ code: 0 });
    await knowsAda({ DATA_DIR: template });
    const scene = kind === 'embedded' ? await embeddedScene(template) : await postgresScene(postgres, file);
    const other = kind === 'embedded' ? await postgresScene(postgres, file) : await embeddedScene(template);
    const takes = async (work: () => Promise<unknown>) => {
      const from = performance.now();
      await work();
      return performance.now() - from;
    };
    const moments = (all: number) => Array.from({ length: KILLS }, (_, at) => (all * (at + 1)) / KILLS);

    // Upgrades.
    const first = await scene.copy(true);
    const [older] = await scene.ask(first, LAST);
    const upgrading = await takes(async () => expect(await knowsAda(first)).toContain('upgrade.tried'));
    for (const moment of moments(upgrading)) {
      const place = await scene.copy(true);
      await run('main', [], { ...place, PORT: '0' }, moment);
      await eventually(() => knowsAda(place));
      expect(await scene.ask(place, STRANGERS)).toEqual([]);
      expect(readdirSync(join(place.DATA_DIR ?? '', 'backups'))).toEqual([
        expect.stringMatching(/^before-0046.*atelier$/u),
      ]);
    }
    // Ways back.
    const upgraded = await scene.copy(true);
    await knowsAda(upgraded);
    expect(await run('go-back', ['--yes'], upgraded)).toMatchObject({ code: 0, err: '' });
    const back = takes(() => run('go-back', ['--undo', '--yes'], upgraded));
    for (const moment of moments(await back)) {
      const place = await scene.copy(true);
      await knowsAda(place);
      await run('go-back', ['--yes'], place, moment);
      const done = await again('go-back', ['--yes'], place);
      if (done.code !== 0) expect(done.err).toContain('There was no upgrade to take back');
      expect(await scene.ask(place, LAST)).toEqual([older]);
      expect(await run('main', [], { ...place, PORT: '0' })).toMatchObject({
        code: 1,
        err: expect.stringContaining('was taken back'),
      });
      await run('go-back', ['--undo', '--yes'], place, moment);
      const undone = await again('go-back', ['--undo', '--yes'], place);
      if (undone.code !== 0) expect(undone.err).toContain('No upgrade was taken back');
      await knowsAda(place);
    }
    // Moves.
    const moved = (place: Record<string, string>, to: string): Record<string, string> =>
      kind === 'embedded'
        ? { ...place, DATABASE_URL: to, AUTH_SECRET: 's'.repeat(32) }
        : { DATA_DIR: place.DATA_DIR ?? '' };
    const whole = await scene.copy(false);
    const there = kind === 'embedded' ? await other.empty() : 'embedded';
    for (const moment of moments(await takes(() => run('move', ['--to', there], whole)))) {
      const place = await scene.copy(false);
      const to = kind === 'embedded' ? await other.empty() : 'embedded';
      await run('move', ['--to', to], place, moment);
      const done = await again('move', ['--to', to], place);
      expect(done).toMatchObject({ code: 0, err: '' });
      await knowsAda(moved(place, to));
      expect(await run('main', [], { ...place, PORT: '0' })).toMatchObject({
        code: 1,
        err: expect.stringContaining('was moved to'),
      });
      expect(await run('move', ['--stay'], place)).toMatchObject({ code: 0, err: '' });
      await knowsAda(place);
    }
    await postgres.stop();
  },
  HANGS_MS,
);
