import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { connectPostgres } from './platform/backup/postgres-source.ts';
import { openDurablePglite } from './platform/database/durable-node-fs.ts';
import { fillDataFolder } from './testing/database.ts';
import { isNightly } from './testing/effort.ts';
import { eventually } from './testing/eventually.ts';
import { temporaryFolder } from './testing/lifetimes.ts';
import { SHIPPED } from './testing/old-database.ts';
import { type OwnPostgres, startOwnPostgres } from './testing/own-postgres.ts';
import { knows, runProgram, signUpAt, startProcess } from './testing/server-process.ts';

/** Some hundred runs of the commands. */
const HANGS_MS = 7_200_000;
/** How often each command is killed, at moments that are spread over the time it takes. */
const KILLS = 20;

const { fresh } = temporaryFolder('kills');
/** An installation that serves with Ada in it, and a backup of it. */
let template: string;
let whole: string;
let ada: string;
/** The program before the last migration. */
let programBefore: string | null;
let postgres: OwnPostgres;

beforeAll(async () => {
  template = fresh('template');
  mkdirSync(template);
  fillDataFolder(template);
  const server = await startProcess({ DATA_DIR: template, BACKUP_TIME: 'off' });
  ada = (await signUpAt(server)).email;
  server.child.kill('SIGTERM');
  await server.exited;
  whole = fresh('backup');
  expect(await runProgram('backup', [whole, '--plain'], { DATA_DIR: template })).toMatchObject({ code: 0 });
  postgres = await startOwnPostgres();
  programBefore = unpackOlder();
});
afterAll(() => postgres.stop());

const knowsAda = (settings: Settings) => knows(ada, settings);
const sources = ['embedded', 'postgres'] as const;

type Settings = Record<string, string>;

const ROOT = join(import.meta.dirname, '..', '..');
const LAST_MIGRATION = SHIPPED.at(-1)?.name;

/** The program before the last migration, from the history of the repository, with the packages of today; null where there is no history. */
function unpackOlder(): string | null {
  const place = fresh('program');
  mkdirSync(join(place, 'node_modules', '@atelier'), { recursive: true });
  const added = 'git log -1 --diff-filter=A --format=%H -- "server/migrations/$0"';
  const unpack = `commit=$(${added}) && git archive "$commit^" contract server package.json | tar x -C "$1"`;
  if (spawnSync('bash', ['-o', 'pipefail', '-c', unpack, `${LAST_MIGRATION}.sql`, place], { cwd: ROOT }).status !== 0)
    return null;
  const link = (path: string) => symlinkSync(join(ROOT, path), join(place, path));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) if (name !== '@atelier') link(join('node_modules', name));
  if (existsSync(join(ROOT, 'server', 'node_modules'))) link(join('server', 'node_modules'));
  symlinkSync(join(place, 'contract'), join(place, 'node_modules', '@atelier', 'contract'));
  return join(place, 'server', 'src', 'main.ts');
}

/** Has it serve an installation in which Ada signs up. */
async function signUpBefore(place: Settings) {
  if (programBefore === null) return;
  const server = await startProcess(place, programBefore);
  await signUpAt(server, ada);
  server.child.kill('SIGTERM');
  await server.exited;
}

interface Scene {
  /** A copy of the installation that serves with Ada in it, with the last migration or before it. */
  copy(isOlder: boolean): Promise<Settings>;
  /** Another place, empty. */
  empty(): Promise<Settings>;
  ask(place: Settings, text: string): Promise<Record<string, unknown>[]>;
}

async function embeddedScene(): Promise<Scene> {
  const ask: Scene['ask'] = async ({ DATA_DIR = '' }, text) => {
    const pglite = await openDurablePglite(join(DATA_DIR, 'db'));
    const results = await pglite.exec(text);
    await pglite.close();
    return results.flatMap(({ rows }) => rows as Record<string, unknown>[]);
  };
  const before = fresh('older');
  await signUpBefore({ DATA_DIR: before });
  return {
    ask,
    copy: async (isOlder) => {
      const DATA_DIR = fresh('place');
      cpSync(isOlder ? before : template, DATA_DIR, { recursive: true });
      return { DATA_DIR };
    },
    empty: async () => ({ DATA_DIR: fresh('place') }),
  };
}

