import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { NO_SYNC } from '../database/durable-node-fs.ts';
import {
  addSecrets,
  beginArrival,
  endArrival,
  isArriving,
  loadingIn,
  newSecret,
  recordFormat,
  restoringIn,
  secretsIn,
  takePlace,
} from '../database/folder/data-folder.ts';
import { lockFolder } from '../database/folder/lock-folder.ts';
import { syncDirectory, syncTree, writeWhole } from '../database/folder/sync-tree.ts';
import { tableNames } from '../database/migrate.ts';
import { MIGRATION_LOCK, MOVING } from '../database/postgres.ts';
import { makePrivateFolder } from '../private-folder.ts';
import type { FileStorage } from '../storage/storage.ts';
import { openDatabaseFiles } from './embedded-source.ts';
import { type Portable, portablePostgres } from './portable.ts';
import { connectPostgres } from './postgres-source.ts';
import type { Limits } from './read-backup.ts';
import type { RestoreTarget } from './restore-backup.ts';

async function requireEmptyStorage(storage: FileStorage | undefined): Promise<void> {
  for await (const _ of storage?.list('userFiles') ?? []) {
    throw new Error('There are uploaded files already. A backup is restored into an empty place only.');
  }
}

async function roomIn(folder: string, storage: FileStorage | undefined): Promise<Limits> {
  const { bavail, bsize } = await statfs(folder);
  return { tables: bavail * bsize, files: storage?.kind === 'folder' ? bavail * bsize : Number.POSITIVE_INFINITY };
}

/** A folder may be replaced by who holds its lock and has closed its database. A move is ended by `endMove`. */
type EmbeddedKind = 'restore' | 'move' | 'replace';

function requireNoDatabase(root: string, kind: EmbeddedKind): void {
  const db = join(root, 'db');
  // No server starts before a move has ended.
  if (kind === 'move' && isArriving(root)) rmSync(db, { recursive: true, force: true });
  if (!existsSync(db) || readdirSync(db).length === 0) return;
  throw new Error(
    `There is a database in ${root} already. A backup is restored into an empty place only: choose another DATA_DIR.`,
  );
}

/** Flushes uploaded files in a folder to the disk. */
export function syncFiles(root: string, storage: FileStorage | undefined): void {
  const files = join(root, 'files');
  if (storage?.kind === 'folder' && existsSync(files)) syncTree(files);
}

/** From here on there is a database. Without its secret a new one is made, as at a first start. */
function putInPlace(root: string, loading: string, secrets: string[] | null): void {
  if (secrets !== null || secretsIn(root).length === 0) addSecrets(root, secrets ?? [newSecret()]);
  takePlace(root, loading);
  rmSync(markOf(loading), { force: true });
  recordFormat(root);
  syncDirectory(root);
}

/** Names the storage that a restore fills. While the folder `restoring` is there, what is in that storage is no one's. */
const markOf = (loading: string) => `${loading}.files`;
const isLeft = (loading: string, storage: FileStorage | undefined) =>
  existsSync(loading) && existsSync(markOf(loading)) && readFileSync(markOf(loading), 'utf8') === storage?.place;

function beginLoading(loading: string, storage: FileStorage | undefined): void {
  if (storage !== undefined) writeWhole(markOf(loading), storage.place);
  rmSync(loading, { recursive: true, force: true });
  mkdirSync(loading, { mode: 0o700 });
}

/** A data folder without a database, and the configured files. */
export function embeddedPlace(folder: string, storage?: FileStorage, kind: EmbeddedKind = 'restore'): RestoreTarget {
  const root = resolve(folder);
  // Beside files that are in use, no restore may take those for its own.
  const loading = kind === 'restore' ? restoringIn(root) : loadingIn(root);
  let database: Portable | undefined;
  let isBegun = false;
  let release = () => {};
  return {
    ...(storage === undefined ? {} : { storage }),
    limits: () => roomIn(root, storage),
    async take() {
      if (kind === 'replace') return;
      makePrivateFolder(root);
      release = lockFolder(root);
      try {
        requireNoDatabase(root, kind);
        if (!isLeft(loading, storage)) await requireEmptyStorage(storage);
      } catch (error) {
        release();
        throw error;
      }
    },
    async prepare() {
      isBegun = true;
      if (kind === 'move') beginArrival(root);
      beginLoading(loading, storage);
      await storage?.deleteFolder('userFiles');
      database = await openDatabaseFiles(loading, NO_SYNC);
      return database;
    },
    async finish({ secrets }) {
      await database?.executeSql('commit', []);
      await database?.close();
      database = undefined;
      syncTree(loading);
      syncFiles(root, storage);
      putInPlace(root, loading, secrets);
      release();
    },
    async abandon() {
      await database?.close();
      if (isBegun) {
        await storage?.deleteFolder('userFiles');
        for (const made of [loading, markOf(loading)]) rmSync(made, { recursive: true, force: true });
      }
      if (kind === 'move') endArrival(root);
      release();
    },
  };
}

