import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_MODELS } from '@atelier/contract/agents';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { serve } from '@hono/node-server';
import { createApp, openProcess } from './app.ts';
import type { Config } from './config.ts';
import { reconcileSoon } from './features/billing/billing.reconcile.service.ts';
import { deliverSoon } from './features/contact/contact.delivery.service.ts';
import { resumeFiles } from './features/files/file-jobs.service.ts';
import { isUpload } from './features/files/files.routes.ts';
import { startMemory } from './features/memory/memory.service.ts';
import { describeBackups } from './features/operator/daily-backup.service.ts';
import { runAdminCommand } from './features/operator/operator.service.ts';
import { storeUses } from './features/providers/providers.service.ts';
import { applyDeletions } from './features/removal/apply-deletions.service.ts';
import { warmUpLog } from './features/runs/engine/log-writer.ts';
import { resumeImports } from './features/transfer/run-import.service.ts';
import { answerBaseBackup } from './platform/backup/embedded-source.ts';
import { serveCommands } from './platform/command-socket.ts';
import type { OpenedDatabase } from './platform/database/open-database.ts';
import type { Deps } from './platform/deps.ts';
import { createLocalTrust } from './platform/http/local-trust.ts';
import { endSlowBodies, endSlowReaders, headerBounds, REQUEST_BOUNDS } from './platform/http/slow-requests.ts';
import { createJobs } from './platform/jobs/jobs.pg-boss.ts';
import { createLive } from './platform/live-channel.ts';
import type { Log } from './platform/log.ts';
import { createMail } from './platform/mail/create-mail.ts';
import { createModels } from './platform/models/create-models.ts';
import { OWASP_COST } from './platform/password.ts';
import { createPayments } from './platform/payments/create-payments.ts';
import type { CallSelf } from './platform/payments/payments.ts';
import { createStorage } from './platform/storage/storage.ts';
import { tryUpgrade } from './try-upgrade.ts';

/** The environment: files of models and of tool servers may name secrets in it. */
type Variables = Readonly<Record<string, string | undefined>>;
/** How long the start waits for the providers' lists of models, and how often they are asked again. */
const LIST_MS = 2_000;
const REFRESH_MS = 5 * 60_000;
/** How often it is stored how providers were used. */
const USES_MS = 5_000;
/** How long answers may continue after a signal to stop. */
const ANSWERS_MAY_TAKE_MS = 10_000;
/** Ctrl+C comes from the terminal and again from the start script: within this time they count as one. */
const SAME_SIGNAL_MS = 500;

interface Start {
  config: Config;
  log: Log;
  opening: Promise<OpenedDatabase>;
  environment: Variables;
}

/** Serves until a signal comes, with the database that is being opened; resolves when the server listens and has said so. */
export async function startServer({ config, log, opening, environment }: Start): Promise<void> {
  const { models, listed } = listModels(config, environment, log);
  const { database, secrets } = await opening;
  const [AUTH_SECRET, ...AUTH_SECRET_OLD] = secrets;
  const live = await createLive(database);
  const jobs = createJobs({ database, log });
  const listening = Promise.withResolvers<string>();
  const trust = createLocalTrust(config, log);
  const payments = createPayments({ config, trust, callSelf: selfCaller(listening.promise) });
  const deps = {
    config: Object.freeze({ ...config, AUTH_SECRET, AUTH_SECRET_OLD }),
    database,
    db: database.db,
    models,
    payments,
    trust,
    mail: createMail(config),
    live,
    jobs,
    storage: createStorage(config),
    log,
    ...openProcess({ config, db: database.db, live, log, models }, environment),
    passwordCost: OWASP_COST,
  };
  const app = await createApp(deps);
  // Before the first request, because requests send jobs.
  await jobs.start();
  await catchUp(deps);
  await app.resumeQueues();
  await listed;
  const server = await listen(config, app.fetch);
  listening.resolve(localAddress(config, server));
  warmUp(deps);
  const stopCommands = await answerCommands(deps);

  const shutDown = async () => {
    // People stay connected meanwhile, so they see the rest of their answers.
    await app.drain(ANSWERS_MAY_TAKE_MS);
    server.close();
    await stopCommands();
    // Runs first: one that ends right now still sends its job.
    await app.stop();
    await jobs.stop();
    deps.mail.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await live.close();
    await Promise.all([payments.close(), storeLast(deps)]);
    await database.close();
    process.exit(0);
  };
  endBy(shutDown, log);
  report(config, server, deps);
  void app.tryParts();
}

