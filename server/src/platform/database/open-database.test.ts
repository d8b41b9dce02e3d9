import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { fillDataFolder } from '../../testing/database.ts';
import { type Log, silentLog } from '../log.ts';
import { openDatabase } from './open-database.ts';

test('the secrets of an installation are those of its settings and of its folder, the newest first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-secrets-'));
  fillDataFolder(folder);
  const [given, earlier] = ['g'.repeat(32), 'e'.repeat(32)];
  const told: string[] = [];
  const log: Log = { ...silentLog, info: (event) => told.push(event) };
  const secretsWith = async (env: Record<string, string>) => {
    const config = readConfig({ DATA_DIR: folder, ...env });
    const { database, secrets } = await openDatabase({ config, log });
    await database.close();
    return secrets;
  };
  const made = await secretsWith({});
  expect(made).toEqual([readFileSync(join(folder, 'secret'), 'utf8')]);
  writeFileSync(join(folder, 'secret'), `a newer line\n${made[0]}\n`);
  expect(await secretsWith({ AUTH_SECRET_OLD: earlier })).toEqual(['a newer line', made[0], earlier]);
  expect(await secretsWith({ AUTH_SECRET: given, AUTH_SECRET_OLD: earlier })).toEqual([
    given,
    'a newer line',
    made[0],
    earlier,
  ]);
  // None of the starts had anything to back up, or to begin again.
  expect([told, existsSync(join(folder, 'db.unfinished'))]).toEqual([[], false]);
  rmSync(folder, { recursive: true });
});