async function postgresScene(): Promise<Scene> {
  const at = (name: string) => postgres.url.replace(/\/postgres$/u, `/${name}`);
  const ask: Scene['ask'] = async ({ DATABASE_URL = '' }, text) => {
    const client = await connectPostgres(DATABASE_URL);
    const results = [await client.query(text)].flat();
    await client.end();
    return results.flatMap(({ rows }) => rows);
  };
  const base = { AUTH_SECRET: 's'.repeat(32), DATA_DIR: fresh('place') };
  await postgres.ask('create database whole');
  expect(await runProgram('restore', [whole], { ...base, DATABASE_URL: at('whole') })).toMatchObject({ code: 0 });
  await postgres.ask('create database older');
  await signUpBefore({ ...base, DATABASE_URL: at('older') });
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
    empty: async () => ({ ...base, DATA_DIR: fresh('place'), DATABASE_URL: await create('template0') }),
  };
}

const scenes = new Map<string, Promise<Scene>>();
function sceneOf(kind: (typeof sources)[number]): Promise<Scene> {
  const scene = scenes.get(kind) ?? (kind === 'embedded' ? embeddedScene() : postgresScene());
  scenes.set(kind, scene);
  return scene;
}

/** Moments that are spread over the time that some work takes. */
async function momentsOf(work: () => Promise<unknown>): Promise<number[]> {
  const from = performance.now();
  await work();
  const all = performance.now() - from;
  return Array.from({ length: KILLS }, (_, at) => (all * (at + 1)) / KILLS);
}

/** PostgreSQL notices a little later that a program is gone. */
const untilNoticed = () =>
  eventually(async () => expect(await postgres.ask(`select from pg_locks where locktype = 'advisory'`)).toEqual([]));

const skipWithoutOlder = ({ skip }: TestContext) =>
  programBefore ?? skip('The repository has no history here to take an older version from.');

/** What is killed at twenty moments, on both databases, at night. */
const onBoth = (name: string, work: (kind: (typeof sources)[number], context: TestContext) => Promise<void>) =>
  test.runIf(isNightly).for(sources)(`killed at any moment, ${name}, %s`, { timeout: HANGS_MS }, work);

const refusesToStart = async (place: Settings, why = '') =>
  expect(await runProgram('main', [], { ...place, PORT: '0' })).toMatchObject({
    code: 1,
    err: expect.stringContaining(why),
  });

