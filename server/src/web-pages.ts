import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { secureHeaders } from 'hono/secure-headers';
import { z } from 'zod';
import { type Config, isPrivateWay, LOOPBACK } from './config.ts';
import { LOADS_NOTHING } from './platform/http/headers.ts';
import type { Payments } from './platform/payments/create-payments.ts';
import type { PaymentProvider } from './platform/payments/payments.ts';

const BUILD = fileURLToPath(new URL('../../web/build', import.meta.url));
const CLIENT = join(BUILD, 'client');
const FALLBACK = '__spa-fallback.html';
/** The page of every shared link; it asks for what the link shows. */
const SHARED_PAGE = '__shared.html';

export const isWebBuilt = () => existsSync(CLIENT);

const hashesOfPages = z.record(z.string(), z.array(z.string()));

/** Where every page has the place of the operator's announcement, see `web/app/lib/announcement.tsx`. */
const ANNOUNCEMENT = 'id="announcement-line">';
const withLine = (page: string, line: string) =>
  line === '' ? page : page.replace(ANNOUNCEMENT, () => `id="announcement-line" role="status">${line}`);

/**
 * Serves the built web application: files by path, prerendered pages, and for every other address the page that routes in the browser. Each
 * page has a content security policy that allows only the inline scripts written at build time, and at its top what `announced` answers.
 */
export function webPages(
  payments: Pick<Payments, 'current'>,
  publicUrl: string | undefined,
  announced: () => Promise<string>,
): MiddlewareHandler {
  if (!isWebBuilt()) {
    return async (c) => c.text('The web application is not built. Run npm start, or npm run build.', 503);
  }
  const hashes = readHashes();
  const html = readPages(publicUrl);
  const leadsSomewhere = readAddresses();
  const policyOf = (file: string) =>
    policy(hashes.get(file) ?? [], isSandboxPage(`/${file}`) ? "'self'" : "'none'", payments.current?.browser);
  const send = async (c: Context, file: string, status: 200 | 404, cache = 'no-cache') => {
    c.header('Content-Security-Policy', policyOf(file));
    c.header('Cache-Control', cache);
    return c.html(withLine(html.get(file) ?? '', await announced()), status);
  };
  const pages = new Hono();
  pages.use(compress());
  pages.use(`${SANDBOX}*`, onlyRehearsing(payments));
  // A browser asks for it on pages that name no icon, such as an answer of the API in a tab.
  pages.get('/favicon.ico', (c) => c.redirect('/favicon.svg', 301));
  pages.get('/robots.txt', (c) => c.text(robots(siteOf(c, publicUrl))));
  pages.get('/sitemap.xml', (c) =>
    c.body(sitemap(siteOf(c, publicUrl)), 200, { 'Content-Type': 'application/xml; charset=utf-8' }),
  );
  pages.get(`${SHARED}*`, (c) => {
    c.header('X-Robots-Tag', 'noindex');
    // What is behind a link, such as its continuation, is another page.
    const file = c.req.path.lastIndexOf('/') < SHARED.length ? SHARED_PAGE : FALLBACK;
    return send(c, file, leadsSomewhere(c.req.path) ? 200 : 404, 'private, no-store');
  });
  pages.get('*', async (c, next) => {
    const file = join('.', c.req.path, 'index.html');
    return html.has(file) ? send(c, file, 200) : next();
  });
  pages.use('*', headersOfFiles(policyOf));
  pages.use('*', serveStatic({ root: CLIENT, precompressed: true }));
  pages.get('/assets/*', (c) => c.text('Not found', 404));
  pages.get('*', (c) => send(c, FALLBACK, leadsSomewhere(c.req.path) ? 200 : 404));
  return async (c) => pages.fetch(c.req.raw, c.env);
}

const isAsset = (path: string) => path.startsWith('/assets/');
/** A worker has the policy of its script. */
const ASSET_POLICY = "default-src 'self'";

/** The headers of what is served as a file. */
const headersOfFiles =
  (policyOf: (file: string) => string): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (!c.res.ok) return;
    if (isFramePart(c.req.path)) c.header('Access-Control-Allow-Origin', '*');
    const own = isFrame(c.req.path) ? framePolicy(c.req.path) : policyOf(c.req.path.slice(1));
    const policy = isAsset(c.req.path) ? ASSET_POLICY : own;
    if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', policy);
    if (isAsset(c.req.path)) c.header('Cache-Control', 'public, max-age=31536000, immutable');
    else if (isFrame(c.req.path) || c.req.path.endsWith('.html')) c.header('Cache-Control', 'no-cache');
  };

/** The sandbox's page says "no money moves", so it must not exist where money does. */
const onlyRehearsing =
  (payments: Pick<Payments, 'current'>): MiddlewareHandler =>
  async (c, next) =>
    payments.current?.mode === 'sandbox' ? next() : c.text('Not found', 404);