/** Signals that stop the process, the second at once; errors that don't. */
function endBy(shutDown: () => Promise<void>, log: Deps['log']): void {
  // No request may end the process: log a rejection that nobody awaited, and go on.
  process.on('unhandledRejection', (reason) => log.error('process.unhandled', reason));
  // Node itself would print the error with everything attached.
  process.on('uncaughtException', (error) => {
    log.error('process.crashed', error);
    process.exit(1);
  });
  let first: number | undefined;
  const end = () => {
    if (first === undefined) {
      first = performance.now();
      shutDown().catch((error: unknown) => {
        log.error('process.stop', error);
        process.exit(1);
      });
    } else if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // A start script holds the other end; when it is killed outright, this process ends too.
  if (process.send !== undefined) process.on('disconnect', () => first === undefined && end());
}

/** The models, asked now and then which they are. A provider that is down must not keep the server from starting. */
function listModels(config: Config, variables: Variables, log: Log) {
  const models = createModels(config, { variables, log });
  const listed = Promise.race([models.refresh(), pause(LIST_MS, undefined, { ref: false })]);
  setInterval(() => void models.refresh(), REFRESH_MS).unref();
  return { models, listed };
}

/** While a process has the embedded database, admin commands are carried out by it. */
async function answerCommands(deps: Deps): Promise<() => Promise<void>> {
  if (deps.database.kind !== 'pglite') return async () => {};
  const copying = answerBaseBackup(deps.database.baseBackup);
  return serveCommands({
    folder: deps.config.DATA_DIR,
    log: deps.log,
    run: async (args, gone) => (await copying(args, gone)) ?? runAdminCommand(deps, args),
  });
}

/** Begins what goes on beside requests. Where it fails, the first question, or the next round, tries again. */
function warmUp(deps: Deps): void {
  deps.database.warmUp?.().catch((error) => deps.log.error('database.warm_up', error));
  startMemory(deps).catch((error) => deps.log.error('memory.start', error));
  warmUpLog(deps).catch((error) => deps.log.error('runs.log_failed', error));
  setInterval(() => void storeLast(deps), USES_MS).unref();
}

/** Stores how providers were used since the last time. */
const storeLast = (deps: Deps) => storeUses(deps).catch((error) => deps.log.error('models.uses', error));

/** Catches up with what happened while no process ran. */
async function catchUp(deps: Deps): Promise<void> {
  await applyDeletions(deps);
  await tryUpgrade(deps);
  await reconcileSoon(deps);
  await deliverSoon(deps);
  await resumeFiles(deps);
  await resumeImports(deps);
}

function listen(config: Config, fetch: Parameters<typeof serve>[0]['fetch']) {
  return new Promise<ReturnType<typeof serve>>((done, fail) => {
    const serverOptions = headerBounds(REQUEST_BOUNDS);
    const server = serve({ fetch, port: config.PORT, hostname: config.HOST, serverOptions }, () => done(server));
    endSlowBodies(server, REQUEST_BOUNDS, isUpload);
    endSlowReaders(server, REQUEST_BOUNDS);
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return fail(error);
      fail(
        new Error(
          `Port ${config.PORT} on ${config.HOST} is in use. Stop what holds it, or choose another: PORT=${config.PORT + 1} npm start`,
        ),
      );
    });
  });
}

type Listening = Awaited<ReturnType<typeof listen>>;

function portOf(config: Config, server: Listening): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : config.PORT;
}

const selfCaller =
  (address: Promise<string>): CallSelf =>
  async (path, init) =>
    fetch(`${await address}${path}`, init);

/** How this process reaches itself. */
function localAddress(config: Config, server: Listening): string {
  const any = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
  ]);
  return `http://${any.get(config.HOST) ?? config.HOST}:${portOf(config, server)}`;
}

const PAYMENT_OFF =
  'off: others can reach this server and no Paystack key is set, so Pro can’t be bought (PAYSTACK_SANDBOX=1 allows a rehearsal)';

const MAIL_OFF =
  'off: messages of the contact page wait in npm run admin -- inbox (set SMTP_URL and MAIL_TO, or EMAILJS_…)';

/** Whose models answer, how many there are, and which one stands in for what they lack. */
function describeModels({ label, list, standIn, providers }: Deps['models']): string {
  const ids = list().map(({ id }) => id);
  const missing = DEFAULT_MODELS.filter((id) => !ids.includes(id));
  const stands =
    missing.length > 0 && standIn() !== null ? `; ${standIn()} stands in for ${missing.join(' and ')}` : '';
  const assumed = providers().flatMap(({ name, problem }) =>
    problem === undefined ? [] : `; ${name} did not say which it has, so some are assumed: ${problem}`,
  );
  return `${label}: ${ids.length === 1 ? '1 model' : `${ids.length} models`}${stands}${assumed.join('')}`;
}

function toolServers({ operatorSources }: Deps): string {
  const off = operatorSources.filter(({ isOff }) => isOff).map(({ name }) => `“${name}”`);
  const counted = operatorSources.length === 1 ? '1 server' : `${operatorSources.length} servers`;
  const summary = off.length === 0 ? counted : `${counted}, ${off.join(', ')} off`;
  return `${summary} of MCP_SERVERS_FILE (npm run admin -- servers tries each)`;
}

const LOCAL_ONLY = 'this machine only; HOST=0.0.0.0 opens it to your network, PUBLIC_URL names its address there';

/** Tells the operator where the server listens and what it uses. */
function report(config: Config, server: Listening, deps: Deps): void {
  const port = portOf(config, server);
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.HOST) ? 'localhost' : config.HOST;
  const url = config.PUBLIC_URL ?? `http://${host}:${port}`;
  const models =
    deps.models.kind === 'offline'
      ? 'the built-in offline model (set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, to connect a real one)'
      : describeModels(deps.models);
  const parts = {
    database:
      deps.database.kind === 'pglite' ? `embedded, in ${resolve(config.DATA_DIR)}` : 'PostgreSQL, by DATABASE_URL',
    models,
    files: deps.storage.kind === 's3' ? `in the bucket ${config.S3_BUCKET}` : `in ${resolve(config.DATA_DIR, 'files')}`,
    backups: describeBackups(config),
    mail: deps.mail.kind === 'off' ? MAIL_OFF : deps.mail.label,
    ...(deps.operatorSources.length > 0 && { tools: toolServers(deps) }),
    payment: deps.payments.current?.label ?? PAYMENT_OFF,
    ...(deps.trust.refusal() === null && config.PUBLIC_URL === undefined && { network: LOCAL_ONLY }),
  };
  if (config.LOG_FORMAT === 'json') return deps.log.info('start.listens', { url, pid: process.pid, ...parts });
  const lines = Object.entries(parts).map(([part, about]) => `  ${part.padEnd(9)} ${about}\n`);
  process.stdout.write(`${PRODUCT_NAME} listens on ${url} (pid ${process.pid})\n${lines.join('')}`);
}