onBoth('a backup beside a server leaves only what is whole and can be made again', async (kind) => {
  const place = await (await sceneOf(kind)).copy(false);
  const server = await startProcess({ ...place, BACKUP_TIME: 'off' });
  for (const into of ['file', 'folder', 'daily'] as const) {
    const back = async (target: string, killedAfterMs?: number) => {
      const args = into === 'daily' ? ['--daily'] : [into === 'folder' ? `${target}/` : target, '--plain'];
      return runProgram('backup', args, { ...place, BACKUP_DIR: target }, killedAfterMs);
    };
    let target = fresh(into);
    for (const moment of await momentsOf(() => back(fresh(into)))) {
      if (into === 'file') target = fresh(into);
      expect(await back(target, moment)).toMatchObject({ err: '' });
      await untilNoticed();
      const isMade =
        existsSync(target) && (into === 'file' || readdirSync(target).some((name) => name.endsWith('.atelier')));
      if (isMade) expect(await runProgram('backup', ['--verify', target], {})).toMatchObject({ code: 0 });
    }
    if (into === 'file') target = fresh(into);
    expect(await back(target)).toMatchObject({ code: 0, err: '' });
    expect(await runProgram('backup', ['--verify', target], {})).toMatchObject({ code: 0 });
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  await server.exited;
  await knowsAda(place);
});

onBoth('a restore can be run again', async (kind) => {
  const { empty } = await sceneOf(kind);
  const restore = (place: Settings, killedAfterMs?: number) => runProgram('restore', [whole], place, killedAfterMs);
  const moments = await momentsOf(async () => expect(await restore(await empty())).toMatchObject({ code: 0 }));
  let place = await empty();
  for (const moment of moments) {
    const done = await restore(place, moment);
    expect(done.err).toBe('');
    await untilNoticed();
    if (done.code === 0) place = await empty();
  }
  expect(await restore(place)).toMatchObject({ code: 0, err: '' });
  await knowsAda(place);
});

const LAST = 'select max(created_at)::text as last from drizzle.__drizzle_migrations';
const STRANGERS = `select email from "user" where email like '%@atelier.invalid'`;

/** Runs a command until it has done its work, after it was killed; PostgreSQL notices a little later that it is gone. */
async function again(program: string, args: string[], place: Settings) {
  let done = await runProgram(program, args, place);
  await eventually(async () => {
    if (done.err.includes('Stop every server') || done.err.includes('is at work'))
      done = await runProgram(program, args, place);
    expect(done.err).not.toContain('Stop every server');
  });
  return done;
}

onBoth('an upgrade ends well the next time', async (kind, context) => {
  skipWithoutOlder(context);
  const scene = await sceneOf(kind);
  const first = await scene.copy(true);
  const upgrading = () => knowsAda(first).then((said) => expect(said).toContain('upgrade.tried'));
  for (const moment of await momentsOf(upgrading)) {
    const place = await scene.copy(true);
    await runProgram('main', [], { ...place, PORT: '0' }, moment);
    await eventually(() => knowsAda(place));
    expect(await scene.ask(place, STRANGERS)).toEqual([]);
    const made = readdirSync(join(place.DATA_DIR ?? '', 'backups')).filter((name) => name.startsWith('before-'));
    expect(made).toEqual([expect.stringContaining(`before-${LAST_MIGRATION}-`)]);
  }
});

onBoth('a way back and forth loses nothing and ends well the next time', async (kind, context) => {
  skipWithoutOlder(context);
  const scene = await sceneOf(kind);
  const upgraded = await scene.copy(true);
  const [older] = await scene.ask(upgraded, LAST);
  await knowsAda(upgraded);
  expect(await runProgram('go-back', ['--yes'], upgraded)).toMatchObject({ code: 0, err: '' });
  for (const moment of await momentsOf(() => runProgram('go-back', ['--undo', '--yes'], upgraded))) {
    const place = await scene.copy(true);
    await knowsAda(place);
    await runProgram('go-back', ['--yes'], place, moment);
    const done = await again('go-back', ['--yes'], place);
    if (done.code !== 0) expect(done.err).toContain('There was no upgrade to take back');
    expect(await scene.ask(place, LAST)).toEqual([older]);
    await refusesToStart(place, 'was taken back');
    await runProgram('go-back', ['--undo', '--yes'], place, moment);
    const undone = await again('go-back', ['--undo', '--yes'], place);
    if (undone.code !== 0) expect(undone.err).toContain('No upgrade was taken back');
    await knowsAda(place);
  }
});

onBoth('a move loses nothing and ends well the next time', async (kind) => {
  const scene = await sceneOf(kind);
  const other = await sceneOf(kind === 'embedded' ? 'postgres' : 'embedded');
  const moved = (place: Settings, to: string): Settings =>
    kind === 'embedded'
      ? { ...place, DATABASE_URL: to, AUTH_SECRET: 's'.repeat(32) }
      : { DATA_DIR: place.DATA_DIR ?? '' };
  const unmoved = await scene.copy(false);
  const target = async () => (await other.empty()).DATABASE_URL ?? 'embedded';
  const there = await target();
  for (const moment of await momentsOf(() => runProgram('move', ['--to', there], unmoved))) {
    const place = await scene.copy(false);
    const to = await target();
    await runProgram('move', ['--to', to], place, moment);
    const done = await again('move', ['--to', to], place);
    expect(done).toMatchObject({ code: 0, err: '' });
    await knowsAda(moved(place, to));
    await refusesToStart(place, 'was moved to');
    expect(await runProgram('move', ['--stay'], place)).toMatchObject({ code: 0, err: '' });
    await knowsAda(place);
  }
});

test.runIf(isNightly).for(sources)(
  'the version before an upgrade serves again what a way back has left, %s',
  async (kind, context) => {
    const program = skipWithoutOlder(context);
    const place = await (await sceneOf(kind)).empty();
    const before = await startProcess(place, program);
    const bob = await signUpAt(before);
    before.child.kill('SIGTERM');
    await before.exited;
    expect(await knows(bob.email, place)).toContain('database.upgrading');
    expect(await runProgram('go-back', ['--yes'], place)).toMatchObject({ code: 0, err: '' });
    await refusesToStart(place);
    await knows(bob.email, place, program);
    expect(await runProgram('go-back', ['--undo', '--yes'], place)).toMatchObject({ code: 0, err: '' });
    await knows(bob.email, place);
  },
);
