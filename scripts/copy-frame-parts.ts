import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(join(import.meta.dirname, '..', 'web', 'package.json'));

/**
 * Puts modules of others beside ours for the frames that show what answers contain, and the typeface into the sandbox's: a frame shares
 * nothing with the pages, so its parts can't be in the pages' bundle.
 */
export function copyFrameParts(client: string): void {
  copyMermaid(client);
  const sans = require.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2');
  cpSync(sans, join(client, 'sandbox', 'sans.woff2'));
  cpSync(join(dirname(require.resolve('dompurify')), 'purify.es.mjs'), join(client, 'frames', 'purify.es.mjs'));
}

/** Each kind of diagram is a file, loaded when an answer has one. */
function copyMermaid(client: string): void {
  const manifest = require.resolve('mermaid/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const from = join(dirname(manifest), 'dist');
  const to = join(client, 'assets', `mermaid-${version}`);
  const parts = join('chunks', 'mermaid.esm.min');
  cpSync(join(from, 'mermaid.esm.min.mjs'), join(to, 'mermaid.esm.min.mjs'));
  cpSync(join(from, parts), join(to, parts), { recursive: true, filter: (file) => !file.endsWith('.map') });
}
