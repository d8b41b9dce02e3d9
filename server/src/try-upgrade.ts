import { randomBytes } from 'node:crypto';
import { serverSettings } from '@atelier/contract/operator/settings';
import { createApp, openProcess } from './app.ts';
import { readConfig } from './config.ts';
import { deleteUser } from './features/accounts/accounts.closing.service.ts';
import { findUserId } from './features/accounts/accounts.service.ts';
import { eraseAccount } from './features/removal/delete-account.service.ts';
import { connectPostgres } from './platform/backup/postgres-source.ts';
import { changeRecord, readRecord } from './platform/database/record.ts';
import type { Deps } from './platform/deps.ts';
import { silentLog } from './platform/log.ts';
import { createMail } from './platform/mail/create-mail.ts';
import { createModels } from './platform/models/create-models.ts';

const EMAIL = 'upgrade-check@atelier.invalid';
const ORIGIN = 'http://localhost';
/** Any number that no other program's advisory lock uses. */
const TRIAL_LOCK = 4_715_023_120;

/** After an upgrade, once: has one exchange by an account that goes again. Its failure is logged and makes a part broken; never throws. */
export async function tryUpgrade(deps: Deps): Promise<void> {
  const { database, log } = deps;
  try {
    if ((await readRecord(database)).trial === undefined) return;
    const endTurn = await takeTurn(deps);
    if (endTurn === null) return;
    await exchange(deps).finally(endTurn);
    await changeRecord(database, { trial: undefined });
    log.info('upgrade.tried', { exchange: 'answered' });
  } catch (error) {
    const next = 'The server runs all the same. To take the upgrade back: npm run go-back';
    log.error('upgrade.failed', error, { next });
    deps.surroundings.failedUpgrade = 'The exchange after the upgrade was not answered; the log says why.';
  }
}

/** Of several processes one tries, for the others null; the turn of one that is killed ends with its connection. */
async function takeTurn({ config: { DATABASE_URL } }: Deps): Promise<(() => Promise<void>) | null> {
  if (DATABASE_URL === undefined) return async () => {};
  const client = await connectPostgres(DATABASE_URL);
  const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [TRIAL_LOCK]);
  if (rows[0].locked === true) return () => client.end();
  await client.end();
  return null;
}

/** Signs up, makes an agent, asks it something and reads the answer, all by their routes; the built-in offline model answers. */
async function exchange(deps: Deps): Promise<void> {
  await removeAccount(deps);
  const { DATA_DIR, AUTH_SECRET } = deps.config;
  const config = { ...readConfig({ OFFLINE_PAUSE_MS: '0' }), DATA_DIR, AUTH_SECRET };
  const own = { config, models: createModels(config), mail: createMail(config), log: silentLog };
  // It declares nothing, and what it would have done later isn't done.
  const jobs = { ...deps.jobs, handle: () => {}, send: async () => {}, sendAll: async () => {} };
  // What the operator has set doesn't bind it.
  const standard = serverSettings.parse({});
  const { db, live } = deps;
  const opened = openProcess({ ...own, db, live }, {});
  const settings = { ...opened.settings, now: async () => standard };
  const app = await createApp({ ...deps, ...own, jobs, ...opened, settings });
  let cookie = '';
  const post = async (path: string, body: object) => {
    const headers = { origin: ORIGIN, 'content-type': 'application/json', cookie };
    const answer = await app.request(`${ORIGIN}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw Object.assign(new Error(`${path} was refused`), { server: path, status: answer.status });
    cookie ||= answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    return JSON.parse(await answer.text());
  };
  try {
    const password = randomBytes(16).toString('hex');
    await post('/api/auth/sign-up/email', { name: 'Upgrade check', email: EMAIL, password });
    const { agent } = await post('/api/agents', { name: 'Upgrade check', prompt: 'You answer.' });
    const { session } = await post('/api/sessions', { agentId: agent.id });
    const { task } = await post('/api/runAgentTask', { sessionId: session.id, agentId: agent.id, inputText: 'Hello' });
    if (task.status !== 'done' || task.message === '')
      throw Object.assign(new Error('no answer'), { status: task.status });
  } finally {
    await app.stop();
    await removeAccount(deps);
  }
}

/** Also the account that a process left which was killed meanwhile. */
async function removeAccount(deps: Deps): Promise<void> {
  const uid = await findUserId(deps, EMAIL);
  if (uid === null) return;
  await deps.db.transaction((tx) => deleteUser(tx, { uid, email: EMAIL }));
  await eraseAccount(deps, uid);
}
