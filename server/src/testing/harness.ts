import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { createApp, openProcess } from '../app.ts';
import { readConfig } from '../config.ts';
import { recordProof } from '../features/accounts/accounts.tokens.service.ts';
import { grantPro } from '../features/billing/billing.service.ts';
import { createIndexClient, type IndexClient } from '../features/memory/index/worker-client.ts';
import type { Database } from '../platform/database/database.ts';
import type { Deps } from '../platform/deps.ts';
import { createLocalTrust } from '../platform/http/local-trust.ts';
import { createJobs } from '../platform/jobs/jobs.pg-boss.ts';
import { createLive } from '../platform/live-channel.ts';
import { silentLog } from '../platform/log.ts';
import { createMail } from '../platform/mail/create-mail.ts';
import { createModels } from '../platform/models/create-models.ts';
import { hashPassword } from '../platform/password.ts';
import { createPayments } from '../platform/payments/create-payments.ts';
import type { CallSelf } from '../platform/payments/payments.ts';
import { secretsOf } from '../platform/secrets.ts';
import { createStorage } from '../platform/storage/storage.ts';
import { borrowTestDatabase, dropJobs, emptyTables } from './database.ts';
import { type Answered, answerCheck } from './described-answers.ts';
import { requestOf } from './requests.ts';

export const ORIGIN = 'http://localhost';
export const PASSWORD = 'correct horse';
/** The hash itself has its own test at full cost; here it would be a tenth of the time. */
const PASSWORD_COST = { memory: 64, passes: 1, parallelism: 1 };
const passwordHash = hashPassword(PASSWORD, PASSWORD_COST);

export interface TestUser {
  uid: string;
  email: string;
  cookie: string;
}

export interface Answer {
  status: number;
  // Tests read answers of every shape; the contract's schemas are asserted where the shape is the point.
  body: ReturnType<typeof JSON.parse>;
  headers: Headers;
}

/** One statement: foreign keys are checked at its end. */
const ROWS = `
  with person as (insert into "user" (id, name, email, last_sign_in_at) values ($1, $2, $3, now())),
    profile as (insert into profiles (user_id) values ($1)),
    counts as (insert into usage (user_id) values ($1)),
    credential as (insert into account (id, account_id, provider_id, user_id, password) values ($1, $1, 'credential', $1, $4))
  insert into session (id, token, user_id, expires_at) values ($5, $6, $1, now() + make_interval(secs => $7))`;

/** The rows that a sign-up leaves, in a quarter of its time; returns the account's id and the cookie of its sign-in. */
async function insertAccount(
  { config, db, database }: Deps,
  { name, email, password }: { name: string; email: string; password: string },
) {
  const [uid, authSessionId] = [uuidv7(), uuidv7()];
  const token = randomBytes(24).toString('base64url');
  await database.executeSql(ROWS, [uid, name, email, password, authSessionId, token, config.SESSION_SECONDS]);
  await recordProof(db, { uid, authSessionId });
  const signature = createHmac('sha256', secretsOf(config)[0]).update(token).digest('base64');
  const prefix = config.PUBLIC_URL?.startsWith('https://') ? '__Host-' : '';
  return { uid, email, cookie: `${prefix}better-auth.session_token=${encodeURIComponent(`${token}.${signature}`)}` };
}

interface Options {
  env?: Record<string, string>;
  models?: Deps['models'];
  /** Another process on the same database. */
  database?: Database;
  log?: Deps['log'];
}

/** Indexes that no app uses: starting the worker of one takes as long as a dozen tests, and what others have left in it is found by nobody. */
const idleIndexes: IndexClient[] = [];

