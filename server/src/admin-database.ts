import { setTimeout as pause } from 'node:timers/promises';
import { type Config, findMisspelt } from './config.ts';
import { ACCOUNT_MAIL_RETRIES } from './features/accounts/accounts.mail.service.ts';
import { openOperatorServers } from './features/mcp/operator/operator-servers.service.ts';
import { runAdminCommand } from './features/operator/operator.service.ts';
import { AdvisedError } from './features/operator/parts.ts';
import type { Reply } from './platform/command-socket.ts';
import type { Database, Db } from './platform/database/database.ts';
import { type OpenedDatabase, openDatabase } from './platform/database/open-database.ts';
import { createLocalTrust } from './platform/http/local-trust.ts';
import { sendOnly } from './platform/jobs/job-statements.ts';
import { notifyChange } from './platform/live-channel.ts';
import { createLog, type Log, silentLog } from './platform/log.ts';
import { sentenceOf } from './platform/logged-error.ts';
import { createMail } from './platform/mail/create-mail.ts';
import { createModels } from './platform/models/create-models.ts';
import { createPayments } from './platform/payments/create-payments.ts';
import { createStorage } from './platform/storage/storage.ts';
import { isWebBuilt } from './web-pages.ts';

interface Command {
  config: Config;
  args: string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** Carries a command out on the database, opened for it; a check goes without, if need be. */
export async function onDatabase({ config, args, environment }: Command, without?: Error): Promise<Reply> {
  const log = silentLog;
  const isCheck = args[0] === 'check';
  // Nothing signs sessions here, and a server with DATABASE_URL keeps its secret to itself; a lost one of a folder is what a check looks for.
  const secret = isCheck && config.DATABASE_URL === undefined ? {} : { AUTH_SECRET: 'unused'.repeat(8) };
  const opening = async (openLog: Log) => {
    if (without !== undefined) throw without;
    return openDatabase({ config: { ...secret, ...config }, log: openLog, mayUpgrade: false });
  };
  const database = isCheck ? await openForCheck(config, opening) : (await opening(log)).database;
  const mail = createMail(config);
  const trust = createLocalTrust(config, log);
  const operatorSources = openOperatorServers({ config, db: database.db, log }, environment);
  try {
    // A mail is sent by the server, at once or when it starts.
    const mailing = { mail, jobs: sendOnly(ACCOUNT_MAIL_RETRIES), live: { notify: notifyChange } };
    const ctx = {
      database,
      db: database.db,
      config,
      operatorSources,
      ...mailing,
      log: createLog(),
      trust,
      models: createModels(config, { variables: environment }),
      payments: createPayments({ config, trust, callSelf: async () => ({ ok: false }) }),
      storage: createStorage(config),
      surroundings: { misspelt: findMisspelt(environment), isWebBuilt: isWebBuilt() },
    };
    return await runAdminCommand(ctx, args);
  } finally {
    await Promise.all(operatorSources.map((source) => source.close()));
    mail.close();
    await database.close();
  }
}

/** How long a check waits for PostgreSQL; a server waits until it is there. */
const OPEN_MS = 5_000;

/** The database, or one that says why it can't be opened: the other parts are tried all the same. */
async function openForCheck(config: Config, opening: (log: Log) => Promise<OpenedDatabase>): Promise<Database> {
  let because: unknown;
  const log: Log = { ...silentLog, info: (_event, fields) => void (because ??= fields?.because) };
  const late = async () => {
    await pause(OPEN_MS);
    throw new Error(`it can’t be reached: ${because ?? 'no answer'}`);
  };
  // A start that fails, as by a migration, says what helps; the address is right where it got that far.
  const opened = opening(log).then(
    ({ database }) => database,
    (error: unknown) => unopened(config, new AdvisedError(sentenceOf(error))),
  );
  return config.DATABASE_URL === undefined
    ? opened
    : Promise.race([opened, late()]).catch((error: Error) => unopened(config, error));
}

function unopened(config: Config, why: Error): Database {
  const fail = async () => Promise.reject(why);
  const refuse = () => {
    throw why;
  };
  return {
    kind: config.DATABASE_URL === undefined ? 'pglite' : 'postgres',
    db: new Proxy({} as Db, { get: refuse }),
    executeSql: fail,
    listen: fail,
    ping: fail,
    hasRoom: async () => true,
    close: async () => {},
  };
}
