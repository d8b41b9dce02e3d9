import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { type Reply, sendCommand } from './platform/command-socket.ts';

/** A running embedded server holds its folder alone, so it does the work; otherwise the database is opened here. */
async function carryOut(config: Config, args: string[]): Promise<Reply> {
  if (config.DATABASE_URL === undefined) {
    const reply = await sendCommand(config.DATA_DIR, args);
    if (reply !== null) return reply;
    if (!existsSync(join(config.DATA_DIR, 'db'))) {
      return {
        ok: false,
        message: `There is no database in ${config.DATA_DIR}. Start the server once, or set DATA_DIR or DATABASE_URL as it has them.`,
      };
    }
  }
  return onDatabase(config, args);
}

/** Loads the server's parts only when needed: beside a running server the command answers at once. */
async function onDatabase(config: Config, args: string[]): Promise<Reply> {
  const [
    { runAdminCommand },
    { openOperatorServers },
    { openDatabase },
    { createLocalTrust },
    { createMail },
    { sendOnly },
    mails,
    live,
    logs,
  ] = await Promise.all([
    import('./features/operator/operator.service.ts'),
    import('./features/mcp/operator/operator-servers.ts'),
    import('./platform/database/open-database.ts'),
    import('./platform/http/local-trust.ts'),
    import('./platform/mail/create-mail.ts'),
    import('./platform/jobs/job-statements.ts'),
    import('./features/accounts/accounts.mail.service.ts'),
    import('./platform/live-channel.ts'),
    import('./platform/log.ts'),
  ]);
  const log = logs.silentLog;
  // Nothing signs sessions here; a server with DATABASE_URL keeps its secret to itself.
  const { database } = await openDatabase({ config: { AUTH_SECRET: 'unused'.repeat(8), ...config }, log });
  const mail = createMail(config);
  const operatorLinks = openOperatorServers({ config, db: database.db, log }, process.env);
  try {
    // A mail is sent by the server, at once or when it starts.
    const told = { mail, jobs: sendOnly(mails.ACCOUNT_MAIL_RETRIES), live: { notify: live.notifyChange } };
    const ctx = {
      db: database.db,
      config,
      operatorLinks,
      ...told,
      log: logs.createLog(),
      trust: createLocalTrust(config, log),
    };
    return await runAdminCommand(ctx, args);
  } finally {
    await Promise.all(operatorLinks.map((link) => link.close()));
    mail.close();
    await database.close();
  }
}

try {
  const { ok, message } = await carryOut(readConfig(process.env), process.argv.slice(2));
  (ok ? process.stdout : process.stderr).write(`${message}\n`);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