/** Link previews need absolute addresses, which only the server knows. */
const RELATIVE = /(<meta property="og:(?:url|image)" content=")(?=\/)/gu;

/** Every page written at build time, by its file, except the sandbox's. */
function readPages(publicUrl: string | undefined): Map<string, string> {
  const origin = publicUrl === undefined ? '' : new URL(publicUrl).origin;
  const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const own = files.filter((file) => !isSandboxPage(`/${file}`) && !isFrame(`/${file}`));
  return new Map(own.map((file) => [file, readFileSync(join(CLIENT, file), 'utf8').replace(RELATIVE, `$1${origin}`)]));
}

/** Returns whether the application has a page at a path. */
function readAddresses(): (path: string) => boolean {
  const file = join(BUILD, 'addresses.json');
  const addresses = existsSync(file) ? z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
  const patterns = addresses.map((address) => new RegExp(`^${address.replaceAll(/:[^/]+/gu, '[^/]+')}/?$`, 'u'));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

const siteOf = (c: Context, publicUrl: string | undefined) => new URL(publicUrl ?? c.req.url).origin;

const robots = (site: string) => `User-agent: *
Disallow: /api/
Disallow: /v1/
Disallow: /sandbox/
Sitemap: ${site}/sitemap.xml
`;

const OPEN_PAGES = ['/', '/signup', '/login', '/contact', '/terms', '/privacy'];

const sitemap = (site: string) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${OPEN_PAGES.map((path) => `  <url><loc>${site}${path}</loc></url>`).join('\n')}
</urlset>
`;

function readHashes(): Map<string, string[]> {
  const file = join(BUILD, 'csp.json');
  const hashes = existsSync(file) ? hashesOfPages.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  return new Map(Object.entries(hashes));
}

const SANDBOX = '/sandbox/';
/** Only the sandbox's checkout page may be framed, and only by our pages. */
const isSandboxPage = (path: string) => path.startsWith(SANDBOX);

// Styles stay 'unsafe-inline': the dialog and toast libraries set style attributes and elements at run time.
const policy = (scriptHashes: string[], framedBy: string, checkout: PaymentProvider['browser'] | undefined) =>
  [
    "default-src 'self'",
    `script-src ${["'self'", ...scriptHashes.map((hash) => `'${hash}'`), ...(checkout?.scripts ?? [])].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...(checkout?.calls ?? [])].join(' '),
    ["frame-src 'self'", ...(checkout?.frames ?? [])].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ');

/** Whether the pages are a secure context. By plain http from another machine they aren't, and browsers report some headers as errors. */
const isSecureContext = ({ PUBLIC_URL, HOST }: Pick<Config, 'PUBLIC_URL' | 'HOST'>) =>
  PUBLIC_URL === undefined ? LOOPBACK.has(HOST) : isPrivateWay(PUBLIC_URL);

const SHARED = '/shared/';
/** A shared link's address is its key. */
const isShared = (path: string) => path.startsWith(SHARED) || path.startsWith(`/api${SHARED}`);

/**
 * Security headers, on every answer. No page may be framed, except the sandbox's checkout in our own pages; a shared link's address goes
 * nowhere; what names no policy of its own loads nothing.
 */
export function safeHeaders(config: Config, { current }: Payments): MiddlewareHandler {
  const always = {
    // Two years, as browsers' own lists ask for.
    strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') === true && 'max-age=63072000; includeSubDomains',
    // For browsers and plug-ins that are gone.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  };
  const headers = (xFrameOptions: 'DENY' | 'SAMEORIGIN', referrerPolicy: 'same-origin' | 'no-referrer') =>
    secureHeaders({
      ...always,
      xFrameOptions,
      referrerPolicy,
      // Banks confirm a card in a window that the provider's form opens and must stay connected to.
      crossOriginOpenerPolicy:
        isSecureContext(config) && (current?.browser.frames.length ? 'same-origin-allow-popups' : 'same-origin'),
    });
  const framed = headers('SAMEORIGIN', 'same-origin');
  const unframed = headers('DENY', 'same-origin');
  const unnamed = headers('DENY', 'no-referrer');
  // A page loads twenty of these: headers that only documents need would add 9 KB.
  const asset = secureHeaders({
    ...always,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xFrameOptions: false,
  });
  const of = (path: string) => {
    if (isAsset(path)) return asset;
    if (isShared(path)) return unnamed;
    return isSandboxPage(path) || isFrame(path) ? framed : unframed;
  };
  return async (c, next) => {
    await of(c.req.path)(c, next);
    if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', LOADS_NOTHING);
  };
}

const FRAMES = '/frames/';
const MERMAID = '/assets/mermaid-';

/** Pages that show what an answer contains, framed by our own pages: each has an origin of its own and may load nothing else. */
const isFrame = (path: string) => path.startsWith(FRAMES);

/** What such a page loads. Its origin is a foreign one to us, so this must be readable from everywhere; it is the same for everyone. */
const isFramePart = (path: string) => isFrame(path) || path.startsWith(MERMAID);

/** The policy of a frame. What an answer contains is shown in a frame inside, which inherits it and has no scripts. */
const framePolicy = (path: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    ...(path === `${FRAMES}preview.html` ? ['img-src data:', 'font-src data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