/** Exists while a restore is under way, and after one that was killed: what is in the storage that its comment names is no one's then. */
const RESTORING = 'atelier_restoring';

/** An empty database on a PostgreSQL server, and the files beside it; without files, the place of a move, which `endMove` ends. */
export function postgresPlace(url: string, folder: string, storage?: FileStorage): RestoreTarget {
  const mark = storage === undefined ? MOVING : RESTORING;
  let client: pg.Client;
  let isBegun = false;
  return {
    ...(storage === undefined ? {} : { storage }),
    limits: async () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return { ...(await roomIn(folder, storage)), tables: Number.POSITIVE_INFINITY };
    },
    async take() {
      client = await connectPostgres(url);
      try {
        const left = await requireEmpty(client, mark);
        if (left !== storage?.place) await requireEmptyStorage(storage);
      } catch (error) {
        await client.end();
        throw error;
      }
    },
    async prepare() {
      isBegun = true;
      const filling = client.escapeLiteral(storage?.place ?? '');
      await client.query(`create schema if not exists ${mark}; comment on schema ${mark} is ${filling}`);
      await storage?.deleteFolder('userFiles');
      const database = portablePostgres(client);
      await emptyPostgres(database);
      return database;
    },
    async finish() {
      syncFiles(resolve(folder), storage);
      await client.query(storage === undefined ? 'commit' : `drop schema ${mark}; commit`);
      await client.end();
    },
    async abandon() {
      try {
        if (!isBegun) return;
        await storage?.deleteFolder('userFiles');
        await client.query(`rollback; drop schema if exists pgboss cascade; drop schema ${mark}`);
      } finally {
        await client.end();
      }
    },
  };
}

/** Returns the storage that a restore which was killed has begun to fill, if any. */
async function requireEmpty(client: pg.Client, mark: string): Promise<string | null> {
  // Of several processes one migrates or restores; closing the connection releases it.
  const { rows } = await client.query(
    `select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked, to_regnamespace('${mark}') is not null as left,
       obj_description(to_regnamespace('${mark}'), 'pg_namespace') as storage,
       exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace where nspname in ('public', 'drizzle')
         or (nspname = 'pgboss' and to_regnamespace('${mark}') is null)) as filled`,
  );
  const [row] = rows;
  if (row.locked !== true) {
    throw new Error('A server or a restore is at work in the database at DATABASE_URL. Stop it first.');
  }
  // No server starts before a move has ended.
  if (row.filled && !(mark === MOVING && row.left)) {
    throw new Error(
      'The database at DATABASE_URL is not empty. A backup is restored into an empty place only: create another database.',
    );
  }
  return row.storage;
}

/** Removes what is ours, and leaves what others may have in the same database. */
export async function emptyPostgres(database: Portable, withJobs = true): Promise<void> {
  const tables = tableNames().map((name) => `"${name}"`);
  const statements = [
    `drop table if exists ${tables.join()} cascade`,
    'drop schema if exists drizzle cascade',
    ...(withJobs ? ['drop schema if exists pgboss cascade'] : ['delete from pgboss.job']),
  ];
  for (const statement of statements) await database.executeSql(statement, []);
  await dropFunctions(database);
}

/** Drops our functions, which no trigger may use any more. */
export async function dropFunctions(database: Portable): Promise<void> {
  const { rows } = await database.executeSql(
    `select oid::regprocedure::text as name from pg_proc where proname like 'atelier\\_%' and pronamespace = 'public'::regnamespace`,
    [],
  );
  for (const { name } of rows) await database.executeSql(`drop function ${name}`, []);
}
