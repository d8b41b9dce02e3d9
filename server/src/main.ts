import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { createLog, takeConsole } from './platform/log.ts';
import { sentenceOf } from './platform/logged-error.ts';
import { isWritableFolder, makePrivateFolder, requireWritableFolder } from './platform/private-folder.ts';

/** Prints a sentence for the operator; otherwise the start would end in a stack trace. */
const stop = (message: string): never => {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
};

/** Nothing that lasts is written where database and files are elsewhere: a temporary folder does, which ends with this process. */
function withFolder(config: Config): Config {
  const isElsewhere = config.DATABASE_URL !== undefined && config.S3_BUCKET !== undefined;
  if (!isElsewhere || isWritableFolder(config.DATA_DIR)) return config;
  const folder = mkdtempSync(join(tmpdir(), 'atelier-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return Object.freeze({ ...config, DATA_DIR: folder });
}

// A container's first process ignores signals that nothing handles. Once it listens, the server handles this one itself.
const endEarly = () => process.exit(143);
process.once('SIGTERM', endEarly);

try {
  const config = withFolder(readConfig(process.env));
  requireWritableFolder(config.DATA_DIR);
  const open = makePrivateFolder(config.DATA_DIR);
  if (open.length > 0)
    process.stderr.write(
      `Other users of this machine may read ${open.join(', ')}: the file system refused to close it.\n`,
    );
  const log = createLog();
  takeConsole(log);
  const opening = openDatabase({ config, log });
  // Awaited below, when the rest of the program is loaded.
  opening.catch(() => {});
  const { startServer } = await import('./start-server.ts');
  await startServer({ config, log, opening, environment: process.env });
  process.off('SIGTERM', endEarly);
} catch (error) {
  stop(sentenceOf(error));
}
