import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** Most servers of tests are over before optimized code would pay. */
export const BRIEF = ['--liftoff-only', '--no-opt', '--no-maglev'];

let bundled: string | undefined;

/** Bundles the server if a source has changed, as `npm start` does; returns the file to start, so that tests start what ships. */
export function bundleServer(): string {
  // No source changes during a run, and to look takes each time as long as a small test.
  if (bundled !== undefined) return bundled;
  const built = spawnSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`The server could not be bundled:\n${built.stdout}${built.stderr}`);
  return (bundled = join(root, 'server', 'build', 'main.js'));
}
