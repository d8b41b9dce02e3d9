import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Log, silentLog } from '../log.ts';
import { openDurablePglite } from './durable-node-fs.ts';
import { EMBEDDED, openDataFolder } from './folder/data-folder.ts';
import { MIGRATIONS } from './migrate.ts';
import { openEmbedded } from './pglite.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-data-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the data folder', () => {
  it('is refused to a second process with its name and who holds it, and free again after kill -9', async () => {
    const holder = holdInAnotherProcess(folder);
    await said(holder, 'held');
    expect(() => openDataFolder(folder)).toThrow(new RegExp(`${folder} is in use by process ${holder.pid}`));
    const gone = new Promise((resolve) => holder.on('exit', resolve));
    holder.kill('SIGKILL');
    await gone;
    openDataFolder(folder).release();
  });

  it('goes to exactly one of many that start at once', async () => {
    const racers = Array.from({ length: 5 }, () => holdInAnotherProcess(folder));
    const results = await Promise.all(racers.map((racer) => said(racer, 'held', 'refused')));
    for (const racer of racers) racer.kill('SIGKILL');
    expect(results.filter((result) => result === 'held')).toHaveLength(1);
  });

  it('records the pin that is installed', async () => {
    const manifest = JSON.parse(
      await readFile(new URL('../../../../node_modules/@electric-sql/pglite/package.json', import.meta.url), 'utf8'),
    );
    expect(manifest.version).toBe(EMBEDDED.pglite);
    const db = await openDurablePglite(join(folder, 'db'));
    const { rows } = await db.query<{ server_version: string }>('show server_version');
    expect(Math.floor(Number(rows[0]?.server_version))).toBe(EMBEDDED.postgresMajor);
    await db.close();
  });
});

/** Drops what the newest migration creates, and makes again the columns, indexes and keys that it drops. */
function undoOfLastMigration(): string {
  const statements = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map((migration) => migration.sql);
  const sql = statements.pop()?.join('\n') ?? '';
  const dropped = [...sql.matchAll(/drop index "(\w+)"/giu)].map(([, name]) =>
    statements.flat().findLast((statement) => statement.toLowerCase().includes(`index "${name}" on`)),
  );
  const keys = [...sql.matchAll(/alter table "(\w+)" drop constraint "(\w+)"/giu)].map(([, table, name]) => {
    const key = new RegExp(`constraint "${name}" (primary key\\([^)]*\\))`, 'iu').exec(
      statements.flat().join('\n'),
    )?.[1];
    return `alter table "${table}" add constraint "${name}" ${key ?? expect.fail('a key is dropped that no migration made')}`;
  });
  const columnsAgain = [...sql.matchAll(/alter table "(\w+)" drop column "(\w+)"/giu)].map(([, table, name]) =>
    statements
      .flat()
      .findLast((statement) => statement.toLowerCase().includes(`alter table "${table}" add column "${name}"`)),
  );
  const made = [...sql.matchAll(/create (table|function) "?(\w+)/giu)];
  const triggers = [...sql.matchAll(/create trigger (\w+)[^;]*? on "?(\w+)/giu)];
  const columns = [...sql.matchAll(/alter table "(\w+)" add (column|constraint) "(\w+)"/giu)];
  const indexes = [...sql.matchAll(/create (?:unique )?index "(\w+)"/giu)];
  return [
    ...triggers.map(([, name, table]) => `drop trigger if exists ${name} on ${table}`),
    ...columns.map(([, table, kind, name]) => `alter table "${table}" drop ${kind} if exists "${name}" cascade`),
    ...indexes.map(([, name]) => `drop index if exists "${name}"`),
    ...made.map(([, kind, name]) => `drop ${kind} if exists "${name}" cascade`),
    ...keys,
    ...columnsAgain.map((statement) => statement ?? expect.fail('a column is dropped that no migration made')),
    ...dropped.map((statement) => statement ?? expect.fail('an index is dropped that no migration made')),
  ].join(';\n');
}

it('backs up existing data before it migrates, says how to go back, and migrates nothing the next time', async () => {
  const events: { event: string; fields: Record<string, unknown> | undefined }[] = [];
  const log: Log = { ...silentLog, info: (event, fields) => events.push({ event, fields }) };
  const first = await openEmbedded(folder, log);
  expect(events).toEqual([]);
  // As if the last migration had come with a newer version.
  await first.database.executeSql(`${undoOfLastMigration()};
    delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`);
  await first.database.close();
  const second = await openEmbedded(folder, log);
  expect(events.map((e) => e.event)).toEqual(['database.backup']);
  expect(events[0]?.fields?.back).toContain('To go back');
  expect(await readdir(join(folder, 'backups'))).toHaveLength(1);
  await second.database.close();
  await (await openEmbedded(folder, log)).database.close();
  expect(events).toHaveLength(1);
});

function holdInAnotherProcess(path: string): ChildProcess {
  const module = new URL('./folder/data-folder.ts', import.meta.url).href;
  const program = `
    import { openDataFolder } from ${JSON.stringify(module)};
    try { openDataFolder(process.argv[1]); console.log('held'); } catch { console.log('refused'); }
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function said(child: ChildProcess, ...words: string[]): Promise<string> {
  for await (const chunk of child.stdout ?? []) {
    const word = words.find((w) => String(chunk).includes(w));
    if (word !== undefined) return word;
  }
  throw new Error('the process said nothing');
}
