import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT_NAME } from '@atelier/contract/product';

/** A route in React Router's build: its script, that script's imports, and its styles. */
interface BuiltRoute {
  id: string;
  parentId?: string;
  path?: string;
  module: string;
  imports: string[];
  css: string[];
}
export type Manifest = Record<string, BuiltRoute>;

/** Reads the routes from the browser's manifest. */
export function readManifest(client: string): Manifest {
  const assets = join(client, 'assets');
  const name = readdirSync(assets).find((file) => /^manifest-[^.]+\.js$/u.test(file));
  if (name === undefined) throw new Error('The build wrote no manifest');
  const text = readFileSync(join(assets, name), 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)).routes;
}

/** Pages without the application need no document of this kind. */
const READING = new Set(['', 'contact', 'terms', 'privacy']);

/** Every page of the application with a fixed address, and its routes. */
export function applicationPages(manifest: Manifest): { path: string; ids: string[] }[] {
  return Object.values(manifest).flatMap(({ id, parentId, path = '' }) =>
    parentId !== 'root' || READING.has(path) || /[:*]/u.test(path) ? [] : [{ path, ids: [id] }],
  );
}

/** Build files by their source, with what they import in turn. */
function builtFiles(client: string, names: readonly string[]): string[] {
  const all = readdirSync(join(client, 'assets'));
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const code = readFileSync(join(client, 'assets', file), 'utf8');
    for (const [, next = ''] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/gu)) add(next);
  };
  for (const name of names) {
    const file = all.find((candidate) => candidate.startsWith(`${name}-`) && candidate.endsWith('.js'));
    if (file === undefined) throw new Error(`The build made no ${name}`);
    add(file);
  }
  return [...found].map((file) => `/assets/${file}`);
}

const FORMATTER = 'answer-markdown';

/** A shared conversation needs the formatter too, which loads by itself only once the page runs. */
export function withFormatter(html: string, client: string): string {
  const files = builtFiles(client, [FORMATTER]).filter((href) => !html.includes(href));
  const links = files.map((href) => `<link rel="modulepreload" fetchpriority="low" href="${href}"/>`);
  return html.replace('</head>', `${links.join('')}</head>`);
}

/** The workspace with a session in its address also needs the conversation; a small inline script starts loading it. */
export function withConversation(html: string, client: string): string {
  const files = builtFiles(client, ['runtime-conversation', FORMATTER]).filter((href) => !html.includes(href));
  const script = `if(location.search.includes('sessionId='))for(const href of ${JSON.stringify(files)})document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',fetchPriority:'low',href}))`;
  return html.replace('</head>', `<script>${script}</script></head>`);
}

/** The build's file that draws the page: its largest script, and none runs before it. */
const FIRST_SCRIPT = '/assets/entry.client-';

/**
 * A document that names what its routes need. Scripts come after what is visible without them, because browsers load named modules as
 * eagerly as styles and fonts; but the largest begins with these, or it would be the last to arrive.
 */
export function withRoute(html: string, manifest: Manifest, ids: readonly string[]): string {
  const routes = ids.map((id) => manifest[id]).filter((route) => route !== undefined);
  const scripts = routes.flatMap(({ module, imports }) => [module, ...imports]);
  const named = new Set([...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/gu)].map(([, href]) => href));
  const missing = [...new Set(scripts)].filter((href) => !named.has(href));
  const styles = routes.flatMap(({ css }) => css).filter((href) => !html.includes(`href="${href}"`));
  const links = [
    ...styles.map((href) => `<link rel="stylesheet" href="${href}"/>`),
    ...missing.map((href) => `<link rel="modulepreload" href="${href}"/>`),
  ].join('');
  return html
    .replace('</head>', `${links}</head>`)
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
    .replace(`fetchpriority="low" href="${FIRST_SCRIPT}`, `href="${FIRST_SCRIPT}`);
}

const TITLE = /<title>[^<]*<\/title>/u;
const DESCRIPTION = /<meta name="description"[^>]*>/u;

/** The document of shared links: no search engine lists it, and a preview of the link says nothing of what is shared. */
export function withoutTraces(html: string): string {
  if (!TITLE.test(html) || !DESCRIPTION.test(html)) throw new Error('The fallback page has no title or description');
  const title = `A shared conversation · ${PRODUCT_NAME}`;
  const description = `Somebody shared a conversation with an AI agent, made in ${PRODUCT_NAME}.`;
  const preview = [
    ['og:type', 'website'],
    ['og:site_name', PRODUCT_NAME],
    ['og:title', title],
    ['og:description', description],
  ];
  const tags = preview.map(([name, content]) => `<meta property="${name}" content="${content}"/>`).join('');
  return html
    .replace(TITLE, `<title>${title}</title>`)
    .replace(DESCRIPTION, `<meta name="description" content="${description}"/>`)
    .replace('</head>', `<meta name="robots" content="noindex"/>${tags}</head>`);
}

const MODULE_LINK = /<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>/gu;
const START = /(<script type="module" async="">)([\s\S]*?)(<\/script>)/u;
/** A page in the background is never painted; it starts this long after loading, in milliseconds. */
const UNSEEN_MS = 300;

/**
 * A document that is complete before its scripts run: they load after the first paint, because before it they would share the line with
 * visible content. The start of the application becomes a separate file. Throws when the build's structure has changed.
 */
export function startedOncePainted(html: string, client: string): string {
  const code = START.exec(html)?.[2];
  if (code === undefined) throw new Error('A page does not start its application as expected');
  const src = `/assets/start-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  writeFileSync(join(client, src), code);
  const hrefs = [...html.matchAll(MODULE_LINK)].map(([, href]) => href);
  const begin = `let begun=false;const add=(to,tag,values)=>to.append(Object.assign(document.createElement(tag),values));const begin=()=>{if(begun)return;begun=true;for(const href of ${JSON.stringify(hrefs)})add(document.head,'link',{rel:'modulepreload',href});add(document.body,'script',{type:'module',src:'${src}'})};try{new PerformanceObserver(begin).observe({type:'paint',buffered:true})}catch{}setTimeout(()=>document.readyState==='complete'?setTimeout(begin,${UNSEEN_MS}):addEventListener('load',()=>setTimeout(begin,${UNSEEN_MS})))`;
  return html
    .replace(MODULE_LINK, '')
    .replace(START, (_all, open: string, _code, close: string) => `${open}${begin}${close}`);
}
