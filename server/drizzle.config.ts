import { defineConfig } from 'drizzle-kit-cli';

// Paths as seen from the root, where npm runs its scripts.
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/src/features/**/*.table.ts',
  out: './server/migrations',
});
