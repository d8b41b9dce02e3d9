import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` finds the API; the built pages are served by the server itself. */
const api = process.env.API_URL ?? 'http://127.0.0.1:3000';

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

/** What every page of the application needs comes in one file and what a signed-in one needs in another, not in forty that a phone would fetch six at a time. */
const LIBRARIES = /node_modules[\\/](?:react|react-dom|react-router|scheduler|@tanstack|zod|lucide-react)[\\/]/u;
const OURS = /web[\\/]app[\\/](?:lib|ui)[\\/]|contract[\\/]src[\\/](?:accounts|errors|ids|product)\.ts/u;
const SHAPES = /contract[\\/]src[\\/](?:agents|live|memory|runs|sessions|tools)\.ts|[\\/]lib[\\/]live\.ts/u;
/** What several parts of the workspace share, which would else be files of a few hundred bytes. */
const WORKSPACE =
  /[\\/]features[\\/](?:accounts[\\/]account-nav|agents[\\/]agents\.api|runs[\\/](?:runs\.api|task-patches|finished-runs|run-stores|outbox|drafts|kept|limits|timeline-skeleton|answer-format)|sessions[\\/]sessions\.api)\.tsx?|[\\/]ui[\\/]popover\.tsx/u;
/** Parts of `ui` that bring a library with them and are fetched when they are opened. */
const LATER = /[\\/]ui[\\/](?:dialog|alert-dialog|popover-sheet|drawer-sheet|toast-stack|use-return-focus)\.tsx?$/u;
const isBase = (id: string) =>
  (LIBRARIES.test(id) || OURS.test(id)) && !LATER.test(id) && !SHAPES.test(id) && !WORKSPACE.test(id);
const groups = [
  { name: 'base', test: isBase, minShareCount: 5 },
  { name: 'signed-in', test: (id: string) => SHAPES.test(id) || WORKSPACE.test(id) },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), withoutJsonSchema],
  server: { proxy: { '/api': { target: api, changeOrigin: false } } },
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
