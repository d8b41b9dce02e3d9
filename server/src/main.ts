import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from './config.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { createLog, takeConsole } from './platform/log.ts';
import { sentenceOf } from './platform/logged-error.ts';
import { chooseFolder, makePrivateFolder, requireWritableFolder } from './platform/private-folder.ts';

/** Tells the operator a sentence; otherwise the start would end in a stack trace. */
const stop = (because: string): never => {
  if (process.env.LOG_FORMAT === 'json') createLog().info('start.failed', { because });
  else process.stderr.write(`\n${because}\n`);
  process.exit(1);
};

/** Where a source is wrong, while somebody changes it; a bundle has no such error. */
const placeOf = (error: unknown) => (error instanceof SyntaxError ? error.stack?.split('\n    at ')[0] : undefined);

try {
  homedir();
} catch {
  // The account has no entry in the system's list. Libraries that look for settings in the home folder, as that of S3 does, would fail.
  process.env.HOME = '/nonexistent';
}

// A container's first process ignores signals that nothing handles. Once it listens, the server handles this one itself.
const endEarly = () => process.exit(143);
process.once('SIGTERM', endEarly);

try {
  const settings = readConfig(process.env);
  const config = Object.freeze({ ...settings, DATA_DIR: chooseFolder(settings) });
  requireWritableFolder(config.DATA_DIR);
  const open = makePrivateFolder(config.DATA_DIR);
  const log = createLog();
  if (open.length > 0) {
    const warning = `Other users of this machine may read ${open.join(', ')}: the file system refused to close it.`;
    if (config.LOG_FORMAT === 'json') log.info('start.open_folder', { warning });
    else process.stderr.write(`${warning}\n`);
  }
  takeConsole(log);
  const opening = openDatabase({ config, log });
  // Awaited below, when the rest of the program is loaded.
  opening.catch(() => {});
  const { startServer } = await import('./start-server.ts');
  await startServer({ config, log, opening, environment: process.env });
  // The systemd service waits for it; such a folder goes with the process.
  const { RUNTIME_DIRECTORY } = process.env;
  if (RUNTIME_DIRECTORY !== undefined) writeFileSync(join(RUNTIME_DIRECTORY, 'listens'), '');
  process.off('SIGTERM', endEarly);
} catch (error) {
  stop(placeOf(error) ?? sentenceOf(error));
}
