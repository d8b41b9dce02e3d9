import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { borrowTestDatabase, fillDataFolder } from '../../testing/database.ts';
import { bringTo, SHIPPED } from '../../testing/old-database.ts';
import { portablePglite } from '../backup/portable.ts';
import { type Log, silentLog } from '../log.ts';
import { openDurablePglite } from './durable-node-fs.ts';
import { EMBEDDED, openDataFolder } from './folder/data-folder.ts';
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
    const db = await borrowTestDatabase();
    const { rows } = await db.executeSql('show server_version');
    expect(Math.floor(Number(rows[0]?.server_version))).toBe(EMBEDDED.postgresMajor);
    await db.close();
  });
});

it('backs up existing data before it migrates, says how to go back, and migrates nothing the next time', async () => {
  const events: { event: string; fields: Record<string, unknown> | undefined }[] = [];
  const log: Log = { ...silentLog, info: (event, fields) => events.push({ event, fields }) };
  fillDataFolder(folder);
  // As if the last migration had come with a newer version.
  const older = await openDurablePglite(join(folder, 'db'));
  await older.exec('drop schema drizzle, public cascade; create schema public');
  for (const migration of SHIPPED.slice(0, -1)) await bringTo(portablePglite(older), migration);
  const settings = (await older.query('select name, setting from pg_settings order by 1')).rows;
  await older.close();
  const second = await openEmbedded(folder, log);
  expect(events.map((e) => e.event)).toEqual(['database.upgrading']);
  expect(events[0]?.fields?.back).toContain('npm run go-back');
  expect(await readdir(join(folder, 'backups'))).toEqual([
    expect.stringMatching(new RegExp(`^before-${SHIPPED.at(-1)?.name}-\\w+\\.atelier$`)),
  ]);
  // What the upgrade has set for itself is undone.
  expect((await second.database.executeSql('select name, setting from pg_settings order by 1')).rows).toEqual(settings);
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
