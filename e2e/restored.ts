import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.ts';
import { isNightly } from '../server/src/testing/effort.ts';
import { startOwnBucket } from '../server/src/testing/own-bucket.ts';

const run = promisify(execFile);
type Settings = Record<string, string>;

/** Which database journeys run on that was restored from a backup of the other kind: by day none, at night the embedded one. */
export const restoredOn = process.env.TEST_RESTORED ?? (isNightly ? 'embedded' : undefined);

/** Names the settings with which a server finds PostgreSQL and a bucket, when journeys run on them. */
const ELSEWHERE = 'ATELIER_JOURNEY_ELSEWHERE';

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/**
 * Restores a backup of an embedded installation into PostgreSQL and a bucket, and a backup of these into an empty folder. Returns how to end both.
 */
export async function restoreInTurn(main: string, from: string, to: string): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'atelier-restored-'));
  const bucket = await startOwnBucket(folder);
  const command = (name: string, args: string[], settings: Settings) =>
    run(process.execPath, [join(dirname(main), `${name}.js`), ...args], {
      env: { PATH: process.env.PATH, ...settings },
    });
  await ask(postgres.url, 'create database restored');
  const elsewhere = { AUTH_SECRET: 's'.repeat(32), ...bucket.env, DATABASE_URL: at(postgres.url, 'restored') };
  const files = ['first', 'second'].map((name) => join(folder, name)) as [string, string];
  await command('backup', [files[0], '--plain'], { DATA_DIR: from });
  await command('restore', [files[0]], { ...elsewhere, DATA_DIR: join(folder, 'unused') });
  await command('backup', [files[1], '--plain'], { ...elsewhere, DATA_DIR: join(folder, 'unused') });
  await command('restore', [files[1]], { DATA_DIR: to });
  if (restoredOn === 'postgres') process.env[ELSEWHERE] = JSON.stringify(elsewhere);
  return async () => {
    await bucket.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

const at = (url: string, database: string) => url.replace(/\/[^/]*$/u, `/${database}`);

/** A database of its own on a PostgreSQL server, made from `template`; returns its URL. */
export async function createDatabase(url: string, template = 'template1'): Promise<string> {
  const name = `journey_${crypto.randomUUID().replaceAll('-', '')}`;
  await ask(at(url, 'postgres'), `create database ${name} template ${template}`);
  return at(url, name);
}

/** One for a server, copied from the restored one, with the settings to find it; none on the embedded one. */
export async function copyRestored(): Promise<Settings> {
  const elsewhere: Settings = JSON.parse(process.env[ELSEWHERE] ?? '{}');
  const { DATABASE_URL } = elsewhere;
  return DATABASE_URL === undefined
    ? {}
    : { ...elsewhere, DATABASE_URL: await createDatabase(DATABASE_URL, 'restored') };
}
