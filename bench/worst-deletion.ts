// How long everyone waits while an account with very many rows, or its agent, is deleted, beside an idle server.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Server, startServer } from '../e2e/server.ts';
import { openEmbedded } from '../server/src/platform/database/pglite.ts';
import { openPostgres } from '../server/src/platform/database/postgres.ts';
import { silentLog } from '../server/src/platform/log.ts';
import { fillAccount } from './large-account.ts';

/** A stranger may wait this much longer than at an idle server's worst. */
const MORE_MS = 100;
const PAUSE_MS = 20;
/** What is left of an account is gone after this time. */
const LASTS_MS = 60_000;

const PASSWORD = 'a long password';

/** A row for the account and one for its agent; on PostgreSQL if `DATABASE_URL` names one. */
export async function deletionRows(idleMs: number) {
  const rows = [];
  for (const what of ['agent', 'account'] as const) rows.push(await measure(what, idleMs));
  return rows;
}

async function measure(what: 'agent' | 'account', idleMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-worst-'));
  const { DATABASE_URL } = process.env;
  const settings = {
    DATA_DIR: folder,
    ACCOUNT_BOUNDS: '1000',
    ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }),
  };
  const server = await startServer(settings);
  const call = callerOf(server);
  try {
    const [owner, stranger] = [await signUp(server), await signUp(server)];
    await call(owner.cookie, 'POST', '/api/agents', { name: 'Bench', prompt: 'p' });
    await server.kill();
    const database =
      DATABASE_URL === undefined
        ? (await openEmbedded(folder, silentLog)).database
        : await openPostgres(DATABASE_URL, silentLog);
    await fillAccount(database, owner.uid, stranger.uid);
    await database.close();
    await server.restart();
    const ask = {
      healthz: () => call('', 'GET', '/healthz'),
      stranger: () => call(stranger.cookie, 'GET', '/api/agents?limit=10'),
    };
    const idle = await slowest(ask, new Promise((done) => setTimeout(done, idleMs)));
    let answered = 0;
    const begun = performance.now();
    const path = what === 'agent' ? '/api/agents/bench' : '/api/me';
    const deleting = call(owner.cookie, 'DELETE', path, what === 'agent' ? undefined : { password: PASSWORD })
      .then(() => (answered = performance.now() - begun))
      .then(() => new Promise((done) => setTimeout(done, LASTS_MS)));
    const busy = await slowest(ask, deleting);
    return {
      'while is deleted': what,
      'answered after': `${answered.toFixed(0)} ms`,
      'slowest /healthz': `${busy.healthz.toFixed(0)} ms (idle ${idle.healthz.toFixed(0)})`,
      'slowest of a stranger': `${busy.stranger.toFixed(0)} ms (idle ${idle.stranger.toFixed(0)})`,
      kept: busy.healthz < idle.healthz + MORE_MS && busy.stranger < idle.stranger + MORE_MS,
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks again and again until something is over; the longest wait for each. */
async function slowest<K extends string>(ask: Record<K, () => Promise<Response>>, until: Promise<unknown>) {
  let over = false;
  void until.then(() => (over = true));
  const worst = Object.fromEntries(Object.keys(ask).map((name) => [name, 0])) as Record<K, number>;
  const one = async (name: K) => {
    while (!over) {
      const begun = performance.now();
      await (await ask[name]()).arrayBuffer();
      worst[name] = Math.max(worst[name], performance.now() - begun);
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  };
  await Promise.all((Object.keys(ask) as K[]).map(one));
  return worst;
}

const callerOf =
  (server: Pick<Server, 'url'>) =>
  (cookie: string, method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { origin: server.url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

async function signUp(server: Server) {
  const email = `worst-${randomUUID()}@example.com`;
  const body = { name: 'Worst', email, password: PASSWORD };
  const answer = await callerOf(server)('', 'POST', '/api/auth/sign-up/email', body);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  await server.admin('grant-pro', email, '--reason', 'bench');
  return { cookie, uid: ((await answer.json()) as { user: { id: string } }).user.id };
}
