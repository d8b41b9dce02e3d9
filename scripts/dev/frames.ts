import { cpSync, existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { copyFrameParts } from '../copy-frame-parts.ts';

/** Served by the server, because they depend on its headers. */
const FOLDERS = ['frames', 'sandbox'];

/** Copies what differs into the built pages; a build that was changed is no longer that of its sources. */
function copyChanged(web: string): void {
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(web, 'public', folder))) {
      const [from, to] = ['public', 'build/client'].map((place) => join(web, place, folder, name)) as [string, string];
      if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) continue;
      cpSync(from, to);
      for (const file of [`${to}.br`, `${to}.gz`, join(web, 'build', 'built-from')]) rmSync(file, { force: true });
    }
  }
}

/** Puts the frames and Mermaid where the server finds them, without a build of the pages, and follows their changes. */
export function serveFrames(web: string): { close(): void } {
  copyChanged(web);
  copyFrameParts(join(web, 'build', 'client'));
  const watchers = FOLDERS.map((folder) => watch(join(web, 'public', folder), () => copyChanged(web)));
  return {
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}
