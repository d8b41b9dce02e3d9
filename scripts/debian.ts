import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs in PATH. */
export function findInPath(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Installs Debian packages if this process may (root and apt-get); false if it may not, or on failure. */
export function installDebianPackages(...packages: string[]): boolean {
  if (process.getuid?.() !== 0 || findInPath('apt-get') === undefined) return false;
  console.log(`Installing ${packages.join(' ')} from Debian's packages …`);
  // RUNLEVEL=1 keeps a newly installed service from being started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 }).status === 0;
  return apt('-qq', 'update') && apt('-qq', 'install', '-y', '--no-install-recommends', ...packages);
}
