import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Every page of the application with a fixed address. */
export const applicationPages = (manifest: Manifest): BuiltRoute[] =>
  Object.values(manifest).filter(
    ({ parentId, path = '' }) => parentId === 'root' && !READING.has(path) && !/[:*]/u.test(path),
  );

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

/** What a shared conversation needs too; it loads by itself only once the page runs. */
export const formatterFiles = (client: string): string[] => builtFiles(client, [FORMATTER]);

/** A page whose words the script shows as soon as they come. As it may never load the application, it has the reading pages' colour switch. */
export const withFirstWords = (html: string, script: string): string =>
  html
    .replace('<link rel="stylesheet"', (link) => `<script>${script}</script>${link}`)
    .replace('</body>', '<script src="/static-page.js" async></script></body>');

/**
 * The workspace also needs its conversation, or what begins one; a small inline script starts loading it, before it would wait for styles, and
 * marks a page without a session.
 */
export function withConversation(html: string, client: string): string {
  const filesOf = (...names: string[]) =>
    JSON.stringify(
      largestFirst(
        client,
        builtFiles(client, names).filter((href) => !html.includes(href)),
      ),
    );
  const script = `const has=location.search.includes('sessionId=');has||(document.documentElement.dataset.noSession='');for(const href of has?${filesOf('runtime-conversation', FORMATTER)}:${filesOf('new-chat')})document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',fetchPriority:'low',href}))`;
  return html.replace('<link rel="stylesheet"', `<script>${script}</script>$&`);
}

/** Six files share the line at a time: the largest would be the last to arrive if it didn't begin first. */
function largestFirst(client: string, files: readonly string[]): string[] {
  const sizes = new Map(files.map((file) => [file, statSync(join(client, file)).size]));
  return [...files].sort((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
}

const MODULE_LINK = /<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>/gu;

/**
 * A document that names what its routes need, and `more`. Scripts come after what is visible without them, because browsers load named modules
 * as eagerly as styles and fonts; but the largest, which draws the page, begins with these.
 */
export function withRoute(html: string, client: string, routes: readonly BuiltRoute[], more: readonly string[] = []) {
  const named = Array.from(html.matchAll(MODULE_LINK), ([, href = '']) => href);
  const scripts = new Set([...named, ...routes.flatMap(({ module, imports }) => [module, ...imports]), ...more]);
  const styles = routes.flatMap(({ css }) => css).filter((href) => !html.includes(`href="${href}"`));
  const links = [
    ...styles.map((href) => `<link rel="stylesheet" href="${href}"/>`),
    ...largestFirst(client, [...scripts]).map(
      (href, i) => `<link rel="modulepreload" ${i === 0 ? '' : 'fetchpriority="low" '}href="${href}"/>`,
    ),
  ];
  return evaluatedInTurn(html.replaceAll(MODULE_LINK, ''), [...scripts]).replace('</head>', `${links.join('')}</head>`);
}

const START = /(<script type="module" async="">)([\s\S]*?)(<\/script>)/u;
/** The chunks of libraries, each after those that it imports. */
const LIBRARIES = ['router', 'data', 'base', 'signed-in'];

/**
 * The application's start evaluates the libraries one after another, each in a task of its own: what somebody types or presses meanwhile is
 * answered in between. Throws when the build's structure has changed.
 */
function evaluatedInTurn(html: string, scripts: readonly string[]): string {
  const code = START.exec(html)?.[2];
  if (code === undefined) throw new Error('A page does not start its application as expected');
  const libraries = LIBRARIES.flatMap((name) => scripts.find((href) => href.startsWith(`/assets/${name}-`)) ?? []);
  const awaited = code
    .replaceAll(/import \* as (\w+) from ("[^"]+")/gu, 'const $1=await import($2)')
    .replace(/^import ("[^"]+")/u, 'await import($1)');
  const first = `for(const href of ${JSON.stringify(libraries)})await import(href);`;
  return html.replace(START, (_all, open: string, _code, close: string) => open + first + awaited + close);
}

/** A page in the background is never painted; it starts this long after loading, in milliseconds. */
const UNSEEN_MS = 300;

/**
 * A document that is complete before its scripts run: they load after the first paint, because before it they would share the line with
 * visible content, and each is asked for in a task of its own, because a phone takes 10 ms for each. The start of the application becomes a
 * separate file. Throws when the build's structure has changed.
 */
export function startedOncePainted(html: string, client: string): string {
  const code = START.exec(html)?.[2];
  if (code === undefined) throw new Error('A page does not start its application as expected');
  const src = `/assets/start-${hash('sha256', code, 'hex').slice(0, 8)}.js`;
  writeFileSync(join(client, src), code);
  const hrefs = [...html.matchAll(MODULE_LINK)].map(([, href]) => href);
  const begin = `let begun=false;const add=(to,tag,values)=>to.append(Object.assign(document.createElement(tag),values));const begin=()=>{if(begun)return;begun=true;for(const href of ${JSON.stringify(hrefs)})setTimeout(add,0,document.head,'link',{rel:'modulepreload',href});setTimeout(add,0,document.body,'script',{type:'module',src:'${src}'})};const beginIfNeeded=()=>Promise.resolve(window.firstWords).then(begin);try{new PerformanceObserver(beginIfNeeded).observe({type:'paint',buffered:true})}catch{}setTimeout(()=>document.readyState==='complete'?setTimeout(beginIfNeeded,${UNSEEN_MS}):addEventListener('load',()=>setTimeout(beginIfNeeded,${UNSEEN_MS})))`;
  return html
    .replace(MODULE_LINK, '')
    .replace(START, (_all, open: string, _code, close: string) => `${open}${begin}${close}`);
}
