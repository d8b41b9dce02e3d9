import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Puts Mermaid's own modules beside ours: a frame loads them that shares nothing with the pages, so they can't be part of the pages'
 * bundle. Each kind of diagram is a file, loaded when an answer has one.
 */
export function copyMermaid(client: string): void {
  const require = createRequire(join(import.meta.dirname, '..', 'web', 'package.json'));
  const manifest = require.resolve('mermaid/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const from = join(dirname(manifest), 'dist');
  const to = join(client, 'assets', `mermaid-${version}`);
  const parts = join('chunks', 'mermaid.esm.min');
  cpSync(join(from, 'mermaid.esm.min.mjs'), join(to, 'mermaid.esm.min.mjs'));
  cpSync(join(from, parts), join(to, parts), { recursive: true, filter: (file) => !file.endsWith('.map') });
}
