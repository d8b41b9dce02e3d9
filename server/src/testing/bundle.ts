import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** Bundles the server if a source has changed, as `npm start` does; returns the file to start, so that tests start what ships. */
export function bundleServer(): string {
  const built = spawnSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`The server could not be bundled:\n${built.stdout}${built.stderr}`);
  return join(root, 'server', 'build', 'main.js');
}
