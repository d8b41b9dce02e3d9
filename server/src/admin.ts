import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { resolveTarget } from './platform/backup/operator-terminal.ts';
import { type Reply, sendCommand } from './platform/command-socket.ts';

/** A running embedded server holds its folder alone, so it does the work; otherwise the database is opened here. */
async function carryOut(config: Config, args: string[]): Promise<Reply> {
  // Loaded only when needed: beside a running server the command answers at once.
  const open = async (without?: Error) =>
    (await import('./admin-database.ts')).onDatabase({ config, args, environment: process.env }, without);
  if (config.DATABASE_URL === undefined) {
    const reply = await sendCommand(config.DATA_DIR, args);
    if (reply !== null) return reply;
    const message = `There is no database in ${config.DATA_DIR}. Start the server once, or set DATA_DIR or DATABASE_URL as it has them.`;
    if (!existsSync(join(config.DATA_DIR, 'db')))
      return args[0] === 'check' ? open(new Error(message)) : { ok: false, message };
  }
  return open();
}

/** A list is read here, `-` from the input: the server may not read the operator's files. */
const withList = (args: string[]): string[] =>
  args.map((word, at) =>
    args[at - 1] === '--list' ? readFileSync(word === '-' ? 0 : resolveTarget(word, process.env), 'utf8') : word,
  );

try {
  const { ok, message } = await carryOut(readConfig(process.env), withList(process.argv.slice(2)));
  (ok ? process.stdout : process.stderr).write(`${message}\n`);
  process.exitCode = ok ? 0 : 1;
  // A check may have left a database that is still waited for.
  if (process.argv[2] === 'check') process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
