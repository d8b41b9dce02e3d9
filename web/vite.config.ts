import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` finds the API; the built pages are served by the server itself. */
const api = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Of Zod's schemas every one can describe itself as JSON Schema; no page asks, and that is a fifth of Zod. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!id.endsWith('zod/v4/classic/schemas.js')) return null;
    return code
      .replaceAll(/^\s*inst\._zod\.processJSONSchema = .*;$/gmu, '')
      .replaceAll(/create(?:Standard|To)JSONSchemaMethod\(this,[^)]*\)/gu, '(() => undefined)');
  },
};

/** What every page of the application needs comes in two files, not in forty that a phone would fetch six at a time. */
const BASE = /node_modules[\\/](?:react|react-dom|react-router|scheduler|@tanstack|zod)[\\/]/u;
const SHARED = /(?:contract[\\/]src|web[\\/]app[\\/](?:lib|ui))[\\/]|node_modules[\\/]lucide-react[\\/]/u;
/** Parts of `ui` that bring a library with them and are fetched when they are opened. */
const LATER = /[\\/]ui[\\/](?:dialog|alert-dialog|popover-sheet|drawer-sheet|toast-stack|use-return-focus)\.tsx?$/u;
const groups = [
  { name: 'base', test: (id: string) => BASE.test(id) || (SHARED.test(id) && !LATER.test(id)), minShareCount: 6 },
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
