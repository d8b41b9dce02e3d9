import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillDataFolder } from '../../../testing/database.ts';
import { effort } from '../../../testing/effort.ts';
import { temporaryFolder } from '../../../testing/lifetimes.ts';
import { silentLog } from '../../log.ts';
import { openEmbedded } from '../pglite.ts';
import { explainOpening, OpeningFailed } from './explain-opening.ts';

// One real folder, of which a part is missing or garbage for one start.

const open = () => openEmbedded(root, silentLog);
const inDb = (path: string) => join(root, 'db', path);
const { folder: root } = temporaryFolder('damaged');
fillDataFolder(root);
const { database } = await open();
await database.executeSql(`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.com')`);
const { rows } = await database.executeSql(`select pg_relation_filepath('"user"') as path`, []);
/** The file of a table of ours, and that of the log. */
const table = String(rows[0]?.path);
await database.close();
const log = join('pg_wal', readdirSync(inDb('pg_wal')).find((name) => name.startsWith('0000')) ?? '');

/** Takes a part away until `work` is done. */
async function without<T>(path: string, work: () => Promise<T>): Promise<T> {
  renameSync(inDb(path), join(root, 'aside'));
  const result = await work();
  rmSync(inDb(path), { force: true });
  renameSync(join(root, 'aside'), inDb(path));
  return result;
}

/** What is wrong in a folder, where, and what PostgreSQL says of it; by day what it meets at different steps of a start. */
const DAMAGES: [string, () => string, RegExp, { garbage?: true }?][] = [
  [
    'garbage in pg_control',
    () => 'global/pg_control',
    /database files are incompatible with server/u,
    { garbage: true },
  ],
  ['no log', () => log, /could not locate a valid checkpoint record/u],
  ['no configuration', () => 'postgresql.conf', /could not access the server configuration file/u],
  ['no folder of tables', () => 'base/5', /The database subdirectory "base\/5" is missing/u],
  ['no file of our own table', () => table, /could not open file "base\/5\/\d+"/u],
];
const MORE_DAMAGES: typeof DAMAGES = [
  ['no pg_control', () => 'global/pg_control', /could not open file "global\/pg_control"/u],
  ['garbage in the log', () => log, /could not locate a valid checkpoint record/u, { garbage: true }],
  ['no states of transactions', () => 'pg_xact/0000', /Could not open file "pg_xact\/0000"/u],
  ['no catalogue of functions', () => 'base/5/1255', /could not open file "base\/5\/1255"/u],
];

test.each(effort(DAMAGES, [...DAMAGES, ...MORE_DAMAGES]))(
  '%s: the start says in one sentence what is wrong and what to do',
  async (_, part, reason, { garbage } = {}) => {
    const message = await without(part(), async () => {
      if (garbage) writeFileSync(inDb(part()), Buffer.alloc(8_192, 0xab));
      return open().then(
        () => 'it opened',
        (refusal: Error) => refusal.message,
      );
    });
    expect(message).toMatch(reason);
    expect(message.startsWith(`The database in ${join(root, 'db')} can’t be opened: `)).toBe(true);
    const end = `put your last backup in its place; backups from before updates are in ${join(root, 'backups')}.`;
    expect(message.endsWith(end)).toBe(true);
    expect(message).not.toMatch(/Aborted|ASSERTIONS|\.\./u);
  },
);

test('when everything is back, everything is there', async () => {
  const { database } = await open();
  expect((await database.executeSql('select name from "user"')).rows).toEqual([{ name: 'Ada' }]);
  await database.close();
});

test.each<[string, unknown]>([
  ['Node', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['PGlite’s file system, while the database is made', new OpeningFailed([], { errno: 51 })],
  [
    'PostgreSQL, while it recovers',
    new OpeningFailed(['FATAL:  could not extend file "base/5/1": No space left on device'], new Error('no')),
  ],
  ['a migration', new Error('query', { cause: Object.assign(new Error('could not write'), { code: '53100' }) })],
])('a full disk is one sentence, whoever meets it: %s', (_, cause) => {
  expect(explainOpening('/data', cause)).toMatchObject({
    message:
      'The disk of the data folder /data is full, so the database can’t be opened. Nothing that was saved is lost. Free some space, then start again.',
  });
});

test('what says itself what is wrong stays as it is', () => {
  const error = new Error('The data folder /data is in use.');
  expect(explainOpening('/data', error)).toBe(error);
});
