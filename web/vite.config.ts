import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the API; the built pages are served by the server itself. */
const api = process.env.API_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  server: { proxy: { '/api': { target: api, changeOrigin: false } } },
  build: {
    // The content security policy allows no `data:` scripts or fonts, so nothing is inlined.
    assetsInlineLimit: 0,
  },
});
