import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import routes from '../web/app/routes.ts';
import { copyFrameParts } from './copy-frame-parts.ts';
import { compileFirstWords } from './first-words.ts';
import {
  applicationPages,
  formatterFiles,
  readManifest,
  startedOncePainted,
  withConversation,
  withFirstWords,
  withRoute,
} from './route-documents.ts';

/**
 * Runs after the build of the web pages.
 * - Reading pages lose the application's scripts, which they don't need, and get one small file for the colour scheme (and the contact page
 *   its form's, marked `data-kept`).
 * - Each page of the application gets its own document, which names its scripts and styles so that they load in one round. A page that is
 *   complete without scripts loads them after the first paint.
 * - The hashes of all inline scripts that are left are written per page, so that the server's content security policy can allow exactly
 *   these.
 * - Scripts and styles are compressed once, as small as possible.
 */
const build = join(import.meta.dirname, '..', 'web', 'build');
const client = join(build, 'client');
const STATIC_PAGES = ['index.html', 'contact/index.html', 'terms/index.html', 'privacy/index.html'];
const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/gu;

/** Keeps the first inline script (the colour scheme, before the first paint) and removes what starts the application. */
function withoutApplication(html: string): string {
  let first = true;
  const bare = html
    .replace(/<link rel="modulepreload"[^>]*>/gu, '')
    .replace(SCRIPT, (script: string, attributes: string) => {
      if (attributes.includes('data-kept')) return script;
      const keep = first;
      first = false;
      return keep ? script : '';
    });
  return bare.replace('</body>', '<script src="/static-page.js" defer></script></body>');
}

function inlineHashes(html: string): string[] {
  const inline = [...html.matchAll(SCRIPT)].filter(([, attributes]) => !/\bsrc=/u.test(attributes ?? ''));
  return inline.map(([, , body = '']) => `sha256-${hash('sha256', body, 'base64')}`);
}

for (const page of STATIC_PAGES) {
  const file = join(client, page);
  const html = withoutApplication(readFileSync(file, 'utf8'));
  if (!html.includes('prefers-color-scheme')) throw new Error(`${page} lost its colour scheme script`);
  writeFileSync(file, html);
}

const manifest = readManifest(client);
const fallback = readFileSync(join(client, '__spa-fallback.html'), 'utf8');
for (const route of applicationPages(manifest)) {
  const { path = '' } = route;
  const file = join(client, path, 'index.html');
  const isWritten = existsSync(file);
  const html = isWritten ? readFileSync(file, 'utf8') : fallback;
  mkdirSync(join(client, path), { recursive: true });
  const whole = withRoute(html, client, [route]);
  const ready = isWritten ? startedOncePainted(whole, client) : whole;
  writeFileSync(file, path === 'runtime' ? withConversation(ready, client) : ready);
}
writeFileSync(join(client, '__spa-fallback.html'), withRoute(fallback, client, []));
const sharedRoute = Object.values(manifest).filter(({ id }) => id === 'pages/shared');
const frame = join(client, 'shared');
const shared = withRoute(
  readFileSync(join(frame, 'link/index.html'), 'utf8'),
  client,
  sharedRoute,
  formatterFiles(client),
);
rmSync(frame, { recursive: true });
const ready = withFirstWords(startedOncePainted(shared, client), await compileFirstWords(client));
writeFileSync(join(client, '__shared.html'), ready);

copyFrameParts(client);
const files = readdirSync(client, { recursive: true, encoding: 'utf8' });
const pages = files.filter((name) => name.endsWith('.html')).sort();
const hashes = Object.fromEntries(
  pages.map((name) => [name.replaceAll('\\', '/'), inlineHashes(readFileSync(join(client, name), 'utf8'))]),
);
writeFileSync(join(build, 'csp.json'), `${JSON.stringify(hashes, null, 2)}\n`);

/** Every address of the application; the server answers 404 for all others. */
type Route = { path?: string | undefined; children?: Route[] | undefined };
const addressesOf = (found: Route[], parent = ''): string[] =>
  found.flatMap(({ path = '', children = [] }) => {
    const here = path === '' ? parent : `${parent}/${path}`;
    return path === '*' ? [] : [here === '' ? '/' : here, ...addressesOf(children, here)];
  });
writeFileSync(join(build, 'addresses.json'), `${JSON.stringify(addressesOf(routes), null, 2)}\n`);

const compress = promisify(brotliCompress);
// On every core at once: it is half of the build's work.
await Promise.all(
  files
    .filter((name) => /^(?:assets|frames)\b.*\.(?:m?js|css)$/u.test(name))
    .map(async (name) => {
      const file = join(client, name);
      await writeFile(`${file}.br`, await compress(await readFile(file)));
    }),
);
console.log(`${STATIC_PAGES.length} pages without application scripts; hashes of ${pages.length} pages in csp.json`);
