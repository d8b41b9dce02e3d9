import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, normalizePath, type Plugin } from 'vite';
import { withoutServerParts } from './without-server-parts.ts';

/** Of Zod's schemas every one can describe itself, as JSON Schema and by its limits; no page asks, and that is a fifth of Zod. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!id.endsWith('zod/v4/classic/schemas.js')) return null;
    return code
      .replaceAll(/^\s*inst\._zod\.processJSONSchema = .*;$/gmu, '')
      .replaceAll('processors.aggregateChecks(inst)', '({})')
      .replaceAll(/create(?:Standard|To)JSONSchemaMethod\(this,[^)]*\)/gu, '(() => undefined)');
  },
};

const APP = normalizePath(join(import.meta.dirname, 'app'));
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
const LIBRARIES = /node_modules[\\/](?:react|react-dom|react-router|scheduler|@tanstack|zod|lucide-react)[\\/]/u;
const EVERYWHERE = listed(CONTRACT, ['accounts', 'calls', 'errors', 'ids', 'product', 'accounts/sign-in']);
/** What is fetched later than the page: what follows changes, and what brings a library with it. */
const LATER = new Set([
  ...listed(`${APP}/lib`, [
    'live/live',
    'live/live-hub',
    'live/live-link',
    'markdown-formulas',
    'markdown-tree',
    'plain-words',
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
/** What the signed-in pages share, and the small files that the workspace shares with its later parts. */
const SIGNED_IN = new Set([
  ...listed(CONTRACT, ['agents', 'memory', 'removal', 'runs', 'sessions', 'tools']),
  ...listed(`${APP}/lib`, ['live/live-events', 'live/stale', 'offline-notice', 'share-open', 'wishes']),
  ...listed(`${APP}/ui`, ['copy-button', 'failure', 'overlay/menu', 'overlay/popover', 'focus/use-focus-passed-on']),
  ...listed(`${APP}/features`, [
    'accounts/account-nav',
    'agents/agents.api',
    'memory/receipt',
    'runs/runs.api',
    'runs/task-patches',
    'runs/answer/answer-format',
    'runs/composer/drafts',
    'runs/composer/limits',
    'runs/composer/outbox',
    'runs/composer/run-stores',
    'runs/conversation/timeline-skeleton',
    'sessions/folders.api',
    'sessions/session-commands',
    'sessions/session-dialog-store',
    'sessions/session-refusal',
    'sessions/session-view',
    'sessions/sessions.api',
    'sessions/use-session-actions',
    'shares/share-button',
  ]),
]);
/** Small files that an open conversation shares with other pages. */
const CONVERSATION = new Set([
  ...listed(CONTRACT, ['prompts', 'files']),
  ...listed(`${APP}/lib`, ['send-file']),
  ...listed(`${APP}/ui`, ['focus/use-focus-when-closed', 'progress-bar']),
  ...listed(`${APP}/features`, [
    'facts/fact-edit',
    'facts/use-forgetting',
    'mcp/contents/contents.api',
    'runs/answer/answer-link',
    'runs/answer/answer-text',
    'runs/branches/use-exchange-commands',
    'usage/usage-words',
  ]),
]);
/** Of the icons, those that the workspace shows at once and other pages too. */
const ICONS =
  /[\\/]lucide-react[\\/].*[\\/]icons[\\/](?:archive-arrow-up|arrow-left|ellipsis|file-text|pin|plus|trash)\.m?js$/u;
const isBase = (id: string) =>
  !LATER.has(id) &&
  !SIGNED_IN.has(id) &&
  !CONVERSATION.has(id) &&
  (LIBRARIES.test(id) || id.startsWith(`${APP}/lib/`) || id.startsWith(`${APP}/ui/`) || EVERYWHERE.has(id));
// A browser fetches six files at a time over HTTP/1.1, and each gets its share of the line: a large file alone would be the last.
const groups = [
  { name: 'router', test: /node_modules[\\/]react-router[\\/]/u },
  { name: 'base', test: isBase, minShareCount: 5 },
  { name: 'signed-in', test: (id: string) => SIGNED_IN.has(id) || ICONS.test(id) },
  { name: 'conversation', test: (id: string) => CONVERSATION.has(id) },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), withoutJsonSchema, slimCalls],
  build: {
    // The content security policy allows no `data:` scripts or fonts, so nothing is inlined.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: { rollupOptions: { output: { entryFileNames: 'assets/[name]-[hash].js', codeSplitting: { groups } } } },
    },
  },
});