/** The real app on a real database, as one process; only the model provider and the network are replaced. */
export async function testApp(options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-test-'));
  const config = readConfig({
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret for tests only, long enough',
    AUTH_RATE_MAX: '100000',
    ACCOUNT_BOUNDS: '10000',
    OFFLINE_PAUSE_MS: '0',
    // Facts come some time after an exchange and take the place of what was said; their own tests switch them on.
    FACTS: 'off',
    BACKUP_TIME: 'off',
    ...options.env,
  });
  const database = options.database ?? (await borrowTestDatabase());
  const log = options.log ?? silentLog;
  const live = await createLive(database);
  // What comes each minute would take the tests' work away; they call it themselves.
  const jobs = createJobs({ database, log, roundMs: 86_400_000 });
  const models = options.models ?? createModels(config, { variables: options.env ?? {}, log });
  await models.refresh();
  const storage = createStorage(config);
  const trust = createLocalTrust(config, log);
  const callSelf: CallSelf = async (path, init) => app.request(`${ORIGIN}${path}`, init);
  const payments = createPayments({ config, trust, callSelf });
  const mail = createMail(config);
  const index = idleIndexes.pop() ?? createIndexClient();
  let isClosing = false;
  const made = {
    models,
    payments,
    trust,
    live,
    jobs,
    storage,
    mail,
    log,
    ...openProcess({ config, db: database.db, live, log, models }, options.env ?? {}),
    memoryIndex: { ...index, stop: async () => (isClosing ? undefined : index.stop()) },
  };
  const deps: Deps = { config, database, db: database.db, ...made, passwordCost: PASSWORD_COST };
  const app = await createApp(deps);
  await jobs.start();
  const send = app.request.bind(app);
  // Which payment provider there is decides about a route; nothing else changes the description.
  const compare = async (answered: Answered) => {
    const [, secret] = /session_token=([^.;]+)/u.exec(cookieOf(answered.headers)) ?? [];
    if (secret !== undefined && JSON.stringify(answered.body ?? '').includes(secret)) {
      throw new Error(`${answered.path} answers the session's token, which only its cookie may hold`);
    }
    (await answerCheck(payments.current?.name ?? 'off', app.describe))(answered);
  };
  app.request = async (...asked) => {
    const response = await send(...asked);
    const [input, init] = asked;
    const { method, url } = input instanceof Request ? input : { method: init?.method ?? 'GET', url: String(input) };
    const { pathname } = new URL(url, ORIGIN);
    const isFile = response.headers.has('content-disposition');
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && !isFile;
    const body = isJson ? await response.clone().json() : undefined;
    await compare({ method, path: pathname, status: response.status, headers: response.headers, body });
    return response;
  };

  async function request(
    method: string,
    path: string,
    more: { as?: TestUser | undefined; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { headers, ...init } = requestOf(ORIGIN, more.as?.cookie ?? '', method, more.body);
    const response = await send(`${ORIGIN}${path}`, { ...init, headers: { ...headers, ...more.headers } });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    const answer = { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    await compare({ method, path, ...answer });
    return answer;
  }

  /** What must succeed; answers its body. */
  async function call(as: TestUser, method: string, path: string, body?: unknown): Promise<Answer['body']> {
    const answer = await request(method, path, { as, body });
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  let count = 0;
  const newEmail = () => `user-${++count}-${Math.random().toString(36).slice(2)}@example.com`;
  const signUp = async (name = 'Ada'): Promise<TestUser> =>
    insertAccount(deps, { name, email: newEmail(), password: await passwordHash });
  /** The same by what the sign-up page sends, for tests about what else that leaves. */
  async function signUpByRequest(name = 'Ada'): Promise<TestUser> {
    const email = newEmail();
    const answer = await request('POST', '/api/auth/sign-up/email', { body: { name, email, password: PASSWORD } });
    if (answer.status !== 200) throw new Error(`sign-up answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return { uid: answer.body.user.id, email, cookie: cookieOf(answer.headers) };
  }

  const makePro = (uid: string) => grantPro(deps, { userId: uid, source: 'operator', reason: 'test' });
  return {
    deps,
    app,
    request,
    call,
    signUp,
    signUpByRequest,
    grantPro: makePro,
    async signUpPro(name?: string): Promise<TestUser> {
      const person = await signUp(name);
      await makePro(person.uid);
      return person;
    },
    /** Opens a session with an agent; returns its id. */
    startSession: async (as: TestUser, agentId: string): Promise<string> =>
      (await call(as, 'POST', '/api/sessions', { agentId })).session.id,
    /** Empties the database; jobs that a finished test has left are dropped or waited for, so that the next one hears nothing of them. */
    async reset() {
      await dropJobs(database);
      await emptyTables(database);
      // Nothing tells of emptied tables.
      await made.settings.read();
    },
    async close() {
      await jobs.stop();
      isClosing = true;
      await app.stop();
      // In a bench nobody uses it again, and its thread would keep the process from ending.
      if (process.env.VITEST === undefined) await index.stop();
      else idleIndexes.push(index);
      await payments.close();
      mail.close();
      await live.close();
      if (options.database === undefined) await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type TestApp = Awaited<ReturnType<typeof testApp>>;

/** The app of a test file, empty before each of its tests and closed after them. */
export async function emptyApp(options?: Options): Promise<TestApp> {
  // Benches use the harness too, and have no hooks.
  const [{ beforeEach }, { closing }] = await Promise.all([import('vitest'), import('./lifetimes.ts')]);
  const app = await closing(testApp(options));
  beforeEach(() => app.reset());
  return app;
}

/** The cookies that an answer sets, for the next request. */
export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
