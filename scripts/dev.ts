// `npm run dev`: the server from source and the pages with hot reload, on one port. Both follow changes of their files.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createServer } from 'vite';
import { freePort } from '../server/src/testing/listen.ts';
import { fail } from './bootstrap.mjs';
import { passOn, serveFrames } from './dev/pass-on.ts';
import { watchProcess } from './dev/watched-process.ts';

import SERVER_FLAGS from './server-flags.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const web = join(root, 'web');
const settings = join(root, '.env');
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** Where people open it. The server trusts everyone who reaches it as this machine, so others need an address that says otherwise. */
async function findPlace() {
  const { HOST: host = '127.0.0.1', PUBLIC_URL: named } = process.env;
  const wanted = Number(process.env.PORT || 3000);
  const isOpen = named !== undefined && URL.canParse(named) && !LOOPBACK.includes(new URL(named).hostname);
  if (!LOOPBACK.includes(host) && !isOpen) {
    fail(`HOST=${host} lets other machines in. Say at which address they come: PUBLIC_URL=http://… npm run dev`);
  }
  const port = await freePort(wanted, host).catch(() => undefined);
  if (port === undefined) fail(`Port ${wanted} on ${host} is in use. Choose another: PORT=${wanted + 1} npm run dev`);
  return { host, port, url: named || `http://localhost:${port}` };
}

// The server reads the file itself, at each start.
const outside = { ...process.env };
if (existsSync(settings)) process.loadEnvFile(settings);
const { host, port, url } = await findPlace();
const site = new URL(url).origin;
const behind = await freePort();

const frames = serveFrames(web);
const server = watchProcess({
  args: () => [
    ...SERVER_FLAGS,
    ...(existsSync(settings) ? [`--env-file=${settings}`] : []),
    join(root, 'server/src/main.ts'),
  ],
  env: { ...outside, HOST: '127.0.0.1', PORT: String(behind), PUBLIC_URL: url },
  port: behind,
  say: (line) => console.log(`\n${line}`),
});
const pages = await createServer({
  root: web,
  configFile: join(web, 'vite.config.ts'),
  clearScreen: false,
  server: {
    host,
    port,
    strictPort: true,
    cors: false,
    allowedHosts: [new URL(url).hostname],
    proxy: passOn({ port: behind, site, ready: server.ready }),
  },
  // Otherwise a first visit finds packages that are not prepared yet, and half of the page is outdated.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}', '!app/**/*.test.*'] },
});
await pages.listen();

const sources = ['server/src', 'server/migrations', 'contract/src'].map((path) => join(root, path));
const isSource = (path: string) =>
  path === settings ||
  (sources.some((folder) => path.startsWith(folder)) && !/\.test\.ts$|[\\/]testing[\\/]/u.test(path));
pages.watcher.add([...sources, settings]).on('all', (_, path) => {
  if (isSource(path)) server.restart(`${relative(root, path)} changed: the server starts again.`);
});

let isEnding = false;
async function end() {
  if (isEnding) return;
  isEnding = true;
  frames.close();
  await Promise.all([server.stop(), pages.close()]);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, end);
