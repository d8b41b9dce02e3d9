import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, normalizePath, type Plugin } from 'vite';
import { iconComponents } from './icon-components.ts';
import { withoutServerParts } from './without-server-parts.ts';

/**
 * What no page uses of its libraries, though a bundler can't know: the text itself, or all from it to another one. After an update a library
 * may say it in other words; then the build stops.
 */
const UNUSED: Record<string, [from: string, until: string, instead?: string][]> = {
  'zod/v4/classic/schemas.js': [
    // The contract says `z.email()`, not `z.string().email()`, and encodes nothing.
    [', {\n    email(params) {', ');\nexport function string('],
    ['exactOptional() {', 'nullable() {'],
    ['nonoptional(params) {', 'array() {'],
    ['exactPartial(...args) {', '});\nexport function object('],
    ['and(arg) {', 'transform(tx) {'],
    ['prefault(d) {', 'catch(params) {'],
    ['readonly() {', 'describe(description) {'],
    ['encode: function _encode', 'toJSONSchema(params) {'],
    // No JSON contains itself.
    ['core.memoizer()', '', 'undefined'],
    // Compiled parsers are forbidden by the pages' security policy.
    ['core.$ZodObjectJIT.init', '', 'core.$ZodObject.init'],
  ],
  // Nobody watches the router, and the browser has all routes from the start. No route loads data or takes a form: none has a loader, an
  // action or middleware, nothing is fetched through the router, and so nothing is redirected by an answer.
  'lib/router/router.js': [
    ['if (init.instrumentations) {', 'let future = '],
    ['consumeInstrumentationClientResultMetaReceiver(router)', '', 'undefined'],
    ['if (opts?.instrumentationNavigateMetaReceiver) {', 'if (!matches) {'],
    ['if (init.instrumentations) router', 'return router;'],
    ['else if (opts && opts.submission && isMutationMethod(', 'let { shortCircuited, matches: updatedMatches'],
    ['async function handleAction(', 'async function handleLoaders('],
    ['if (isFogOfWar) {', 'let { dsMatches, revalidatingFetchers } = getMatchesToLoad('],
    ['let redirect = findRedirect(loaderResults);', 'let workingFetchers = new Map(state.fetchers);'],
    ['async function fetch(key, ', 'async function startRedirectNavigation('],
    ['if (init.patchRoutesOnNavigation) {', 'return {\n\t\t\tactive: false'],
    ['if (!opts || !isSubmissionNavigation(opts)) ', '}\nfunction getMatchesToLoad(', 'return { path };\n'],
    ['fetchLoadMatches.forEach((f, key) => {', 'return {\n\t\tdsMatches,'],
    ['if (!args.matches.some((m) => m.route.middleware)) ', 'return defaultDataStrategy(args);'],
    [
      'let runClientMiddleware = isStaticHandler',
      'let results = await dataStrategyImpl({',
      'let runClientMiddleware;\n\t',
    ],
  ],
  'lib/dom-export/hydrated-router.js': [
    ['UNSAFE_decodeViaTurboStream(stream, window)', '', 'Promise.resolve({ value: { loaderData: {} } })'],
    ['dataStrategy: UNSAFE_getTurboStream', '});\n\tssrInfo.router = router;'],
    ['router.createRoutesForHMR = ', 'window.__reactRouterDataRouter'],
    ['UNSAFE_useFogOFWarDiscovery(router, ', 'return /* @__PURE__ */'],
  ],
  'lib/dom/ssr/routes.js': [
    ['return routeModule.clientLoader({', '});\n\t\t\t};\n\t\t\tdataRoute.loader.hydrate'],
    ['dataRoute.action = ({ request', '} else {\n\t\t\tif (!route.hasClientLoader)'],
    ['if (!route.hasClientAction) dataRoute.action', 'let lazyRoutePromise;'],
    ['loader: route.hasClientLoader ? async', 'shouldRevalidate: async'],
  ],
  // No link asks for its page before it is pressed.
  'lib/dom/lib.js': [
    ['usePrefetchBehavior(prefetch, rest)', '', '[]'],
    ['shouldPrefetch && !isAbsolute ?', 'link;\n});\nLink.displayName'],
    ['React$1.forwardRef(({ discover = "render", fetcherKey', 'Form.displayName', '{};\n'],
  ],
  'lib/dom/ssr/components.js': [['isPageLinkDescriptor(link) ?', '/* @__PURE__ */ React$1.createElement("link", {']],
};

