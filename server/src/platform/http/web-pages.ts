import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { z } from 'zod';

const BUILD = fileURLToPath(new URL('../../../../web/build', import.meta.url));
const CLIENT = join(BUILD, 'client');
const FALLBACK = '__spa-fallback.html';

const hashesOfPages = z.record(z.string(), z.array(z.string()));

/**
 * Serves the built web application: files by their path, prerendered pages, and for every other address the page that finds its
 * way in the browser. Each page carries a content security policy that admits just the inline scripts written at build time.
 */
export function webPages(): MiddlewareHandler {
  if (!existsSync(CLIENT)) {
    return async (c) => c.text('The web application is not built. Run npm start, or npm run build.', 503);
  }
  const hashes = readHashes();
  const onFound = (path: string, c: Context) => {
    const file = relative(CLIENT, path);
    if (file.endsWith('.html')) {
      c.header('Content-Security-Policy', policy(hashes[file] ?? []));
      c.header('Cache-Control', 'no-cache');
    } else if (file.startsWith('assets/')) {
      c.header('Cache-Control', 'public, max-age=31536000, immutable');
    }
  };
  const pages = new Hono();
  pages.use(compress());
  pages.use('*', serveStatic({ root: CLIENT, onFound }));
  pages.get('/assets/*', (c) => c.text('Not found', 404));
  pages.get('*', serveStatic({ root: CLIENT, path: FALLBACK, onFound }));
  return async (c) => pages.fetch(c.req.raw, c.env);
}

function readHashes() {
  const file = join(BUILD, 'csp.json');
  return existsSync(file) ? hashesOfPages.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

// Styles stay 'unsafe-inline': the dialog and toast libraries set style attributes and elements at run time.
const policy = (scriptHashes: string[]) =>
  [
    "default-src 'self'",
    `script-src ${["'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
