import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { onDatabase } from '../../admin-database.ts';
import { readConfig } from '../../config.ts';
import { serveCommands } from '../../platform/command-socket.ts';
import { EMBEDDED } from '../../platform/database/folder/data-folder.ts';
import { silentLog } from '../../platform/log.ts';
import { PASSWORD, testApp } from '../../testing/harness.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { runProgram } from '../../testing/server-process.ts';
import { runAdminCommand } from './operator.service.ts';

const { folder } = temporaryFolder('admin');
const app = await closing(testApp());
const stop = await serveCommands({ folder, log: silentLog, run: (args) => runAdminCommand(app.deps, args) });
afterAll(stop);

/** The operator's own command, as another process beside the running server. */
async function admin(args: string[], dataDir = folder) {
  const { code, out, err } = await runProgram('admin', args, { DATA_DIR: dataDir });
  return { code, output: out + err };
}

test('the socket is the owner’s alone', () => {
  expect(statSync(join(folder, 'admin.sock')).mode & 0o777).toBe(0o600);
});

test('a check finds a lost secret, as a start would', async () => {
  const lost = mkdtempSync(join(folder, 'lost-'));
  mkdirSync(join(lost, 'db'));
  writeFileSync(join(lost, 'db', 'PG_VERSION'), `${EMBEDDED.postgresMajor}\n`);
  const { code, output } = await admin(['check'], lost);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^broken +database +embedded, in .* The secret of the data folder .* is lost: /mu),
  ]);
});

test('a check says why the database isn’t served, and not to check an address that is right', async () => {
  const environment = { DATABASE_URL: 'postgres://somebody@localhost/atelier', AUTH_SECRET: 's'.repeat(32) };
  const why = new Error(
    'The migration 0001_init failed: it is a test. Start version 1, which serves the database as it is.',
  );
  const { message } = await onDatabase({ config: readConfig(environment), args: ['check'], environment }, why);
  expect(message).toContain(`${why.message}\n`);
  expect(message).not.toContain('Check DATABASE_URL');
});

test('grant-pro works beside a running server, once, and the next call sees it', async () => {
  const caller = await app.signUp();
  const first = await admin(['grant-pro', caller.email, '--reason', 'friend of the house']);
  expect(first).toEqual({ code: 0, output: `${caller.email} is Pro now.\n` });
  expect((await admin(['grant-pro', caller.email, '--reason', 'again'])).output).toContain('was Pro already');
  const { body } = await app.request('GET', '/api/me', { as: caller });
  expect(body.account).toMatchObject({ subscriptionStatus: 'pro', subscriptionTier: 'pro' });
  expect(body.limits).toEqual({ messages: null, tasks: null, sessions: null });
});

test('disable ends every session, enable lets the user log in again', async () => {
  const caller = await app.signUp();
  expect((await admin(['disable', caller.email])).code).toBe(0);
  expect((await app.request('GET', '/api/me', { as: caller })).status).toBe(401);
  expect((await admin(['enable', caller.email])).code).toBe(0);
  const body = { email: caller.email, password: PASSWORD };
  expect((await app.request('POST', '/api/auth/sign-in/email', { body })).status).toBe(200);
});

test('what is not understood changes nothing and says how', async () => {
  const { email } = await app.signUp();
  for (const args of [
    [],
    ['grant-pro'],
    ['grant-pro', email],
    ['remove-factor', email],
    ['remove-passkeys', email],
    ['promote', email],
    ['disable', email, 'b@example.com'],
  ]) {
    const { code, output } = await admin(args);
    expect([args, code]).toEqual([args, 1]);
    expect(output).toContain('npm run admin -- grant-pro EMAIL --reason TEXT');
  }
  const missing = await admin(['disable', 'nobody@example.com']);
  expect(missing).toEqual({ code: 1, output: 'There is no account with the email nobody@example.com.\n' });
});

test('a folder without a database is named', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { code, output } = await admin(['enable', 'a@example.com'], empty);
  expect(code).toBe(1);
  expect(output).toContain(`There is no database in ${empty}`);
});