function without(code: string, [from, until, instead = '']: [from: string, until: string, instead?: string]): string {
  const start = code.indexOf(from);
  const end = code.indexOf(until, start + from.length);
  if (start < 0 || end < 0) throw new Error(`A library has changed: “${from}” is not in it any more`);
  return code.slice(0, start) + instead + code.slice(end);
}

const APP = normalizePath(join(import.meta.dirname, 'app'));

const slimLibraries: Plugin = {
  name: 'slim-libraries',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (
      id.startsWith(APP) &&
      /\b(?:client(?:Loader|Action|Middleware)|use(?:Fetcher|Submit|Revalidator))\b/u.test(code)
    )
      throw new Error(`${id} needs what UNUSED leaves out of the router`);
    const file = Object.keys(UNUSED).find((end) => id.endsWith(end));
    const rest = file && UNUSED[file]?.reduce(without, code);
    // Of Zod's schemas every one can describe itself, as JSON Schema and by its limits; that is a fifth of Zod.
    return rest
      ?.replaceAll(/^\s*inst\._zod\.processJSONSchema = .*;$/gmu, '')
      .replaceAll('processors.aggregateChecks(inst)', '({})')
      .replaceAll(/create(?:Standard|To)JSONSchemaMethod\(this,[^)]*\)/gu, '(() => undefined)');
  },
};

/** What `fonts.css` says of Latin. */
const latinAtFirst: Plugin = {
  name: 'latin-at-first',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/theme.css')) return null;
    const [faces, ...others] = code.split(/(?<=font-display:\s*)swap(?=;[^}]*source-sans-3-latin-wght)/u);
    if (others.length !== 1)
      throw new Error('The font’s package has changed: its Latin letters are not found any more');
    return `${faces}optional${others[0]}`;
  },
};

const CONTRACT = normalizePath(join(import.meta.dirname, '..', 'contract', 'src'));

const slimCalls: Plugin = {
  name: 'slim-calls',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: (code, id) => (id.startsWith(CONTRACT) && code.includes(' calls(') ? withoutServerParts(code) : null),
};

/** Files by their path without the ending. Throws for one that doesn't exist, which would otherwise quietly move to another chunk. */
const listed = (folder: string, names: string[]) =>
  new Set(
    names.map((name) => {
      const file = ['.ts', '.tsx'].map((ending) => `${folder}/${name}${ending}`).find((path) => existsSync(path));
      if (file === undefined) throw new Error(`vite.config.ts names ${name}, which is not in ${folder}`);
      return file;
    }),
  );

/** What every page of the application needs comes in one file and what a signed-in one needs in another, not in forty that a phone would fetch six at a time. */
const LIBRARIES = /node_modules[\\/](?:react|react-dom|react-router|scheduler|@tanstack|zod)[\\/]/u;
const EVERYWHERE = listed(CONTRACT, ['accounts', 'calls', 'errors', 'ids', 'product', 'accounts/sign-in']);
/** What is fetched later than the page: what follows changes, and what brings a library with it. */
const LATER = new Set([
  ...listed(`${APP}/lib`, [
    'live/live',
    'live/live-hub',
    'markdown/addresses',
    'markdown/formulas',
    'markdown/plain-words',
    'markdown/tree',
  ]),
  ...listed(`${APP}/ui`, [
    'overlay/dialog',
    'overlay/alert-dialog',
    'overlay/danger-button',
    'overlay/popover-sheet',
    'overlay/drawer-sheet',
    'overlay/discard-question',
    'overlay/toast-stack',
    'overlay/sheet-classes',
    'focus/first-field',
    'focus/use-return-focus',
  ]),
]);
/** What surrounds the signed-in pages, with all that it imports, and the small files that the workspace shares with its later parts. */
const SIGNED_IN = new Set([
  ...listed(CONTRACT, ['agents/ready-agents', 'memory', 'names/addresses', 'prompts', 'runs']),
  ...listed(`${APP}/lib`, [
    'live/live-events',
    'offline-notice',
    'share-open',
    'typed/saved-form',
    'uploads/use-dropped-files',
    'wishes',
  ]),
  ...listed(`${APP}/ui`, ['failure', 'list/time', 'overlay/menu', 'overlay/popover']),
  ...listed(`${APP}/features`, [
    'agents/agent-left-open',
    'agents/model-choice',
    'agents/model-menu',
    'runs/runs.api',
    'runs/task-patches',
    'runs/answer/answer-format',
    'runs/composer/composer',
    'runs/composer/drafts',
    'runs/composer/limit-banner',
    'runs/composer/limits',
    'runs/composer/outbox',
    'runs/composer/run-stores',
    'runs/composer/sender',
    'runs/conversation/starters',
    'runs/conversation/timeline-skeleton',
    'runs/conversation/use-shortcuts',
    'sessions/use-start-chat',
    'shares/share-button',
  ]),
  ...listed(`${APP}/pages`, [
    'frame-parts/signed-in-frame',
    'runtime-parts/message-extras',
    'runtime-parts/new-chat-skeleton',
  ]),
]);
/** Small files that show an answer, of a conversation or a shared one. */
const ANSWER = new Set([
  ...listed(`${APP}/ui`, ['copy-button']),
  ...listed(`${APP}/features/runs`, ['answer/answer-link', 'answer/answer-text', 'attachments/enlarge']),
]);
/** Small files that an open conversation shares with other pages. */
const CONVERSATION = new Set([
  ...listed(CONTRACT, ['files']),
  ...listed(`${APP}/lib`, ['uploads/file-input', 'uploads/send-file', 'uploads/upload-line']),
  ...listed(`${APP}/ui`, ['focus/use-focus', 'progress-bar']),
  ...listed(`${APP}/features`, [
    'facts/fact-edit',
    'facts/fact-actions',
    'memory/receipt',
    'mcp/contents/contents.api',
    'runs/branches/use-exchange-commands',
    'usage/usage-words',
  ]),
]);
/** Small files of the other pages of an account, and of those where agents of others are used. */
const ACCOUNT = listed(APP, [
  'ui/list/use-filters',
  'ui/list/card-grid',
  'ui/list/figure-table',
  'ui/list/load-more',
  'pages/frame-parts/account-page',
]);
const EXPLORING = listed(APP, [
  'features/explore/agent-notes',
  'features/explore/use-agent-button',
  'features/favorites/favorite-button',
  'pages/explore-parts/use-and-try',
]);
/** Of the icons, those that the workspace shows at once and other pages too. */
const ICONS = /~icons\/(?:archive-restore|arrow-left|ellipsis|file-text|pin|plus|trash-2)$/u;
const isBase = (id: string) =>
  !LATER.has(id) &&
  !SIGNED_IN.has(id) &&
  !ANSWER.has(id) &&
  !CONVERSATION.has(id) &&
  (LIBRARIES.test(id) || id.startsWith(`${APP}/lib/`) || id.startsWith(`${APP}/ui/`) || EVERYWHERE.has(id));
// A browser fetches six files at a time over HTTP/1.1, and each gets its share of the line: a large file alone would be the last.
const groups = [
  { name: 'router', test: /node_modules[\\/]react-router[\\/]|pages[\\/]not-found/u },
  { name: 'data', test: /node_modules[\\/](?:@tanstack|zod)[\\/]/u },
  { name: 'base', test: isBase, minShareCount: 5 },
  { name: 'signed-in', test: (id: string) => SIGNED_IN.has(id) || ICONS.test(id) },
  { name: 'answer', test: (id: string) => ANSWER.has(id) },
  { name: 'conversation', test: (id: string) => CONVERSATION.has(id) },
  { name: 'account-parts', test: (id: string) => ACCOUNT.has(id) },
  { name: 'exploring', test: (id: string) => EXPLORING.has(id) },
];

export default defineConfig({
  plugins: [tailwindcss(), latinAtFirst, reactRouter(), iconComponents, slimLibraries, slimCalls],
  build: {
    // The content security policy allows no `data:` scripts or fonts, so nothing is inlined.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rollupOptions: {
          output: { entryFileNames: 'assets/[name]-[hash].js', codeSplitting: { groups } },
          // Making a schema changes nothing: one that no page uses is left out.
          treeshake: { manualPureFunctions: ['z'] },
        },
      },
    },
  },
});
